#include "engine/solver/book_progress.h"

#include <csignal>
#include <filesystem>
#include <iostream>
#include <sys/resource.h>
#include <vector>

#include "base/disk_recording.h"
#include "base/temporary_folder.h"
#include "engine/solver/book.h"
#include "engine/solver/book_builder.h"
#include "fmt/core.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::solver {
namespace {

using ::testing::HasSubstr;

Score score_number(std::uint64_t key) { return Score(static_cast<int>(key % 43) - 21); }

TEST(BookProgressFile, GoesOnBehindTheLastWholeLine) {
  const rowbot::TemporaryFolder folder;
  const std::string path = folder.file("b.progress");
  const std::string good = "rowbot book progress, plies 3\n12 3\n13 -4\n";
  for (const std::string& torn :
       {std::string(), std::string("14"), std::string("14 \0\0\n15 2\n", 11)}) {
    std::filesystem::remove(path);
    write_bytes(path, good + torn);
    {
      auto progress = BookProgressFile::open(system_disk(), path, 3);
      ASSERT_TRUE(progress) << progress.error().message;
      EXPECT_EQ(progress->known().size(), 2U);
      ASSERT_TRUE(progress->note(16, Score(1)));
    }
    EXPECT_EQ(bytes_of(path), good + "16 1\n");
  }
}

TEST(BookProgressFile, LeavesOtherFilesAlone) {
  const rowbot::TemporaryFolder folder;
  const std::string path = folder.file("b.progress");
  for (const char* text : {"rowbot book progress, plies 4\n12 3\n", "a shopping list", "milk\n",
                           "rowbot book progress, plies 3\nmilk\n"}) {
    std::filesystem::remove(path);
    write_bytes(path, text);
    EXPECT_FALSE(BookProgressFile::open(system_disk(), path, 3)) << text;
    EXPECT_EQ(bytes_of(path), text);
  }
}

TEST(BookBuilder, SaysBeforeTheWorkThatItCannotWrite) {
  const rowbot::TemporaryFolder folder;
  int solved = 0;
  const auto attempt = [&](const std::string& out) {
    const auto report =
        build_book({.plies = 1, .out = out, .table_mb = 1, .progress = [&](auto&) { ++solved; }});
    return report ? std::string("built") : report.error().message;
  };
  std::filesystem::create_directory(folder.file("folder"));
  EXPECT_THAT(attempt(folder.file("folder")), HasSubstr("not a file"));
  write_bytes(folder.file("text"), "x");
  EXPECT_THAT(attempt(folder.file("text/book.bin")), HasSubstr("cannot make the folder"));
  std::filesystem::create_directory(folder.file("b.bin.progress"));
  EXPECT_THAT(attempt(folder.file("b.bin")), HasSubstr("is a folder"));
  {
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);  // as on a full disk
    const std::string said = attempt(folder.file("c.bin"));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_THAT(said, HasSubstr("cannot write"));
  }
  EXPECT_EQ(solved, 0);
}

// The same calls that build_book() makes, with scores that need no solving.
TEST(PowerCut, LosesNoScoreThatABookUnderConstructionHasSynced) {
  constexpr std::uint64_t kBetween = 32;
  rowbot::disk_testing::DiskRecording recording;
  const std::string book(5'000, 'b');
  {
    rowbot::disk_testing::RecordedDisk disk(recording);
    const rowbot::TemporaryFolder folder(rowbot::disk_testing::memory_folder());
    const std::string path = folder.file("b.bin.progress");
    for (std::uint64_t run = 0; run < 5; ++run) {
      auto progress = BookProgressFile::open(disk, path, 3);
      ASSERT_TRUE(progress) << progress.error().message;
      for (std::uint64_t i = 0; i < 3 * kBetween; ++i) {
        const std::uint64_t key = run * 3 * kBetween + i;
        ASSERT_TRUE(progress->note(key, score_number(key)));
        if (i % kBetween == kBetween - 1) recording.acknowledge();
      }
    }
    ASSERT_TRUE(replace_file(disk, folder.file("b.bin"), book));
    recording.acknowledge();  // from here on the book itself must be there
    ASSERT_TRUE(disk.remove(path));
  }
  const auto report = rowbot::disk_testing::make_power_cuts(
      recording, rowbot::disk_testing::cuts_to_make(0.1), 6,
      [&](const std::string& folder, std::size_t acknowledged) -> std::string {
        const std::string whole = bytes_of(folder + "/b.bin");
        if (!whole.empty() && whole != book) return "half a book";
        if (acknowledged == 16) return whole == book ? "" : "the book is lost";
        auto progress = BookProgressFile::open(system_disk(), folder + "/b.bin.progress", 3);
        if (!progress) return progress.error().message;
        for (const auto& [key, score] : progress->known()) {
          if (score != score_number(key)) return fmt::format("the score of {} is wrong", key);
        }
        for (std::uint64_t key = 0; key < acknowledged * kBetween; ++key) {
          if (!progress->known().contains(key)) return fmt::format("{} is lost", key);
        }
        return "";
      });
  std::cout << fmt::format("book: {} calls, {} syncs, {} power cuts\n", recording.size(),
                           recording.syncs(), report.cuts);
  EXPECT_THAT(report.failures, ::testing::IsEmpty());
}

}  // namespace
}  // namespace rowbot::solver
