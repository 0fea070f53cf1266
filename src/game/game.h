// One game in progress. The only code that decides whether a move is legal, whose turn it is and
// how a game ended; everything that plays, plays on it.
//
//   Game game;
//   if (game.play(Side::kFirst, Column(3)) == Verdict::kFine) ...
//
// Thread safety: a plain value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "game/column.h"
#include "game/outcome.h"
#include "game/position.h"

namespace rowbot::game {

struct GameRecord;

/// What became of a command.
enum class Verdict : std::uint8_t {
  kFine,
  kGameOver,
  kNotYourTurn,
  kColumnFull,
  kStale,  ///< meant for another moment of the game
  kNothingToUndo,
};

/// A short name for programs: "column_full".
[[nodiscard]] std::string_view verdict_code(Verdict verdict);

/// How far a side may take back.
enum class Undo : std::uint8_t {
  kWithAnswers,     ///< to its own last turn, what was answered included
  kUnansweredOnly,  ///< two people on two screens: not what the other one has answered
};

/// 64 bytes without an allocation: training plays hundreds of thousands a second.
class Game {
 public:
  Game() = default;
  /// The moves on the board when the game begins; they are never taken back. Requires legal ones.
  explicit Game(std::span<const Column> start);
  /// The game of a record, as it was left. Refuses illegal moves, and a result and a reason that
  /// fit neither each other nor the board.
  [[nodiscard]] static Result<Game> resume(const GameRecord& record);

  /// From the empty board, those of the start included.
  [[nodiscard]] std::span<const Column> moves() const { return {moves_.data(), count_}; }
  [[nodiscard]] std::size_t start_moves() const { return start_; }
  [[nodiscard]] const Position& position() const { return position_; }
  [[nodiscard]] GameResult result() const { return result_; }
  [[nodiscard]] EndReason reason() const { return reason_; }
  [[nodiscard]] bool over() const { return reason_ != EndReason::kOngoing; }
  [[nodiscard]] bool had_undo() const { return had_undo_; }
  /// Who made the move of this ply, or will make it.
  [[nodiscard]] static Side mover_of(std::size_t ply) {
    return ply % 2 == 0 ? Side::kFirst : Side::kSecond;
  }
  /// Whose turn it is; nobody's once the game is over.
  [[nodiscard]] std::optional<Side> turn() const {
    return over() ? std::nullopt : std::optional(mover_of(count_));
  }

  /// What play() would say, without playing.
  [[nodiscard]] Verdict judge(Column column) const {
    if (over()) return Verdict::kGameOver;
    const Bits open = playable_squares(position_.filled()) & column_mask(column.index());
    return open != 0 ? Verdict::kFine : Verdict::kColumnFull;
  }
  [[nodiscard]] Verdict judge(Side side, Column column) const {
    if (!over() && side != turn()) return Verdict::kNotYourTurn;
    return judge(column);
  }
  /// A move of the side whose turn it is.
  Verdict play(Column column) {
    const Verdict verdict = judge(column);
    if (verdict == Verdict::kFine) {
      moves_[count_++] = column;  // NOLINT(cppcoreguidelines-pro-bounds-constant-array-index)
      position_ = position_.after(column);
      decide_by_board();
    }
    return verdict;
  }
  Verdict play(Side side, Column column) {
    const Verdict verdict = judge(side, column);
    return verdict == Verdict::kFine ? play(column) : verdict;
  }

  /// The ply to which undo() would lead; nothing if there is nothing to undo. A result stands.
  [[nodiscard]] std::optional<std::size_t> undo_ply(Side side,
                                                    Undo undo = Undo::kWithAnswers) const;
  Verdict undo(Side side, Undo undo = Undo::kWithAnswers);
  /// Back to when this many moves had been made, even from the end of the game. Requires
  /// start_moves() <= ply <= moves().size().
  void rewind(std::size_t ply);

  // Ends without the board: each is refused once the game is over.
  Verdict resign(Side loser) { return end(win_of(other(loser)), EndReason::kResigned); }
  Verdict time_out(Side loser) { return end(win_of(other(loser)), EndReason::kTimedOut); }
  Verdict fail(Side loser) { return end(win_of(other(loser)), EndReason::kFailed); }
  Verdict interrupt() { return end(GameResult::kOngoing, EndReason::kInterrupted); }

  /// Without the players' names and times, which the game does not know.
  [[nodiscard]] GameRecord record() const;

  friend bool operator==(const Game&, const Game&) = default;

 private:
  using Moves = std::array<Column, kCells>;

  void decide_by_board() {
    result_ = position_.result();
    reason_ = result_ == GameResult::kOngoing ? EndReason::kOngoing
              : result_ == GameResult::kDraw  ? EndReason::kBoardFull
                                              : EndReason::kFourInARow;
  }
  Verdict end(GameResult result, EndReason reason) {
    if (over()) return Verdict::kGameOver;
    result_ = result;
    reason_ = reason;
    return Verdict::kFine;
  }

  static constexpr Moves no_moves() {
    return []<std::size_t... i>(std::index_sequence<i...>) {
      return Moves{((void)i, Column(0))...};
    }
    (std::make_index_sequence<kCells>());
  }

  Moves moves_ = no_moves();  // column 0 beyond count_, so that equal games compare equal
  std::uint8_t count_ = 0;
  std::uint8_t start_ = 0;
  GameResult result_ = GameResult::kOngoing;
  EndReason reason_ = EndReason::kOngoing;
  bool had_undo_ = false;
  Position position_;
};

}  // namespace rowbot::game
