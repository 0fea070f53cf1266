#include "robot/station/simulated_cell.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <thread>
#include <utility>

#include "base/text_file.h"
#include "game/bits.h"
#include "robot/station/arm_wires.h"
#include "robot/station/far_end_world.h"
#include "robot/station/world_file.h"
#include "robot/vision/reader.h"
#include "robot/vision/video_camera.h"

namespace rowbot::station {
namespace {

using Clock = std::chrono::steady_clock;
using sim::BoardTruth;

constexpr std::chrono::milliseconds kLate{100};
constexpr std::chrono::milliseconds kNap{4};  // shorter ones are not worth a switch of threads

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

SimulatedCell::SimulatedCell(const StationConfig& config, std::unique_ptr<sim::Twin> twin)
    : config_(config), twin_(std::move(twin)), anchor_(Clock::now()) {
  twin_->on_step([this](const sim::World& world) { step_done(world); });
}

Result<std::unique_ptr<SimulatedCell>> SimulatedCell::create(const StationConfig& config) {
  auto twin = sim::Twin::create(config.layout, {.seed = config.seed, .servo = config.servo});
  if (!twin) return twin.error();
  std::unique_ptr<SimulatedCell> made(new SimulatedCell(config, *std::move(twin)));
  if (auto done = made->twin_->configure(); !done) return done.error();
  if (config.senses.switches && !config.panel) {
    auto switches = TwinSwitches::create();
    if (!switches) return switches.error();
    made->switches_ = *std::move(switches);
  }
  if (const auto wire = simulated_wire(config.driver)) {
    if (auto done = made->wire_up(*wire); !done) return done.error();
  }
  if (config.camera == "sim") {
    auto camera = TwinCamera::create(*made->twin_);
    if (!camera) return camera.error();
    made->camera_ = *std::move(camera);
  }
  return made;
}

Result<void> SimulatedCell::wire_up(farend::RigWire wire) {
  const auto known = driver_config(config_.driver, config_.driver_config);
  if (!known) return known.error();
  auto world =
      std::make_shared<FarEndWorld>(twin_->world(), [twin = twin_.get()] { twin->step_world(); });
  auto rig = farend::make_rig(
      wire, std::move(world),
      {.seed = config_.seed,
       .grip_opening_m = config_.layout.grip_opening_m,
       .grip_force_n = config_.layout.grip_force_n,
       .roboarm = *known,
       // A drop has some 150 orders of a degree, so that their errors add up as in Rhodes 1993.
       .roboarm_drift_deg = config_.servo.drift_rad_per_move > 0 ? 0.1 : 0});
  if (!rig) return rig.error();
  rig_ = *std::move(rig);
  if (auto done = rig_->driver->configure(); !done) return done;
  twin_->yield_motors(rig_->pass);
  return {};
}

void SimulatedCell::repair() {
  twin_->repair();
  if (!rig_) return;
  twin_->world().arm.put(arm::neutral(twin_->model()));
  rig_->rest();
}

Result<vision::Calibration> SimulatedCell::calibrate_camera() {
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
  twin_->world().set_board({});
  return vision::Calibration{.image_size = image->size(),
                             .geometry = *look->geometry,
                             .first = *look->first,
                             .second = *look->second};
}

Result<void> SimulatedCell::begin() {
  anchor_ = Clock::now();
  anchor_s_ = now_s();
  if (config_.world_file.empty()) return {};
  if (std::filesystem::exists(config_.world_file)) {
    const auto text = read_text_file(config_.world_file, kSettingsBytes);
    if (!text) return text.error();
    const auto truth = parse_world(*text);
    if (!truth) {
      return Error{fmt::format("{}: {}", config_.world_file, truth.error().message)};
    }
    twin_->world().set_board(*truth);
  }
  keeping_ = true;
  return {};
}

void SimulatedCell::save_world(const sim::World& world) {
  std::string text = world_text(world.board.truth());
  if (text == saved_) return;
  // Written beside and renamed: a reader finds the old board or the new one.
  const std::string beside = config_.world_file + ".new";
  {
    std::ofstream out(beside, std::ios::trunc);
    out << text << '\n';
    if (!out.flush()) return;
  }
  if (std::rename(beside.c_str(), config_.world_file.c_str()) == 0) saved_ = std::move(text);
}

void SimulatedCell::step_done(const sim::World& world) {
  if (keeping_ && world.state.steps() % 25 == 0) save_world(world);
  if (switches_) switches_->watch(world);
  for (const auto& watcher : watchers_) watcher(world);
  keep_pace();
}

/// A machine that is too slow, or waited for somebody, goes on from where it is.
void SimulatedCell::keep_pace() {
  if (!config_.speed) return;
  const auto now = Clock::now();
  const auto due =
      anchor_ + std::chrono::duration_cast<Clock::duration>(
                    std::chrono::duration<double>((now_s() - anchor_s_) / *config_.speed));
  if (now > due + kLate) {
    anchor_ = now;
    anchor_s_ = now_s();
  } else if (due > now + kNap) {
    std::this_thread::sleep_until(due);
  }
}

}  // namespace rowbot::station
