#include "robot/station/stage.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <thread>
#include <utility>

#include "base/text_file.h"
#include "game/bits.h"
#include "robot/station/far_end_world.h"
#include "robot/station/world_file.h"
#include "robot/vision/board_place.h"
#include "robot/vision/calibration.h"
#include "robot/vision/video_camera.h"

namespace rowbot::station {
namespace {

using sim::BoardTruth;

/// Three discs of each colour, lying on the bottom.
BoardTruth samples() {
  BoardTruth truth;
  for (std::size_t column = 0; column < 6; ++column) {
    truth[column][0] = column % 2 == 0 ? sim::Side::kHuman : sim::Side::kRobot;
  }
  return truth;
}

}  // namespace

BoardTruth truth_of(const game::Position& position, game::Side human) {
  BoardTruth truth;
  for (int column = 0; column < game::kColumns; ++column) {
    for (int row = 0; row < game::kRows; ++row) {
      const game::Bits here = game::square(column, row);
      auto& cell = truth[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)];
      if ((position.discs_of(human) & here) != 0) cell = sim::Side::kHuman;
      if ((position.discs_of(other(human)) & here) != 0) cell = sim::Side::kRobot;
    }
  }
  return truth;
}

bool shows(const BoardTruth& truth, const game::Position& position, game::Side human) {
  const BoardTruth wanted = truth_of(position, human);
  for (std::size_t column = 0; column < wanted.size(); ++column) {
    for (std::size_t row = 0; row < wanted[column].size(); ++row) {
      if (wanted[column][row] && wanted[column][row] != truth[column][row]) return false;
    }
  }
  return true;
}

Stage::Stage(const StageOptions& options, std::unique_ptr<sim::Twin> twin)
    : options_(options), twin_(std::move(twin)), began_(std::chrono::steady_clock::now()) {
  twin_->on_step([this](const sim::World& world) { step_done(world); });
}

Result<std::unique_ptr<Stage>> Stage::create(const StageOptions& options) {
  auto twin = sim::Twin::create(options.layout, {.seed = options.seed, .servo = options.servo});
  if (!twin) return twin.error();
  std::unique_ptr<Stage> stage(new Stage(options, *std::move(twin)));
  if (auto done = stage->twin_->configure(); !done) return done.error();
  if (auto done = stage->wire_up(); !done) return done.error();
  if (auto done = stage->open_eye(); !done) return done.error();
  if (auto done = stage->restore_world(); !done) return done.error();
  stage->began_ = std::chrono::steady_clock::now();
  stage->began_s_ = stage->now_s();
  return stage;
}

Result<void> Stage::wire_up() {
  if (options_.switches) {
    auto switches = TwinSwitches::create();
    if (!switches) return switches.error();
    switches_ = *std::move(switches);
  }
  if (options_.wire) {
    if (options_.layout.robot != farend::robot_of(*options_.wire)) {
      return Error{fmt::format("this wire is for the {}, not for the {}",
                               farend::robot_of(*options_.wire), options_.layout.robot)};
    }
    auto world =
        std::make_shared<FarEndWorld>(twin_->world(), [twin = twin_.get()] { twin->step_world(); });
    auto rig = farend::make_rig(
        *options_.wire, std::move(world),
        {.seed = options_.seed,
         .grip_opening_m = options_.layout.grip_opening_m,
         .grip_force_n = options_.layout.grip_force_n,
         // A drop has some 150 orders of a degree, so that their errors add up as in Rhodes 1993.
         .roboarm_drift_deg = options_.servo.drift_rad_per_move > 0 ? 0.1 : 0});
    if (!rig) return rig.error();
    rig_ = *std::move(rig);
    if (auto done = rig_->driver->configure(); !done) return done;
    twin_->yield_motors(rig_->pass);
  }
  // An arm that is looked at moves step by step, so that its aim can be corrected.
  const bool whole = rig_ && !twin_->model().gripper.marker_m;
  hand_ = std::make_unique<cell::ArmHand>(arm(), options_.layout, options_.seed,
                                          whole ? rig_->run_whole : cell::ArmHand::PlanRunner());
  return {};
}

void Stage::repair() {
  twin_->repair();
  if (!rig_) return;
  twin_->world().arm.put(arm::neutral(twin_->model()));
  rig_->rest();
}

Result<void> Stage::open_eye() {
  auto camera = TwinCamera::create(*twin_, options_.camera);
  if (!camera) return camera.error();
  camera_ = *std::move(camera);
  twin_->world().set_board(samples());
  const auto frame = camera_->grab();
  if (!frame) return frame.error();
  const auto image = vision::image_of(*frame);
  if (!image) return image.error();
  const auto look = vision::look_at_board(*image);
  if (!look) return look.error();
  if (!look->geometry || !look->first || !look->second) {
    return Error{"the camera does not see the board and both colours of discs"};
  }
  eye_ = std::make_unique<vision::CameraSensor>(
      *camera_,
      vision::CameraSensorOptions{.calibration = vision::Calibration{.image_size = image->size(),
                                                                     .geometry = *look->geometry,
                                                                     .first = *look->first,
                                                                     .second = *look->second},
                                  .moved_columns = cell::moved_columns(options_.layout)});
  twin_->world().set_board({});
  if (twin_->model().gripper.marker_m) {
    hand_->watch_aim([this] { return eye_->gripper_column(); });
  }
  return {};
}

Result<void> Stage::restore_world() {
  if (options_.world_file.empty()) return {};
  if (std::filesystem::exists(options_.world_file)) {
    const auto text = read_text_file(options_.world_file, kSettingsBytes);
    if (!text) return text.error();
    const auto truth = parse_world(*text);
    if (!truth) {
      return Error{fmt::format("{}: {}", options_.world_file, truth.error().message)};
    }
    twin_->world().set_board(*truth);
  }
  keeping_ = true;
  return {};
}

void Stage::save_world(const sim::World& world) {
  std::string text = world_text(world.board.truth());
  if (text == saved_) return;
  // Written beside and renamed: a reader finds the old board or the new one.
  const std::string beside = options_.world_file + ".new";
  {
    std::ofstream out(beside, std::ios::trunc);
    out << text << '\n';
    if (!out.flush()) return;
  }
  if (std::rename(beside.c_str(), options_.world_file.c_str()) == 0) saved_ = std::move(text);
}

void Stage::step_done(const sim::World& world) {
  if (keeping_ && world.state.steps() % 25 == 0) save_world(world);
  if (switches_) switches_->watch(world);
  for (const auto& watcher : watchers_) watcher(world);
  if (options_.speed) {
    const std::chrono::duration<double> due((world.state.time_s() - began_s_) / *options_.speed);
    std::this_thread::sleep_until(
        began_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(due));
  }
}

Result<void> Stage::realign(const cell::BoardReading& before, const cell::BoardReading& now) {
  const auto layout = vision::measured_layout(options_.layout, before.corners, now.corners,
                                              {options_.camera.width, options_.camera.height});
  if (!layout) return layout.error();
  options_.layout = *layout;
  hand_->set_layout(*layout);
  return {};
}

void Stage::wait(double seconds) {
  twin_->advance(seconds);
  if (people_) people_();
}

}  // namespace rowbot::station
