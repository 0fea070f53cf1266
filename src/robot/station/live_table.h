// The simulated table for people who are elsewhere: plays game after game on a thread of its own,
// at the pace of the clock, and shows everybody the same immutable view of itself.
//
//   LiveTable table({.layout = cell::default_layout(arm::eezybot())});
//   auto view = table.latest();                      // never blocks
//   table.play({.column = Column(3), .game = view->table->game, .ply = 0});
//
// Nobody looks, nothing runs: every latest() counts as a look. The cell is made at the first look,
// and when nobody has looked for `linger`, the thread sleeps in the middle of a step until
// somebody does; the simulated clock stands still meanwhile. So a table that is never visited
// costs a sleeping thread, and no processor time.
//
// A stop holds until resume(), whatever else is asked for: a restart waits for it.
//
// Thread safety: everything from any thread, and nothing blocks but the destructor, which waits
// until the arm stands still.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/resources.h"
#include "game/column.h"
#include "robot/cell/layout.h"
#include "robot/farend/rig.h"
#include "robot/sim/scene_export.h"
#include "robot/station/live_picture.h"
#include "robot/table/robot_table.h"

namespace rowbot::station {

class Stage;
class Visitor;

struct LiveTableOptions {
  cell::CellLayout layout;
  std::optional<farend::RigWire> wire;  // a simulated one between table and twin
  std::string agent = "mcts:sims=2000";
  Resources resources;  // of the agent
  game::Side human = game::Side::kFirst;
  std::uint64_t seed = 1;
  double speed = 1;           // simulated seconds per second
  double views_per_s = 20;    // of the clock on the wall
  double result_shown_s = 5;  // between two games, simulated
  std::chrono::milliseconds linger{10'000};
};

struct LiveTableView {
  std::uint64_t number = 0;  // grows with each view
  std::shared_ptr<const table::TableSnapshot> table = std::make_shared<table::TableSnapshot>();
  std::shared_ptr<const sim::SceneExport> scene;  // none before the cell is made
  sim::ScenePoses poses;
  std::shared_ptr<const LivePicture> picture;  // none before the first look of the camera
  std::string trouble;                         // why there is no table any more; empty: there is
};

class LiveTable {
 public:
  explicit LiveTable(LiveTableOptions options);
  LiveTable(const LiveTable&) = delete;
  LiveTable& operator=(const LiveTable&) = delete;
  LiveTable(LiveTable&&) = delete;
  LiveTable& operator=(LiveTable&&) = delete;
  ~LiveTable();

  /// Never null. Keeps the table awake.
  [[nodiscard]] std::shared_ptr<const LiveTableView> latest();

  /// A disc of the visitor's, as soon as the table waits for exactly this move; forgotten when the
  /// game has moved on.
  struct Wish {
    game::Column column{0};
    std::uint64_t game = 0;
    std::size_t ply = 0;
  };
  void play(const Wish& wish);
  void restart();
  void stop();
  void resume();
  /// Whether it runs, or sleeps because nobody looks.
  [[nodiscard]] bool awake() const;

 private:
  using Clock = std::chrono::steady_clock;

  void run(const std::stop_token& stop);
  [[nodiscard]] Result<void> play_games(const std::stop_token& stop);
  void step(Stage& stage, const std::stop_token& stop);
  void keep_pace(double now_s, const std::stop_token& stop);
  void sleep_unwatched(const std::stop_token& stop);
  void people_act(Visitor& visitor);
  void look_through_camera(Stage& stage);
  void publish(Stage& stage);
  void post(table::Command::Kind kind);

  const LiveTableOptions options_;

  // Of the thread that plays.
  Clock::time_point anchor_;  // simulated time anchor_s_ was at this instant
  double anchor_s_ = 0;
  Clock::time_point next_view_;
  Clock::time_point next_picture_;
  std::uint64_t views_ = 0;
  std::shared_ptr<const sim::SceneExport> scene_;
  std::shared_ptr<const LivePicture> picture_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any looked_;
  std::optional<Clock::time_point> last_look_;
  bool asleep_ = true;
  bool stopped_ = false;
  bool restart_later_ = false;
  std::optional<Wish> wish_;
  table::RobotTable* table_ = nullptr;  // while there is one
  std::shared_ptr<const LiveTableView> now_ = std::make_shared<const LiveTableView>();

  std::jthread thread_;  // last: it ends before anything it uses
};

}  // namespace rowbot::station
