// Matches and played games as lines of text, on their way from one machine to another.
//   number record, as one JSON object
//   games seed openings colours limit_ms a|b|group
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "lab/matches/match_spec.h"

namespace rowbot::cluster {

/// One line without a newline.
[[nodiscard]] std::string game_line(const lab::PlayedGame& game);
/// Refuses what no worker sends: illegal moves, unfinished games, unknown words.
[[nodiscard]] Result<lab::PlayedGame> parse_game_line(std::string_view line);

/// A match to be played; requires agents' texts that check_match() accepts.
[[nodiscard]] std::string match_line(const lab::MatchSpec& spec);
/// Refuses what check_match() refuses.
[[nodiscard]] Result<lab::MatchSpec> parse_match_line(std::string_view line);

}  // namespace rowbot::cluster
