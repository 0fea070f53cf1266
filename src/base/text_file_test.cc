#include "base/text_file.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/temporary_folder.h"

namespace rowbot {
namespace {

std::string complaint(const std::string& path, std::size_t limit = kSettingsBytes) {
  const auto text = read_text_file(path, limit);
  return text ? "" : text.error().message;
}

bool says(const std::string& message, const std::string& words) {
  return message.find(words) != std::string::npos;
}

TEST(TextFile, GivesEveryByte) {
  const TemporaryFolder folder;
  std::string bytes(200'000, 'x');
  bytes[3] = '\0';
  bytes[70'000] = '\n';
  write_bytes(folder.file("a"), bytes);
  EXPECT_EQ(*read_text_file(folder.file("a"), kSettingsBytes), bytes);
  write_bytes(folder.file("empty"), "");
  EXPECT_EQ(*read_text_file(folder.file("empty"), kSettingsBytes), "");
}

TEST(TextFile, ReadsFilesOfTheKernelWhichSayThatTheyAreEmpty) {
  EXPECT_GT(read_text_file("/proc/self/status", kSettingsBytes)->size(), 100U);
  EXPECT_TRUE(says(complaint("/proc/self/status", 10), "too large"));
}

TEST(TextFile, HoldsTheLimitToTheByte) {
  const TemporaryFolder folder;
  write_bytes(folder.file("a"), "12345");
  EXPECT_EQ(*read_text_file(folder.file("a"), 5), "12345");
  EXPECT_TRUE(says(complaint(folder.file("a"), 4), "too large"));
}

TEST(TextFile, RefusesWhatIsTooLargeBeforeReadingIt) {
  const TemporaryFolder folder;
  write_bytes(folder.file("a"), "");
  std::filesystem::resize_file(folder.file("a"), std::uintmax_t{1} << 40);  // a terabyte of holes
  EXPECT_TRUE(says(complaint(folder.file("a")), "at most 1 MB"));
}

TEST(TextFile, SaysWhatIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_TRUE(says(complaint(folder.file("missing")), "is the name right?"));
  EXPECT_TRUE(says(complaint(folder.file(".")), "is a folder"));
  EXPECT_TRUE(says(complaint("/dev/zero"), "device"));
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(says(complaint(folder.file("pipe")), "pipe"));
}

}  // namespace
}  // namespace rowbot
