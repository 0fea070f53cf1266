// The power fails after any call to the disk, and the disk keeps of what was not synced whatever it
// likes. Nothing that was acknowledged is lost, nothing is there by half, and SQLite finds the file
// whole. ROWBOT_CUTS=10000 makes a long run of it.
#include <iostream>

#include "base/disk_recording.h"
#include "base/sqlite/power_cut_vfs.h"
#include "base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/store/archive.h"
#include "service/store/sample_match.h"
#include "service/store/sample_run.h"
#include "service/store/sqlite_store.h"

namespace rowbot::store {
namespace {

using rowbot::disk_testing::CutReport;
using rowbot::disk_testing::cuts_to_make;
using rowbot::disk_testing::DiskRecording;
using rowbot::disk_testing::make_power_cuts;
using rowbot::disk_testing::memory_folder;
using rowbot::disk_testing::PowerCutVfs;
using sample::content_of;
using sample::integrity_of;
using sample::match_game;
using sample::sample_writes;

constexpr int kSampleGames = 40;

/// Empty when the content is that after the acknowledged writes, or after the one in flight as
/// well.
std::string compare(const std::string& content, const std::vector<std::string>& states,
                    std::size_t acknowledged) {
  if (content == states.at(acknowledged)) return "";
  if (acknowledged + 1 < states.size() && content == states[acknowledged + 1]) return "";
  return fmt::format("after {} acknowledged writes there is\n{}\ninstead of\n{}", acknowledged,
                     content, states[acknowledged]);
}

void print(const char* what, const DiskRecording& recording, const CutReport& report) {
  std::cout << fmt::format("{}: {} calls, {} syncs, {} power cuts\n", what, recording.size(),
                           recording.syncs(), report.cuts);
}

TEST(PowerCut, LosesNothingThatTheStoreHasAcknowledged) {
  const auto writes = sample_writes(kSampleGames, 1);
  std::vector<std::string> states;
  DiskRecording recording;
  {
    const PowerCutVfs vfs(recording);
    const TemporaryFolder folder(memory_folder());
    auto store = SqliteStore::open(folder.file("a.db"));
    ASSERT_TRUE(store) << store.error().message;
    states.push_back(content_of(**store, kSampleGames));
    for (std::size_t i = 0; i < writes.size(); ++i) {
      if (i == writes.size() / 2) {  // a restart: the log is copied and removed
        store->reset();
        store = SqliteStore::open(folder.file("a.db"));
        ASSERT_TRUE(store) << store.error().message;
      }
      ASSERT_TRUE(write_and_wait(**store, writes[i]));
      recording.acknowledge();
      states.push_back(content_of(**store, kSampleGames));
    }
  }
  const auto report = make_power_cuts(
      recording, cuts_to_make(0.4), 1, [&](const std::string& folder, std::size_t acknowledged) {
        const std::string path = folder + "/a.db";
        {
          auto store = SqliteStore::open(path);
          if (!store) return store.error().message;
          if (auto wrong = compare(content_of(**store, kSampleGames), states, acknowledged);
              !wrong.empty()) {
            return wrong;
          }
          if (!write_and_wait(**store, {SetNote{.name = "after", .value = "the cut"}})) {
            return std::string("the store does not write any more");
          }
        }
        return integrity_of(path);
      });
  print("store", recording, report);
  EXPECT_THAT(report.failures, ::testing::IsEmpty());
}

TEST(PowerCut, LosesNothingThatTheLaboratoryHasAcknowledged) {
  std::vector<std::string> states;
  DiskRecording recording;
  {
    const PowerCutVfs vfs(recording);
    const TemporaryFolder folder(memory_folder());
    auto lab = Archive::open(folder.file("a.db"));
    ASSERT_TRUE(lab) << lab.error().message;
    states.push_back(content_of(*lab));
    const auto acknowledge = [&](const Result<void>& done) {
      ASSERT_TRUE(done) << done.error().message;
      recording.acknowledge();
      states.push_back(content_of(*lab));
    };
    for (std::uint64_t i = 0; i < 60; ++i) {
      const auto id = lab->match_id({.key = std::to_string(i / 20)});
      ASSERT_TRUE(id);
      if (i % 20 == 0) acknowledge({});
      acknowledge(lab->add(*id, std::vector{match_game(2 * i), match_game(2 * i + 1)}));
      if (i % 10 == 9) acknowledge(lab->keep_report("rhodes", std::to_string(i)));
      if (i == 45) acknowledge(lab->forget_match(1));
    }
  }
  const auto report = make_power_cuts(
      recording, cuts_to_make(0.2), 2, [&](const std::string& folder, std::size_t acknowledged) {
        const std::string path = folder + "/a.db";
        {
          auto lab = Archive::open(path);
          if (!lab) return lab.error().message;
          if (auto wrong = compare(content_of(*lab), states, acknowledged); !wrong.empty()) {
            return wrong;
          }
        }
        return integrity_of(path);
      });
  print("laboratory", recording, report);
  EXPECT_THAT(report.failures, ::testing::IsEmpty());
}

}  // namespace
}  // namespace rowbot::store
