#include "robot/station/station.h"

#include "base/text.h"
#include "fmt/format.h"
#include "robot/drivers/panel/switch_panel.h"
#include "robot/station/arm_wires.h"
#include "robot/station/image_folder.h"
#include "robot/vision/board_place.h"

namespace rowbot::station {
namespace {

/// There is no arm: people do what the table asks for.
class HandOfPeople final : public cell::Hand {
 public:
  Result<void> prepare() override { return {}; }
  cell::HandReport drop(game::Column /*column*/) override { return {}; }
  void halt() noexcept override {}
};

Result<void> check(const StationConfig& config) {
  if (auto sound = cell::check_layout(config.layout); !sound) return sound;
  if (auto fits = check_driver(config.driver, config.layout.robot); !fits) return fits;
  if (config.senses.camera && config.camera == "none") {
    return Error{
        "camera: the sense 'camera' needs one; name a device, a film or a folder of images, or "
        "leave the sense out"};
  }
  if (config.speed && !(*config.speed > 0)) {
    return Error{fmt::format("speed: {} is not above 0 simulated seconds a second", *config.speed)};
  }
  if (config.simulated_arm()) return {};
  if (config.camera == "sim") {
    return Error{fmt::format(
        "camera: the twin's sees only what the twin's arm drops, and the driver is {}; name a "
        "device, a film or a folder of images, or simulate the arm as well",
        in_quotes(config.driver))};
  }
  if (config.senses.switches && !config.panel) {
    return Error{fmt::format(
        "panel: the twin's switches feel only the twin's discs, and the driver is {}; write a "
        "section [panel] into the hardware file (docs/wiring.md), or simulate the arm as well",
        in_quotes(config.driver))};
  }
  return {};
}

Error in_field(const char* field, const Error& error) {
  return Error{fmt::format("{}: {}", field, error.message)};
}

}  // namespace

Result<std::unique_ptr<Station>> open(const StationConfig& config) {
  if (auto sound = check(config); !sound) return sound.error();
  std::unique_ptr<Station> made(new Station(config));
  if (auto done = made->open_arm(); !done) return done.error();
  if (auto done = made->open_sensor(); !done) return done.error();
  made->make_hand();
  if (config.senses.switches && config.panel) {
    auto panel = drivers::SwitchPanel::open(*config.panel);
    if (!panel) return in_field("panel", panel.error());
    made->real_panel_ = *std::move(panel);
  }
  if (made->twin_) {
    if (auto done = made->twin_->begin(); !done) return in_field("world", done.error());
  } else {
    made->drawn_.emplace(config.layout, made->arm() != nullptr);
  }
  return made;
}

Result<void> Station::open_arm() {
  if (config_.simulated_arm()) {
    auto cell = SimulatedCell::create(config_);
    if (!cell) return cell.error();
    twin_ = *std::move(cell);
    run_whole_ = twin_->run_whole();
  } else if (config_.driver != "none") {
    const auto known = driver_config(config_.driver, config_.driver_config);
    if (!known) return in_field("driver", known.error());
    auto arm = open_real_arm(config_.driver, *known);
    if (!arm) return in_field("driver", arm.error());
    real_arm_ = std::move(arm->driver);
    run_whole_ = std::move(arm->run_whole);
  }
  return {};
}

Result<void> Station::open_sensor() {
  if (config_.camera == "none") return {};
  vision::CameraSensorOptions options{.moved_columns = cell::moved_columns(config_.layout)};
  cell::Camera* camera = twin_ ? twin_->camera() : nullptr;
  if (camera != nullptr) {
    auto calibration = twin_->calibrate_camera();
    if (!calibration) return in_field("camera", calibration.error());
    options.calibration = *std::move(calibration);
  } else {
    auto opened = open_camera(config_.camera);
    if (!opened) return in_field("camera", opened.error());
    real_camera_ = *std::move(opened);
    camera = real_camera_.get();
    if (!config_.eyes.empty()) {
      auto loaded = vision::load_calibration(config_.eyes);
      if (!loaded) return in_field("eyes", loaded.error());
      options.calibration = *std::move(loaded);
    }
  }
  sensor_ = std::make_unique<vision::CameraSensor>(*camera, options);
  return {};
}

void Station::make_hand() {
  if (arm() == nullptr) {
    hand_ = std::make_unique<HandOfPeople>();
    return;
  }
  // An arm that is looked at moves step by step, so that its aim can be corrected. A real camera
  // does not see the marker of a simulated arm.
  const bool same_world = (twin_ == nullptr) == (real_camera_ != nullptr);
  const bool looked_at = sensor_ && same_world && arm()->model().gripper.marker_m;
  auto hand = std::make_unique<cell::ArmHand>(*arm(), config_.layout, config_.seed,
                                              looked_at ? cell::ArmHand::PlanRunner() : run_whole_);
  if (looked_at) hand->watch_aim([this] { return sensor_->gripper_column(); });
  arm_hand_ = hand.get();
  hand_ = std::move(hand);
}

cell::ArmDriver* Station::arm() { return twin_ ? &twin_->arm() : real_arm_.get(); }

cell::Panel* Station::panel() {
  return twin_ && twin_->switches() != nullptr ? twin_->switches() : real_panel_.get();
}

void Station::wait(double seconds) {
  if (twin_) {
    twin_->twin().advance(seconds);
  } else {
    wall_.wait(seconds);
  }
  for (const auto& watcher : watchers_) watcher();
}

double Station::now_s() const { return twin_ ? twin_->now_s() : wall_.now_s(); }

Result<void> Station::run(const cell::DropPlan& plan) {
  return run_whole_ ? run_whole_(plan) : cell::run_plan(*arm(), plan);
}

Result<void> Station::realign(const cell::BoardReading& before, const cell::BoardReading& now) {
  // People find the board wherever it stands; a real board that moves leaves the twin's in place.
  if (arm_hand_ == nullptr || (twin_ && real_camera_)) return {};
  const auto& frame = sensor_->frame();
  const auto moved = vision::measured_layout(config_.layout, before.corners, now.corners,
                                             {frame->width, frame->height});
  if (!moved) return moved.error();
  config_.layout = *moved;
  arm_hand_->set_layout(config_.layout);
  return {};
}

sim::SceneExport Station::scene() {
  return twin_ ? sim::export_scene(twin_->twin().world()) : drawn_->scene();
}

sim::ScenePoses Station::poses(const table::TableSnapshot& now) {
  if (twin_) return sim::scene_poses(twin_->twin().world());
  const cell::ArmDriver* driver = arm();
  const auto moves = now.record ? now.record->game.moves() : std::span<const game::Column>();
  return drawn_->poses(driver != nullptr ? driver->read() : cell::ArmReading{}, wall_.now_s(),
                       moves, now.human);
}

}  // namespace rowbot::station
