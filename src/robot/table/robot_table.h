// The robot's table: sees, thinks, moves and verifies, until the game is over. One loop for every
// cell, simulated or real; what differs is behind the ports, what happens when is in
// table_machine.h.
//
// restart works in every state; so does stop. Both halt the arm at once, from any thread. A stop
// holds until resume: a game that was restarted meanwhile waits for it.
//
// Thread safety: play_game() owns the table and blocks until the game has ended; post(), stop()
// and snapshot() from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/stop.h"
#include "engine/agents/agent.h"
#include "robot/cell/board_sensor.h"
#include "robot/cell/hand.h"
#include "robot/table/journal.h"
#include "robot/table/pace.h"
#include "robot/table/table_machine.h"

namespace rowbot::table {

struct TableOptions {
  std::string robot;
  game::Side human = game::Side::kFirst;
  /// How the eye calls the human's discs.
  cell::CellContent human_discs = cell::CellContent::kFirst;
  std::string agent = "perfect";
  std::function<Result<std::unique_ptr<agents::Agent>>(std::string_view)> make_agent;
  std::uint64_t seed = 1;
  bool switches = false;         // feel every disc that falls in
  bool keys = false;             // typed columns are believed
  bool people_move_for = false;  // there is no arm: people put the robot's discs in
  double poll_s = 0.25;
  double patience_s = 120;  // until what is wrong is mended
  double leave_s = 300;     // until a silent visitor has left
  int tries = 3;            // of one drop, and of people to mend what keeps it from falling
};

class RobotTable {
 public:
  /// What the table works with outlives it. Without a camera, switches or keys must tell.
  struct Ports {
    cell::Hand& hand;
    cell::BoardSensor* camera = nullptr;
    Pace& pace;
    Journal& journal;
    /// The board stands elsewhere now: measures where, and tells the hand. Without it, people are
    /// asked to put the board back.
    std::function<Result<void>(const cell::BoardReading& before, const cell::BoardReading& now)>
        realign = {};
  };

  [[nodiscard]] static Result<std::unique_ptr<RobotTable>> create(const Ports& ports,
                                                                  TableOptions options);

  /// One game; goes on with the one that the journal left open. An error means that the table
  /// cannot go on at all: the journal cannot be written, or the agent failed.
  [[nodiscard]] Result<GameEnd> play_game();

  /// Stop, restart and quit take back at once what the snapshot asks people for.
  void post(Command command);
  void stop() { post({.kind = Command::Kind::kStop, .column = {}, .text = {}}); }
  [[nodiscard]] std::shared_ptr<const TableSnapshot> snapshot() const;
  /// Of the thread that plays.
  [[nodiscard]] const TableCounts& counts() const { return memory_.counts; }
  /// Called by the thread that plays after each change.
  void on_change(std::function<void(const TableSnapshot&)> watcher) {
    watcher_ = std::move(watcher);
  }

 private:
  RobotTable(const Ports& ports, TableOptions options);

  /// One step of the machine, and its effects.
  void deliver(decltype(Event::what) what);
  /// Delivers what was asked for since the last time; whether the action under way was
  /// interrupted, so that its outcome means nothing.
  bool deliver_commands();
  [[nodiscard]] std::optional<Command> take_command();
  /// Blocks until the action is over.
  [[nodiscard]] decltype(Event::what) carry_out(Action action);
  [[nodiscard]] decltype(Event::what) think();
  /// A motion of the hand, unless it was interrupted before it began.
  template <class Motion>
  auto move_hand(Motion motion) -> decltype(motion());

  void apply(const Tell& effect);
  void apply(const BeginGame& effect);
  void apply(const ResumeGame& effect);
  void apply(const RecordMove& effect);
  void apply(const EndGame& effect);
  void apply(const HandCalibrated& effect);
  void fail_unless(const Result<void>& done);

  Ports ports_;
  TableOptions options_;
  TableRules rules_;
  TableMemory memory_;
  std::unique_ptr<agents::Agent> agent_;
  std::optional<Error> error_;
  std::function<void(const TableSnapshot&)> watcher_;

  std::atomic<bool> interrupted_ = false;  // stop, restart or quit wait in the queue
  std::atomic<bool> moving_ = false;
  mutable std::mutex mutex_;  // guards what follows
  std::deque<Command> commands_;
  StopSource thinking_;
  std::shared_ptr<const TableSnapshot> now_ = std::make_shared<const TableSnapshot>();
};

}  // namespace rowbot::table
