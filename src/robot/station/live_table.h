// The robot's table for people who are elsewhere, over any station: plays game after game on a
// thread of its own and shows everybody the same immutable view of itself.
//
//   auto table = LiveTable::open({.station = *configure({.robot = "eezybot"})});
//   auto view = (*table)->look();                    // never blocks
//   (*table)->play({.column = Column(3), .game = view.table->game, .ply = 0});
//
// At a simulated table somebody puts the visitor's disc into the board, and nothing runs while
// nobody looks: every look counts. The station is opened at the first look, and when nobody has
// looked for `linger`, the thread sleeps in the middle of a step until somebody does; the simulated
// clock stands still meanwhile. A table with real parts is opened at once and always plays; there a
// visitor's move says that the disc is in the board, and what the other senses say must agree.
//
// A stop holds until resume(), whatever else is asked for: a restart waits for it.
//
// Thread safety: everything from any thread, and nothing blocks but open() with real parts and the
// destructor, which waits until the arm stands still.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/resources.h"
#include "robot/sim/scene_export.h"
#include "robot/station/live_picture.h"
#include "robot/station/scene_texts.h"
#include "robot/station/station_config.h"
#include "robot/table/table_feed.h"
#include "robot/table/table_machine.h"

namespace rowbot::table {
class RobotTable;
}

namespace rowbot::station {

class Station;
class StationTable;
class Visitor;

struct LiveTableOptions {
  StationConfig station;
  std::string log;  // of a table with real parts; none without
  std::string agent = "mcts:sims=2000";
  Resources resources;  // of the agent
  game::Side human = game::Side::kFirst;
  double views_per_s = 20;    // of the clock on the wall
  double result_shown_s = 5;  // between two games, by the station's clock
  std::chrono::milliseconds linger{10'000};
};

class LiveTable final : public table::TableFeed {
 public:
  /// Fails when a real part cannot be opened. What is wrong with a simulated one is seen later.
  [[nodiscard]] static Result<std::unique_ptr<LiveTable>> open(LiveTableOptions options);
  LiveTable(const LiveTable&) = delete;
  LiveTable& operator=(const LiveTable&) = delete;
  LiveTable(LiveTable&&) = delete;
  LiveTable& operator=(LiveTable&&) = delete;
  ~LiveTable() override;

  [[nodiscard]] std::string robot() const override { return options_.station.layout.robot; }
  [[nodiscard]] table::TableView look() override;
  /// Forgotten when the game moves on before the disc is in the board.
  [[nodiscard]] table::Verdict play(const table::MoveWish& wish) override;
  void restart() override;
  void stop() override;
  void resume() override;

  /// Where everything is in the last view, for programs.
  [[nodiscard]] sim::ScenePoses poses() const;
  /// Whether it runs, or sleeps because nobody looks.
  [[nodiscard]] bool awake() const;

 private:
  using Clock = std::chrono::steady_clock;

  explicit LiveTable(LiveTableOptions options);
  /// Opens the station, says so, and plays.
  void run(const std::stop_token& stop, std::promise<Result<void>> opened);
  [[nodiscard]] Result<void> play_games(StationTable& parts, const std::stop_token& stop);
  void watch_real(Station& station, const std::stop_token& stop);
  void step(Station& station, const std::stop_token& stop);
  void sleep_unwatched(const std::stop_token& stop);
  void people_act(Visitor& visitor);
  void look_through_camera(Station& station);
  void publish(Station& station);
  void post(table::Command::Kind kind, std::optional<game::Column> column = {});
  [[nodiscard]] std::shared_ptr<const table::TableSnapshot> snapshot() const;

  const LiveTableOptions options_;

  // Of the thread that publishes.
  Clock::time_point next_view_;
  SceneTexts texts_;
  // Of the thread that plays.
  Clock::time_point next_picture_;
  std::shared_ptr<const LivePicture> picture_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any looked_;
  std::optional<Clock::time_point> last_look_;
  bool asleep_ = true;
  bool stopped_ = false;
  std::optional<table::MoveWish> wish_;
  table::RobotTable* table_ = nullptr;  // while there is one
  table::TableView view_;               // but for its table
  sim::ScenePoses poses_;

  std::jthread thread_;  // last: it ends before anything it uses
};

}  // namespace rowbot::station
