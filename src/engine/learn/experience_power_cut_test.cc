// The power fails after any call to the disk while an experience is written.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "base/disk_recording.h"
#include "base/sqlite/power_cut_vfs.h"
#include "base/temporary_folder.h"
#include "engine/learn/experience_file.h"
#include "fmt/core.h"
#include "game/position.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::learn {
namespace {

using rowbot::disk_testing::cuts_to_make;
using rowbot::disk_testing::DiskRecording;
using rowbot::disk_testing::make_power_cuts;
using rowbot::disk_testing::memory_folder;
using rowbot::disk_testing::PowerCutVfs;

std::string content_of(ExperienceFile& file) {
  std::string all;
  const auto read = file.for_each([&all](StateKey key, const ActionValues& values) {
    all += fmt::format("{} {} {}\n", key, values.value[3], values.visits[3]);
    return Result<void>();
  });
  if (!read) return read.error().message;
  const auto outcomes = file.outcomes();
  if (!outcomes) return outcomes.error().message;
  const auto training = file.fact("training");
  return all + *outcomes + (training ? training->value_or("none") : training.error().message);
}

TEST(PowerCut, LosesNothingThatTheExperienceFileHasAcknowledged) {
  std::vector<StateKey> keys;
  for (game::Position position; const game::Column column : game::kAllColumns) {
    keys.push_back(position.key());
    position = position.after(column);
    keys.push_back(position.key());
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

  std::vector<std::string> states;
  DiskRecording recording;
  {
    const PowerCutVfs vfs(recording);
    const TemporaryFolder folder(memory_folder());
    auto file = ExperienceFile::open(folder.file("q.db"), ExperienceFile::Use::kCreate);
    ASSERT_TRUE(file) << file.error().message;
    states.push_back(content_of(*file));
    for (std::uint64_t batch = 0; batch < 70; ++batch) {
      ActionValues values;
      values.value.fill(static_cast<float>(batch));
      values.visits.fill(static_cast<std::uint32_t>(batch));
      const auto written =
          file->write({.keys = keys,
                       .values = [&](StateKey) -> const ActionValues& { return values; },
                       .first_episode = 2 * batch,
                       .outcomes = "wl",
                       .training = fmt::format("batch {}", batch)});
      ASSERT_TRUE(written) << written.error().message;
      recording.acknowledge();
      states.push_back(content_of(*file));
    }
  }
  const auto report = make_power_cuts(
      recording, cuts_to_make(0.2), 4, [&](const std::string& folder, std::size_t acknowledged) {
        auto file = ExperienceFile::open(folder + "/q.db", ExperienceFile::Use::kCreate);
        if (!file) return file.error().message;
        const std::string content = content_of(*file);
        const bool in_flight =
            acknowledged + 1 < states.size() && content == states[acknowledged + 1];
        return content == states.at(acknowledged) || in_flight
                   ? std::string()
                   : fmt::format("after {} batches: {}", acknowledged, content);
      });
  std::cout << fmt::format("experience: {} calls, {} syncs, {} power cuts\n", recording.size(),
                           recording.syncs(), report.cuts);
  EXPECT_THAT(report.failures, ::testing::IsEmpty());
}

}  // namespace
}  // namespace rowbot::learn
