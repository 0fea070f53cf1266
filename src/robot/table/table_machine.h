// The robot's game as a state machine without hands, eyes or clock: an event goes in, the next
// memory, what to tell the world, and the next action come out. RobotTable carries it out.
//
// Every turn begins with a look at the board, and the look decides what happens next:
//
//   nothing new  human's turn: wait        robot's turn: think, drop, look again
//   a move       it is written into the record (nothing else ever is)
//   a foul       say what is wrong; on when the board is right again
//   unclear      look again; say so when it lasts
//
// The ways from state to state are listed in table_ways(); docs/table.md shows them as a diagram.
//
// Thread safety: plain values and pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "robot/cell/board_reading.h"
#include "robot/cell/hand.h"
#include "robot/table/board_verdict.h"
#include "robot/table/felt_discs.h"
#include "robot/table/table_snapshot.h"

namespace rowbot::table {

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

struct TableRules {
  /// How the eye calls the human's discs.
  cell::CellContent human_discs = cell::CellContent::kFirst;
  bool camera = true;
  bool switches = false;         // feel every disc that falls in
  bool keys = false;             // typed columns are believed
  bool people_move_for = false;  // there is no arm: people put the robot's discs in
  bool realigns = false;         // a moved board can be measured
  double patience_s = 120;       // until what is wrong is mended
  double leave_s = 300;          // until a silent visitor has left
  int tries = 3;                 // of one drop, and of people to mend what keeps it from falling
};

// --- Events ---

/// A new game is wanted. `unfinished` is the one that the journal left open.
struct Begin {
  std::optional<game::GameRecord> unfinished;
};
struct HandReady {
  std::string calibration_due;  // why the arm should be set on its marks; empty: no need
};
struct HandFailed {
  std::string why;
};
/// One look of the camera; nothing on a table without.
struct Looked {
  std::optional<Result<cell::BoardReading>> reading;
};
struct Decided {
  game::Column column;
};
struct Dropped {
  cell::HandReport report;
  std::string calibration_due;
};
struct Realigned {
  Result<void> done;
};
/// A moment has passed in which nothing else happened.
struct TimePassed {};
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

struct Event {
  double now_s = 0;
  std::variant<Begin, HandReady, HandFailed, Looked, Decided, Dropped, Realigned, TimePassed,
               Command>
      what;
};

// --- What comes out ---

/// What the runner does next; its outcome is the next event, after any commands.
enum class Action : std::uint8_t {
  kNone,     // the game has ended
  kPrepare,  // the hand -> HandReady, HandFailed
  kLook,     // -> Looked
  kThink,    // -> Decided
  kDrop,     // a disc into memory.target -> Dropped
  kRealign,  // measure where the board stands -> Realigned
  kWait,     // -> TimePassed
};

struct Tell {
  TableState state = TableState::kPreparing;
  Message message;
  Request request = Request::kNothing;
};
struct BeginGame {};   // the new game is in memory.session
struct ResumeGame {};  // so is the one that goes on
struct RecordMove {
  int ply = 0;
  game::Column column{0};
};
struct EndGame {};         // as memory.session ended; a game that is not over was interrupted
struct HandCalibrated {};  // somebody has set the arm on its marks
using Effect = std::variant<Tell, BeginGame, ResumeGame, RecordMove, EndGame, HandCalibrated>;

/// All that the table knows.
struct TableMemory {
  TableState state = TableState::kOver;
  Request request = Request::kNothing;
  Action action = Action::kNone;
  std::optional<GameEnd> end = GameEnd::kQuit;  // of the last game; empty while one is played

  game::Side human = game::Side::kFirst;
  std::string agent;
  std::uint64_t number = 0;        // of the game; 0 before the first
  std::optional<Session> session;  // none before the board is clear
  std::optional<game::GameRecord> unfinished;

  std::optional<game::Column> target;   // while the arm moves
  std::optional<game::Column> attempt;  // dropped, not yet seen
  double attempt_s = 0;                 // when
  int misses = 0;                       // of this move
  int faults = 0;                       // of this move
  int helps = 0;                        // with this move
  std::string calibration_due;

  double turn_began_s = 0;
  double trouble_began_s = 0;  // of clearing, a foul, a question or a request for help
  std::optional<double> blind_since_s;
  bool mending = false;  // the board showed no legal game and does not yet show one again
  bool stopped = false;  // holds until a resume, also through a restart

  FeltDiscs felt;
  std::optional<game::Column> phantom;  // felt, but not seen by the camera
  std::optional<game::Column> seen;     // by the camera, while the table asks which is right
  bool answered = false;                // while it asks: of two discs, one is the visitor's answer
  std::optional<cell::BoardReading> last_reading;
  std::optional<cell::BoardReading> place_reading;  // with the board where the hand believes it

  TableCounts counts;

  /// Null before the board is clear.
  [[nodiscard]] std::shared_ptr<const Snapshot> game() const {
    return session ? session->snapshot() : nullptr;
  }
  [[nodiscard]] bool robots_turn() const { return session && game()->turn() != human; }
};

struct Transition {
  TableMemory next;
  std::vector<Effect> effects;  // in this order, before next.action
};

/// Commands are taken in every state; an event that does not belong to the action under way is
/// ignored.
[[nodiscard]] Transition step(const TableMemory& now, const Event& event, const TableRules& rules);

/// One row of the table of ways. A state may also stay as it is.
struct Way {
  TableState from;
  TableState to;
  std::string_view when;
};
/// Every way there is, but for those of commands: stop leads to kStopped and restart or quit to
/// kOver from everywhere.
[[nodiscard]] std::span<const Way> table_ways();
/// The ways as a diagram in Mermaid's language.
[[nodiscard]] std::string ways_diagram();

}  // namespace rowbot::table
