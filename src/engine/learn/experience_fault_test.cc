// Each call to the disk and each request of SQLite for memory fails once, then each of them and all
// that follow it, while an experience is written: the trainer is told, whole batches are kept, and
// the same file takes the batch again.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "base/disk_recording.h"
#include "base/fault_point.h"
#include "base/sqlite/sqlite_sweep.h"
#include "base/temporary_folder.h"
#include "engine/learn/experience_file.h"
#include "fmt/core.h"
#include "game/position.h"
#include "gtest/gtest.h"

namespace rowbot::learn {
namespace {

using rowbot::disk_testing::FaultPoint;
using rowbot::disk_testing::memory_folder;
using rowbot::disk_testing::told_and_survived;

constexpr std::uint64_t kFaultyBatches = 4;

/// The same state in every batch, so that each replaces the one before.
Result<void> write_batch(ExperienceFile& file, std::uint64_t batch) {
  const std::vector<StateKey> keys{game::Position().key()};
  ActionValues values;
  values.value.fill(static_cast<float>(batch));
  values.visits.fill(static_cast<std::uint32_t>(batch));
  return file.write({.keys = keys,
                     .values = [&](StateKey) -> const ActionValues& { return values; },
                     .first_episode = 2 * batch,
                     .outcomes = "wl",
                     .training = fmt::format("batch {}", batch)});
}

std::string run_training(FaultPoint& point) {
  const TemporaryFolder folder(memory_folder());
  const std::string path = folder.file("q.db");
  std::optional<ExperienceFile> file;
  const auto open = [&]() -> Result<void> {
    auto opened = ExperienceFile::open(path, ExperienceFile::Use::kCreate);
    if (!opened) return opened.error();
    file = *std::move(opened);
    return {};
  };
  if (auto wrong = told_and_survived(point, open); !wrong.empty()) return wrong;
  for (std::uint64_t batch = 0; batch < kFaultyBatches; ++batch) {
    const auto write = [&] { return write_batch(*file, batch); };
    if (auto wrong = told_and_survived(point, write); !wrong.empty()) return wrong;
  }
  point.clear();
  file.reset();
  if (const auto again = open(); !again) return again.error().message;  // checked from end to end
  const auto values = file->find(game::Position().key());
  const auto outcomes = file->outcomes();
  const auto training = file->fact("training");
  if (!values || !outcomes || !training) return "it cannot be read";
  const bool whole = *values && (*values)->visits[3] == kFaultyBatches - 1 &&
                     *outcomes == "wlwlwlwl" && training->value_or("") == "batch 3";
  return whole ? "" : fmt::format("there is {}, {}", *outcomes, training->value_or("nothing"));
}

TEST(FaultSweep, AnExperienceTellsAndSurvivesAFaultAtAnyCall) {
  const auto sweep = disk_testing::sweep_sqlite(run_training);
  std::cout << sweep.figures;
  EXPECT_EQ(sweep.failure, "");
}

}  // namespace
}  // namespace rowbot::learn
