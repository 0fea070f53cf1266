#include "engine/solver/book_progress.h"

#include <csignal>
#include <filesystem>
#include <iostream>
#include <sys/resource.h>
#include <vector>

#include "base/disk_recording.h"
#include "base/fault_point.h"
#include "base/faulty_disk.h"
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

/// As `book build` does: a run ends with the first error, and the next one goes on with what the
/// file knows. The old book stays until the new one takes its place.
std::string build_under(rowbot::disk_testing::FaultPoint& point) {
  constexpr std::uint64_t kKeys = 100;
  rowbot::disk_testing::FaultyDisk disk(point);
  const rowbot::TemporaryFolder folder(rowbot::disk_testing::memory_folder());
  const std::string out = folder.file("b.bin");
  write_bytes(out, "old");
  std::uint64_t acknowledged = 0;  // keys before it are in a file that was synced
  const auto build = [&]() -> Result<void> {
    auto progress = BookProgressFile::open(disk, out + ".progress", 3);
    if (!progress) return progress.error();
    const KnownScores known = progress->known();
    for (std::uint64_t key = 0; key < acknowledged; ++key) {
      if (!known.contains(key)) return Error{fmt::format("{} is lost", key)};
    }
    for (std::uint64_t key = 0; key < kKeys; ++key) {
      if (known.contains(key)) continue;
      if (auto done = progress->note(key, score_number(key)); !done) return done;
    }
    if (auto done = progress->sync(); !done) return done;
    acknowledged = kKeys;
    if (auto done = replace_file(disk, out, "new"); !done) return done;
    return disk.remove(out + ".progress");
  };
  const auto first = build();
  if (!first && point.failed() == 0) return first.error().message;
  const std::string there = bytes_of(out);
  if (there != "old" && there != "new") return "half a book";
  if (first && there != "new") return "built, and the book is the old one";
  if (first) return "";
  point.clear();
  if (const auto second = build(); !second) return "does not go on: " + second.error().message;
  return bytes_of(out) == "new" ? "" : "the book is the old one";
}

TEST(FaultSweep, ABookUnderConstructionTellsAndSurvivesAFaultAtAnyCall) {
  rowbot::disk_testing::FaultPoint point;
  for (const bool full_disk : {true, false}) {
    const auto report = rowbot::disk_testing::sweep_faults(point, {.full_disk = full_disk},
                                                           [&] { return build_under(point); });
    std::cout << fmt::format("{}: {} calls, {} runs\n", full_disk ? "full disk" : "failing disk",
                             report.calls, report.runs);
    EXPECT_EQ(report.failure, "");
    EXPECT_GT(report.calls, 100U);
  }
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
