// Each call to the disk and each request of SQLite for memory fails once, then each of them and all
// that follow it: the writer is told, nothing that was acknowledged is lost, and the same store and
// laboratory write again when disk and memory are back.
#include <iostream>
#include <optional>

#include "base/disk_recording.h"
#include "base/fault_point.h"
#include "base/sqlite/sqlite_sweep.h"
#include "base/temporary_folder.h"
#include "gtest/gtest.h"
#include "service/store/archive.h"
#include "service/store/sample_match.h"
#include "service/store/sample_run.h"
#include "service/store/sqlite_store.h"

namespace rowbot::store {
namespace {

using rowbot::disk_testing::FaultPoint;
using rowbot::disk_testing::memory_folder;
using rowbot::disk_testing::sweep_sqlite;
using rowbot::disk_testing::told_and_survived;
using sample::content_of;
using sample::integrity_of;
using sample::sample_writes;

constexpr int kFaultyGames = 3;

/// Opens and writes under the fault, what failed once more without it, and compares.
class FaultyStore {
 public:
  explicit FaultyStore(std::string expected) : expected_(std::move(expected)) {}

  std::string run(FaultPoint& point) {
    const TemporaryFolder folder(memory_folder());
    const std::string path = folder.file("a.db");
    if (auto wrong = told_and_survived(point, [&] { return open(path); }); !wrong.empty()) {
      return wrong;
    }
    for (const auto& changes : sample_writes(kFaultyGames, 3)) {
      bool failed = false;
      bool told = true;
      const auto wrong = told_and_survived(point, [&] {
        auto written = write_and_wait(*store_, changes);
        failed = failed || !written;
        if (!written) told = !store_->write_trouble().empty();
        return written;
      });
      if (!wrong.empty()) return wrong;
      if (!told) return "no trouble is told";
      if (failed && !store_->write_trouble().empty()) return "the trouble stays";
    }
    // Readers see what is there, up to where they are told of an error in the last line.
    const std::string seen = content_of(*store_, kFaultyGames);
    const std::size_t last = seen.rfind('\n') + 1;  // 0 if it is the only line
    const bool told = seen.find("failed", last) != std::string::npos ||
                      seen.find("memory", last) != std::string::npos;
    if (seen != expected_ && !(told && expected_.starts_with(seen.substr(0, last)))) {
      return "the content differs: " + seen;
    }
    point.clear();
    if (content_of(*store_, kFaultyGames) != expected_) return "readers do not recover";
    store_.reset();
    if (const auto again = open(path); !again) return again.error().message;
    if (content_of(*store_, kFaultyGames) != expected_) return "the content was lost";
    store_.reset();
    return integrity_of(path);
  }

 private:
  Result<void> open(const std::string& path) {
    auto store = SqliteStore::open(path);
    if (!store) return store.error();
    store_ = *std::move(store);
    return {};
  }

  std::string expected_;
  std::unique_ptr<Store> store_;
};

TEST(FaultSweep, TheStoreTellsAndSurvivesAFaultAtAnyCall) {
  std::string expected;
  {
    const TemporaryFolder folder(memory_folder());
    auto store = SqliteStore::open(folder.file("a.db"));
    ASSERT_TRUE(store);
    for (const auto& changes : sample_writes(kFaultyGames, 3)) {
      ASSERT_TRUE(write_and_wait(**store, changes));
    }
    expected = content_of(**store, kFaultyGames);
  }
  const auto sweep =
      sweep_sqlite([&](FaultPoint& point) { return FaultyStore(expected).run(point); });
  std::cout << sweep.figures;
  EXPECT_EQ(sweep.failure, "");
}

/// Two matches with a few games, a report that is replaced, a match that is forgotten.
std::string run_laboratory(FaultPoint& point) {
  const TemporaryFolder folder(memory_folder());
  const std::string path = folder.file("a.db");
  std::optional<Archive> lab;
  const auto open = [&]() -> Result<void> {
    auto opened = Archive::open(path);
    if (!opened) return opened.error();
    lab = *std::move(opened);
    return {};
  };
  if (auto wrong = told_and_survived(point, open); !wrong.empty()) return wrong;
  for (std::uint64_t i = 0; i < 6; ++i) {
    std::int64_t match = 0;
    const auto work = [&]() -> Result<void> {
      auto id = lab->match_id({.key = i < 3 ? "one" : "two"});
      if (!id) return id.error();
      match = *id;
      return {};
    };
    if (auto wrong = told_and_survived(point, work); !wrong.empty()) return wrong;
    const std::vector games{sample::match_game(2 * i), sample::match_game(2 * i + 1, "1212121")};
    const auto add = [&] { return lab->add(match, games); };
    if (auto wrong = told_and_survived(point, add); !wrong.empty()) return wrong;
    const auto report = [&] { return lab->keep_report("rhodes", std::to_string(i)); };
    if (auto wrong = told_and_survived(point, report); !wrong.empty()) return wrong;
    const auto forget = [&] { return lab->forget_match(match); };
    if (i == 2) {
      if (auto wrong = told_and_survived(point, forget); !wrong.empty()) return wrong;
    }
  }
  point.clear();
  lab.reset();
  if (const auto again = open(); !again) return again.error().message;
  const std::string all = sample::content_of(*lab);
  lab.reset();
  constexpr std::string_view kExpected =
      "two: 6 4141414nnnnnn 7 1212121nnnnnnn 8 4141414nnnnnnnn 9 1212121nnnnnnnnn"
      " 10 4141414nnnnnnnnnn 11 1212121nnnnnnnnnnn\n5";
  return all == kExpected ? integrity_of(path) : "there is " + all;
}

TEST(FaultSweep, TheLaboratoryTellsAndSurvivesAFaultAtAnyCall) {
  const auto sweep = sweep_sqlite(run_laboratory);
  std::cout << sweep.figures;
  EXPECT_EQ(sweep.failure, "");
}

}  // namespace
}  // namespace rowbot::store
