// Results as JSON for programs. Nothing in it depends on the clock, the threads or the order in
// which games ended, so two runs of a repeatable match can be compared byte for byte.
// Thread safety: pure functions.
#pragma once

#include <optional>

#include "lab/matches/match.h"
#include "lab/matches/move_quality.h"
#include "lab/matches/tournament.h"
#include "nlohmann/json_fwd.hpp"

namespace rowbot::lab {

/// Points of A with Wilson's interval, Elo with its error, and the state of a sequential test.
[[nodiscard]] nlohmann::ordered_json match_json(const MatchSpec& spec, const MatchTally& tally,
                                                const std::optional<SprtClaims>& claims);

[[nodiscard]] nlohmann::ordered_json tournament_json(const TournamentSpec& spec,
                                                     const TournamentResult& result);

[[nodiscard]] nlohmann::ordered_json quality_json(const MoveQuality& quality);

}  // namespace rowbot::lab
