// One game at a table: the only truth about it. Commands go in; each is refused by the referee with
// a verdict, or carried out on the board, looked at, and only then written into the record.
//
//   Session session({.first = human(), .second = agent("forward")}, board);
//   if (session.play({.side = Side::kFirst, .column = Column(3)}) == Verdict::kFine) ...
//
// Thread safety: one thread at a time; a Snapshot may be read by everybody.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "game/column.h"
#include "game/game_record.h"
#include "game/outcome.h"
#include "game/position.h"
#include "robot/table/board.h"
#include "robot/table/referee.h"

namespace rowbot::table {

/// Who sits on one side: a person, or the agent with this text.
struct Seat {
  std::optional<std::string> agent;

  [[nodiscard]] bool human() const { return !agent.has_value(); }
};

struct Setup {
  Seat first;
  Seat second;
  std::vector<game::Column> start;  ///< moves on the board when the game begins; must be legal
  /// Two people on two screens: nobody takes back what the other has answered.
  bool apart = false;
};

/// The game as it stood at one moment; never changes.
struct Snapshot {
  Setup setup;
  std::vector<game::Column> moves;  ///< from the empty board, those of the start included
  game::Position position;
  game::GameResult result = game::GameResult::kOngoing;
  game::EndReason reason = game::EndReason::kOngoing;
  bool helped = false;        ///< a move was taken back
  std::uint64_t version = 0;  ///< grows with every change

  [[nodiscard]] bool over() const { return reason != game::EndReason::kOngoing; }
  [[nodiscard]] const Seat& seat(game::Side side) const {
    return side == game::Side::kFirst ? setup.first : setup.second;
  }
  /// Whose turn it is; nobody's once the game is over.
  [[nodiscard]] std::optional<game::Side> turn() const;
  /// The ply to which a take-back of this side would lead; nothing if there is nothing to undo.
  [[nodiscard]] std::optional<int> undo_ply(game::Side side) const;
};

struct Play {
  game::Side side;
  game::Column column;
  /// Moves the player believes were made; makes a repeated command harmless.
  std::optional<int> ply;
};

/// What a command did, beyond its verdict.
struct Outcome {
  Verdict verdict = Verdict::kFine;
  bool repeated = false;  ///< the very move had been made before; nothing changed
};

class Session {
 public:
  /// Requires legal moves in setup.start.
  Session(Setup setup, std::unique_ptr<Board> board);

  /// A game that was interrupted, from its record: the moves after the start, and how it ended.
  /// Refuses a record that contradicts itself.
  [[nodiscard]] static Result<Session> resume(Setup setup, std::unique_ptr<Board> board,
                                              const std::vector<game::Column>& moves,
                                              game::GameResult result, game::EndReason reason,
                                              bool helped);

  [[nodiscard]] Outcome play(const Play& command);
  /// Takes back to this side's last turn, the answers included.
  [[nodiscard]] Verdict take_back(game::Side side);
  [[nodiscard]] Verdict resign(game::Side side);

  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const { return now_; }

 private:
  void publish(Snapshot next);

  std::unique_ptr<Board> board_;
  std::shared_ptr<const Snapshot> now_;
};

}  // namespace rowbot::table
