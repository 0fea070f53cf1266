// Each call to the disk fails once, then each call and all that follow it: the writer is told,
// nothing that was acknowledged is lost, and the same store writes again when the disk does.
#include <iostream>

#include "base/disk_recording.h"
#include "base/sqlite/power_cut_vfs.h"
#include "base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/store/sample_run.h"
#include "service/store/sqlite_store.h"

namespace rowbot::store {
namespace {

using rowbot::disk_testing::DiskFault;
using rowbot::disk_testing::DiskRecording;
using rowbot::disk_testing::memory_folder;
using rowbot::disk_testing::PowerCutVfs;
using sample::content_of;
using sample::integrity_of;
using sample::sample_writes;

constexpr int kFaultyGames = 3;

struct Outcome {
  std::uint64_t calls = 0;
  std::string wrong;
};

/// Opens and writes under the fault, what failed once more without it, and compares.
Outcome run_with(const DiskFault& fault, const std::vector<std::vector<Change>>& writes,
                 const std::string& expected) {
  DiskRecording recording;
  PowerCutVfs vfs(recording);
  const TemporaryFolder folder(memory_folder());
  const std::string path = folder.file("a.db");
  Outcome outcome;
  vfs.set_fault(fault);
  auto store = SqliteStore::open(path);
  if (!store) {
    if (vfs.failed_calls() == 0) return {.wrong = store.error().message};
    vfs.set_fault(std::nullopt);
    store = SqliteStore::open(path);
    if (!store) return {.wrong = "does not open afterwards: " + store.error().message};
  }
  for (const auto& changes : writes) {
    auto written = write_and_wait(**store, changes);
    if (written) continue;
    if (vfs.failed_calls() == 0) return {.wrong = "refused: " + written.error().message};
    if ((*store)->write_trouble().empty()) return {.wrong = "no trouble is told"};
    vfs.set_fault(std::nullopt);
    written = write_and_wait(**store, changes);
    if (!written) return {.wrong = "does not write afterwards: " + written.error().message};
    if (!(*store)->write_trouble().empty()) return {.wrong = "the trouble stays"};
  }
  outcome.calls = vfs.calls();
  vfs.set_fault(std::nullopt);
  if (content_of(**store, kFaultyGames) != expected) return {.wrong = "the content differs"};
  store->reset();
  store = SqliteStore::open(path);
  if (!store) return {.wrong = "does not open again: " + store.error().message};
  if (content_of(**store, kFaultyGames) != expected) return {.wrong = "the content was lost"};
  store->reset();
  outcome.wrong = integrity_of(path);
  return outcome;
}

TEST(DiskFault, AtAnyCallIsToldAndSurvived) {
  const auto writes = sample_writes(kFaultyGames, 3);
  std::string expected;
  {
    const TemporaryFolder folder(memory_folder());
    auto store = SqliteStore::open(folder.file("a.db"));
    ASSERT_TRUE(store);
    for (const auto& changes : writes) ASSERT_TRUE(write_and_wait(**store, changes));
    expected = content_of(**store, kFaultyGames);
  }
  // A full disk stops writing only; a failing one breaks any call.
  for (const bool full_disk : {true, false}) {
    constexpr std::uint64_t kNever = UINT64_MAX;
    const Outcome whole = run_with({.at = kNever, .full_disk = full_disk}, writes, expected);
    ASSERT_EQ(whole.wrong, "");
    std::uint64_t runs = 0;
    for (const bool persistent : {false, true}) {
      for (std::uint64_t call = 0; call < whole.calls; ++call, ++runs) {
        const Outcome outcome = run_with(
            {.at = call, .persistent = persistent, .full_disk = full_disk}, writes, expected);
        ASSERT_EQ(outcome.wrong, "") << "call " << call << (persistent ? " and all after it" : "")
                                     << (full_disk ? ", full disk" : "");
      }
    }
    std::cout << fmt::format("{}: {} calls, {} runs\n", full_disk ? "full disk" : "failing disk",
                             whole.calls, runs);
  }
}

}  // namespace
}  // namespace rowbot::store
