// Everybody against everybody, and one scale of strength for all.
// Thread safety: run_tournament blocks its caller and uses threads of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/matches/elo.h"
#include "lab/matches/match.h"

namespace rowbot::lab {

struct TournamentSpec {
  std::vector<roster::AgentSpec> agents;
  std::uint64_t games = 100;  ///< of each pair
  std::uint64_t seed = 1;
  int opening_plies = 0;
  std::chrono::milliseconds move_limit{60'000};
  std::string group;
};

struct Pairing {
  std::size_t a = 0;  ///< indices into TournamentSpec::agents
  std::size_t b = 0;
  MatchSpec match;
};

/// Each pair once. The match is the one `rowbot match A B` would play, and shares its games.
[[nodiscard]] std::vector<Pairing> pairings(const TournamentSpec& spec);

/// Refuses fewer than two agents, the same agent twice, and what check_match refuses.
[[nodiscard]] Result<void> check_tournament(const TournamentSpec& spec);

struct Standing {
  roster::AgentSpec agent;
  Elo elo;
  WinDrawLoss games;
};

struct TournamentResult {
  std::vector<Standing> standings;  ///< in the order of the agents
  std::vector<Pairing> pairings;
  std::vector<MatchTally> tallies;  ///< one for each pairing
  bool complete = false;
  int given_up_threads = 0;
};

/// Ratings and points from the tallies.
[[nodiscard]] std::vector<Standing> standings_of(const std::vector<roster::AgentSpec>& agents,
                                                 const std::vector<Pairing>& pairings,
                                                 const std::vector<MatchTally>& tallies);

[[nodiscard]] Result<TournamentResult> run_tournament(const TournamentSpec& spec,
                                                      const RunOptions& options);

}  // namespace rowbot::lab
