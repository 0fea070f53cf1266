// How a game stands: still going, won by a side (and where), or drawn.
// Thread safety: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "game/bits.h"

namespace rowbot::game {

/// The player who moves first, or the other one.
enum class Side : std::uint8_t { kFirst, kSecond };

[[nodiscard]] constexpr Side other(Side side) {
  return side == Side::kFirst ? Side::kSecond : Side::kFirst;
}

enum class GameResult : std::uint8_t { kOngoing, kFirstWins, kSecondWins, kDraw };

[[nodiscard]] constexpr GameResult win_of(Side side) {
  return side == Side::kFirst ? GameResult::kFirstWins : GameResult::kSecondWins;
}

/// "first", "second", "draw" or "ongoing": the words of every JSON and text form.
[[nodiscard]] std::string_view result_text(GameResult result);
[[nodiscard]] std::optional<GameResult> parse_result(std::string_view text);

enum class EndReason : std::uint8_t {
  kOngoing,
  kFourInARow,
  kBoardFull,
  kResigned,     ///< the loser gave up
  kTimedOut,     ///< the loser did not answer in time
  kFailed,       ///< the loser broke down or made an illegal move
  kInterrupted,  ///< ended by nobody's fault, no result
};

/// "four_in_a_row", "resigned", ...: the same codes everywhere.
[[nodiscard]] std::string_view reason_text(EndReason reason);
[[nodiscard]] std::optional<EndReason> parse_reason(std::string_view text);

struct Outcome {
  GameResult result = GameResult::kOngoing;
  Bits winning_squares = 0;  ///< All squares of all lines of four; empty unless somebody won.

  [[nodiscard]] bool finished() const { return result != GameResult::kOngoing; }
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace rowbot::game
