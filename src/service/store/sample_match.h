// For tests: games of matches, and all that an archive holds as a text.
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fmt/core.h"
#include "game/moves_text.h"
#include "service/store/archive.h"

namespace rowbot::store::sample {

/// A finished game with these moves, won by the first player.
inline game::NumberedGame match_game(std::uint64_t number, std::string_view moves = "4141414") {
  return {.number = number,
          .record = {.first = {.name = "random", .seed = UINT64_MAX - number},
                     .second = {.name = "forward", .thinking = std::chrono::microseconds(20)},
                     .moves = game::parse_played(moves)->moves,
                     .result = game::GameResult::kFirstWins,
                     .reason = game::EndReason::kFourInARow,
                     .note = std::string(number % 50, 'n')}};
}

inline std::vector<game::NumberedGame> games_of(Archive& archive, std::int64_t match,
                                                std::uint64_t below = INT64_MAX) {
  std::vector<game::NumberedGame> games;
  const auto read = archive.each_game(
      {.match = match, .below = below}, [&games](const Result<StoredGame>& game) -> Result<void> {
        if (!game) return game.error();
        games.push_back(
            {.number = static_cast<std::uint64_t>(*game->head.number), .record = game->record});
        return {};
      });
  if (!read) games.push_back({.number = 0, .record = {.note = read.error().message}});
  return games;
}

inline std::string content_of(Archive& archive) {
  const auto matches = archive.matches();
  if (!matches) return matches.error().message;
  std::string all;
  for (const LabMatch& match : *matches) {
    all += match.key + ":";
    for (const auto& [number, record] : games_of(archive, match.id)) {
      all += fmt::format(" {} {}{}", number, game::moves_text(record.moves), record.note);
    }
    all += '\n';
  }
  const auto report = archive.report("rhodes");
  return all + (report ? report->value_or("none") : report.error().message);
}

}  // namespace rowbot::store::sample
