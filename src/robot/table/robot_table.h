// The robot's table: sees, thinks, moves and verifies, until the game is over. One loop for every
// cell, simulated or real; what differs is behind the ports.
//
// Every turn begins with a look at the board, and the look decides what happens next:
//
//   nothing new  human's turn: wait        robot's turn: think, drop, look again
//   a move       it is written into the record (nothing else ever is)
//   a foul       say what is wrong; on when the board is right again
//   unclear      look again; say so when it lasts
//
// States and their way back:
//
//   preparing    arm to its neutral place          the arm is there
//   clearing     waiting for an empty board        the board is empty
//   waiting      the human's turn                  a disc is seen
//   thinking, moving, verifying                    the disc is seen
//   foul         the board shows no legal game     the board is mended; emptied: the game is over
//   blind        the board cannot be read          a clear look
//   asking       two senses disagree               somebody says which is right, and it is seen
//   needs_help   something only people can mend    resume
//   stopped      emergency stop                    resume
//   over                                           the next game
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
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/agents/agent.h"
#include "robot/cell/board_sensor.h"
#include "robot/cell/hand.h"
#include "robot/table/board_verdict.h"
#include "robot/table/felt_discs.h"
#include "robot/table/journal.h"
#include "robot/table/pace.h"
#include "robot/table/session.h"

namespace rowbot::table {

enum class TableState : std::uint8_t {
  kPreparing,
  kClearing,
  kWaiting,
  kThinking,
  kMoving,
  kVerifying,
  kFoul,
  kBlind,
  kAsking,
  kNeedsHelp,
  kStopped,
  kOver,
};
[[nodiscard]] std::string_view state_text(TableState state);

/// What the table would like a person to do.
enum class Request : std::uint8_t {
  kNothing,
  kPlay,            // a disc into a column
  kMendBoard,       // as the message says
  kClearBoard,      // take all discs out
  kFreeView,        // step aside, uncover the camera
  kPlaceDisc,       // the robot's disc into its column: there is no arm
  kNameColumn,      // type the column that is right, or press its switch
  kRefillMagazine,  // then resume
  kCheckArm,        // then resume
  kCalibrateArm,    // set it on its marks, take out what it holds; then resume
  kCheckColumn,     // something is stuck, or the arm must be calibrated; then resume
  kResume,          // after an emergency stop
};

struct TableSnapshot {
  TableState state = TableState::kPreparing;
  std::string message;  // for the visitor
  Request request = Request::kNothing;
  std::uint64_t game = 0;  // 0 before the first
  game::Side human = game::Side::kFirst;
  std::string agent;
  std::optional<game::Column> target;      // where the arm is about to drop
  std::shared_ptr<const Snapshot> record;  // none before the first game
};

struct Command {
  enum class Kind : std::uint8_t {
    kDropSeen,  // a switch felt a disc in `column`
    kTyped,     // somebody says that a disc is in `column`
    kAgent,     // the agent `text` plays from the next move on
    kRestart,
    kStop,
    kResume,
    kQuit,
  };
  Kind kind = Kind::kRestart;
  std::optional<game::Column> column;
  std::string text;
};

enum class GameEnd : std::uint8_t {
  kFinished,
  kRestarted,  // by a command
  kGivenUp,    // safely: the visitor left, or what was wrong was not mended
  kQuit,
};

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

/// What happened so far, over all games.
struct TableCounts {
  std::uint64_t moves = 0;
  std::uint64_t helps = 0;   // times that only a person could mend something
  std::uint64_t fouls = 0;   // times that the board showed no legal game
  std::uint64_t misses = 0;  // drops after which no new disc was in the board
  std::uint64_t strays = 0;  // drops that ended in another column than was meant
  std::uint64_t faults = 0;  // of the arm
  std::uint64_t shifts = 0;  // times that the board was found elsewhere
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

  void post(Command command);
  void stop() { post({.kind = Command::Kind::kStop, .column = {}, .text = {}}); }
  [[nodiscard]] std::shared_ptr<const TableSnapshot> snapshot() const;
  /// Of the thread that plays.
  [[nodiscard]] const TableCounts& counts() const { return counts_; }
  /// Called by the thread that plays after each change.
  void on_change(std::function<void(const TableSnapshot&)> watcher) {
    watcher_ = std::move(watcher);
  }

 private:
  RobotTable(const Ports& ports, TableOptions options);

  // Each answers whether the game goes on; if not, end_ says how it ended. The turns are in
  // robot_table.cc, the senses in robot_table_senses.cc, ways back in robot_table_trouble.cc.
  bool begin();
  bool resume_or_begin();
  bool clear_board();
  bool human_turn();
  bool robot_turn();
  bool make_move();
  bool wait_for_disc();
  void ask_for_disc();
  bool after_miss(Request request, std::string_view question);
  bool record(game::Column column);
  bool mend(const ReadingVerdict& verdict);
  bool endure_blindness(const ReadingVerdict& verdict);
  bool follow_board();
  bool ask_for_column(std::string question, std::optional<game::Column> seen);
  bool help(Request request, std::string message);
  bool wait_for_help(Request request, std::string message);
  bool prepare_hand();
  bool attend();
  bool stand_still();
  bool leave(GameEnd how, std::string why);
  bool broken(const Error& error);

  /// Waits a little; whether the game goes on.
  bool idle();
  [[nodiscard]] ReadingVerdict see();
  [[nodiscard]] ReadingVerdict feel();
  /// What switches and people say contradicts itself, or the eye: the question to ask.
  [[nodiscard]] std::optional<std::string> contradiction(const ReadingVerdict& verdict) const;
  void hear(const Command& command);
  [[nodiscard]] bool board_is_empty();
  void enter(TableState state, std::string message, Request request = Request::kNothing);
  [[nodiscard]] std::optional<Command> take_command();
  [[nodiscard]] bool robots_turn() const;
  [[nodiscard]] cell::CellContent first_is() const;
  [[nodiscard]] const Snapshot& game() const { return *session_->snapshot(); }

  Ports ports_;
  TableOptions options_;
  std::unique_ptr<agents::Agent> agent_;
  std::optional<Session> session_;
  std::uint64_t number_ = 0;
  std::optional<game::Column> target_;   // while the arm moves
  std::optional<game::Column> attempt_;  // dropped, not yet seen
  int misses_ = 0;                       // of this move
  int faults_ = 0;                       // of this move
  int helps_ = 0;                        // with this move
  double turn_began_s_ = 0;
  std::optional<double> blind_since_s_;
  FeltDiscs felt_;
  std::optional<game::Column> phantom_;  // felt, but not seen by the camera
  std::optional<cell::BoardReading> last_reading_;
  std::optional<cell::BoardReading> place_reading_;  // with the board where the hand believes it
  bool resumed_ = false;                             // a resume command came
  bool stopped_ = false;                             // and not resumed since
  bool standing_ = false;                            // in stand_still()
  bool stopped_again_ = false;                       // meanwhile, and not resumed since
  GameEnd end_ = GameEnd::kFinished;
  std::optional<Error> error_;
  TableCounts counts_;
  std::function<void(const TableSnapshot&)> watcher_;

  std::atomic<bool> interrupted_ = false;  // stop, restart or quit wait in the queue
  std::atomic<bool> moving_ = false;
  mutable std::mutex mutex_;  // guards what follows
  std::deque<Command> commands_;
  std::stop_source thinking_;
  std::shared_ptr<const TableSnapshot> now_ = std::make_shared<const TableSnapshot>();
};

}  // namespace rowbot::table
