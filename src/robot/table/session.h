// A game that waits for events: commands come in from a screen or a table, each is judged by
// game::Game, and everybody reads an immutable snapshot of what they led to.
//
//   Session session({.second = {.agent = "forward"}});
//   if (session.play({.side = Side::kFirst, .column = Column(3)}).verdict == Verdict::kFine) ...
//
// Thread safety: one thread at a time; a Snapshot may be read by everybody.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "game/game.h"
#include "game/game_record.h"

namespace rowbot::table {

using game::Verdict;
using game::verdict_code;

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
  bool remote_players = false;
};

/// The game as it stood at one moment; never changes.
struct Snapshot {
  Setup setup;
  game::Game game;
  std::uint64_t version = 0;  ///< grows with every change

  [[nodiscard]] bool over() const { return game.over(); }
  [[nodiscard]] std::optional<game::Side> turn() const { return game.turn(); }
  [[nodiscard]] const Seat& seat(game::Side side) const {
    return side == game::Side::kFirst ? setup.first : setup.second;
  }
  [[nodiscard]] game::Undo undo_rule() const {
    return setup.remote_players ? game::Undo::kUnansweredOnly : game::Undo::kWithAnswers;
  }
  /// The ply to which a take-back of this side would lead; nothing if there is nothing to undo.
  [[nodiscard]] std::optional<int> undo_ply(game::Side side) const {
    const auto ply = game.undo_ply(side, undo_rule());
    return ply ? std::optional(static_cast<int>(*ply)) : std::nullopt;
  }
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
  explicit Session(Setup setup);

  /// A game that was interrupted; its record says what was on the board when it began. Refuses a
  /// record that contradicts itself.
  [[nodiscard]] static Result<Session> resume(Setup setup, const game::GameRecord& record);

  [[nodiscard]] Outcome play(const Play& command);
  /// Takes back to this side's last turn, the answers included.
  [[nodiscard]] Verdict take_back(game::Side side);
  [[nodiscard]] Verdict resign(game::Side side);

  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const { return now_; }

 private:
  Session(Setup setup, const game::Game& game, std::uint64_t version);
  /// Shows the game if the verdict says that it changed.
  Verdict publish(Verdict verdict, const game::Game& game);

  std::shared_ptr<const Snapshot> now_;
};

}  // namespace rowbot::table
