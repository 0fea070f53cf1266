// One game, finished or not, with all that is needed to show it again and to trust it.
// Thread safety: plain values and pure functions.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "game/column.h"
#include "game/outcome.h"
#include "game/position.h"
#include "nlohmann/json_fwd.hpp"

namespace rowbot::game {

/// Of one move; empty where nobody measured it.
using MoveTime = std::optional<std::chrono::microseconds>;

/// The name of every person; all other names are agents' texts.
inline constexpr std::string_view kHuman = "human";

struct PlayerRecord {
  std::string name;  ///< "human", or the agent's text
  std::optional<std::uint64_t> seed;
  MoveTime thinking;  ///< over all moves, where they were not measured one by one

  friend bool operator==(const PlayerRecord&, const PlayerRecord&) = default;
};

/// The one shape of a game in memory, in files, in the database and on the wire.
struct GameRecord {
  PlayerRecord first;
  PlayerRecord second;
  std::vector<Column> moves;
  std::vector<MoveTime> thinking;  ///< one for each move, or none at all
  GameResult result = GameResult::kOngoing;
  EndReason reason = EndReason::kOngoing;
  std::size_t start_moves = 0;  ///< of `moves`, on the board when the game began
  bool had_undo = false;        ///< a move was taken back
  std::string note;             ///< what went wrong, if something did; one line

  friend bool operator==(const GameRecord&, const GameRecord&) = default;
};

/// One game of several: of a match, of a table's log.
struct NumberedGame {
  std::uint64_t number = 0;
  GameRecord record;

  friend bool operator==(const NumberedGame&, const NumberedGame&) = default;
};

/// Sets result and reason from the moves alone; requires legal moves.
void settle_by_rules(GameRecord& record);

/// The final position, if the record agrees with itself: legal moves, one thinking time a move or
/// none, a result and a reason that fit each other and the board, names of one line.
[[nodiscard]] Result<Position> replay(const GameRecord& record);

/// What both sides thought in all: as measured, or as the sum of the moves behind the start; empty
/// when neither is known.
[[nodiscard]] std::array<MoveTime, 2> total_thinking(const GameRecord& record);

/// The thinking times as one line, `-` for an unknown one: "812000 - 640000".
[[nodiscard]] std::string thinking_text(const std::vector<MoveTime>& times);
[[nodiscard]] Result<std::vector<MoveTime>> parse_thinking(std::string_view text);

/// Lines of `key: value`, for people and version control. The parser accepts what the printer
/// writes; it replays the game and refuses one that contradicts itself.
[[nodiscard]] std::string record_text(const GameRecord& record);
[[nodiscard]] Result<GameRecord> parse_record_text(std::string_view text);

/// The same as one JSON object. `result` is first, second, draw or ongoing; `moves` are digits.
[[nodiscard]] nlohmann::ordered_json record_json(const GameRecord& record);
[[nodiscard]] Result<GameRecord> parse_record_json(std::string_view text);

}  // namespace rowbot::game
