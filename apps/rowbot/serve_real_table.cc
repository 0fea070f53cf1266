#include "serve_real_table.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "commands.h"
#include "robot/sim/world.h"
#include "robot/station/live_picture.h"
#include "robot/station/stage.h"
#include "scene_texts.h"
#include "table_on_wires.h"

namespace rowbot::app {
namespace {

using table::Command;

/// Thread safety: as TableFeed; a thread of its own plays game after game.
class RealTable final : public server::TableFeed {
 public:
  [[nodiscard]] static Result<std::unique_ptr<RealTable>> open(const TableParts& parts,
                                                               const std::string& log) {
    const auto model = arm::model_by_name(parts.layout.robot);
    if (!model) return model.error();
    auto mirror = sim::World::create(**model, parts.layout);
    if (!mirror) return mirror.error();
    std::unique_ptr<RealTable> made(new RealTable(*std::move(mirror)));
    auto opened =
        TableOnWires::open(parts, {.log = log, .alive = [it = made.get()] { it->alive(); }});
    if (!opened) return opened.error();
    made->parts_ = *std::move(opened);
    made->thread_ =
        std::jthread([it = made.get()](const std::stop_token& stop) { it->play_games(stop); });
    return made;
  }
  RealTable(const RealTable&) = delete;
  RealTable& operator=(const RealTable&) = delete;
  RealTable(RealTable&&) = delete;
  RealTable& operator=(RealTable&&) = delete;
  ~RealTable() override {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    post(Command::Kind::kQuit);
  }

  [[nodiscard]] std::string robot() const override { return parts_->layout().robot; }

  [[nodiscard]] server::TableView look() override {
    server::TableView view{.table = parts_->table().snapshot()};
    show(*view.table);
    view.scene = texts_.scene();
    view.poses = texts_.poses();
    const std::scoped_lock lock(mutex_);
    view.trouble = trouble_;
    if (picture_) {
      view.camera = std::shared_ptr<const std::string>(picture_, &picture_->jpeg);
      view.camera_number = picture_->number;
    }
    return view;
  }

  /// The visitor says that his disc is in the column; what the other senses say must agree.
  void play(game::Column column, std::uint64_t game, std::size_t ply) override {
    const auto now = parts_->table().snapshot();
    if (now->game != game || !now->record || now->record->moves.size() != ply) return;
    parts_->table().post({.kind = Command::Kind::kTyped, .column = column, .text = {}});
  }
  void restart() override { post(Command::Kind::kRestart); }
  void stop() override { post(Command::Kind::kStop); }
  void resume() override { post(Command::Kind::kResume); }

 private:
  explicit RealTable(std::unique_ptr<sim::World> mirror) : mirror_(std::move(mirror)) {
    texts_.set_scene(sim::export_scene(*mirror_));
  }

  /// The thread that plays has let time pass.
  void alive() {
    const vision::CameraSensor* eye = parts_->eye();
    if (eye == nullptr) return;
    auto picture = taken_;
    station::take_picture(*eye, picture);
    if (picture == taken_) return;
    taken_ = std::move(picture);
    const std::scoped_lock lock(mutex_);
    picture_ = taken_;
  }

  void post(Command::Kind kind) { parts_->table().post({.kind = kind, .column = {}, .text = {}}); }

  void play_games(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const auto end = parts_->table().play_game();
      if (end) continue;
      const std::scoped_lock lock(mutex_);
      trouble_ = end.error().message;
      return;
    }
  }

  /// Brings the model of the cell to where arm and discs are.
  void show(const table::TableSnapshot& now) {
    if (const cell::ArmDriver* arm = parts_->arm()) {
      const cell::ArmReading reading = arm->read();
      if (reading.q_rad.size() > 0) mirror_->arm.show(reading.q_rad, reading.gripper_width_m);
    }
    if (now.record && now.record->version != shown_) {
      shown_ = now.record->version;
      mirror_->set_board(station::truth_of(now.record->position, now.human));
    }
    texts_.set_poses(sim::scene_poses(*mirror_));
  }

  std::unique_ptr<TableOnWires> parts_;
  std::unique_ptr<sim::World> mirror_;  // never stepped
  SceneTexts texts_;
  std::optional<std::uint64_t> shown_;                 // version of the record
  std::shared_ptr<const station::LivePicture> taken_;  // of the thread that plays

  std::mutex mutex_;  // guards what follows
  std::string trouble_;
  std::shared_ptr<const station::LivePicture> picture_;

  std::jthread thread_;  // last: it ends before anything it uses
};

}  // namespace

std::unique_ptr<server::TableFeed> open_real_table(const TableParts& parts,
                                                   const std::string& log) {
  auto opened = RealTable::open(parts, log);
  if (!opened) fail(opened.error());
  return *std::move(opened);
}

}  // namespace rowbot::app
