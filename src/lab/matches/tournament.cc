#include "lab/matches/tournament.h"

#include <algorithm>

#include "base/text.h"
#include "fmt/core.h"

namespace rowbot::lab {

std::vector<Pairing> pairings(const TournamentSpec& spec) {
  std::vector<Pairing> pairs;
  for (std::size_t a = 0; a < spec.agents.size(); ++a) {
    for (std::size_t b = a + 1; b < spec.agents.size(); ++b) {
      pairs.push_back({.a = a,
                       .b = b,
                       .match = {.a = spec.agents[a],
                                 .b = spec.agents[b],
                                 .games = spec.games,
                                 .seed = spec.seed,
                                 .opening_plies = spec.opening_plies,
                                 .move_limit = spec.move_limit,
                                 .group = spec.group}});
    }
  }
  return pairs;
}

Result<void> check_tournament(const TournamentSpec& spec) {
  if (spec.agents.size() < 2) return Error{"a tournament needs two agents or more"};
  for (auto agent = spec.agents.begin(); agent != spec.agents.end(); ++agent) {
    if (std::find(spec.agents.begin(), agent, *agent) != agent) {
      return Error{fmt::format("{} stands there twice", in_quotes(agent->text()))};
    }
  }
  for (const Pairing& pairing : pairings(spec)) {
    if (auto checked = check_match(pairing.match); !checked) return checked.error();
  }
  return {};
}

std::vector<Standing> standings_of(const std::vector<roster::AgentSpec>& agents,
                                   const std::vector<Pairing>& pairings,
                                   const std::vector<MatchTally>& tallies) {
  std::vector<Standing> standings;
  for (const roster::AgentSpec& agent : agents) standings.push_back({.agent = agent});
  std::vector<Encounter> encounters;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    const WinDrawLoss all = tallies[i].all();
    standings[pairings[i].a].games += all;
    standings[pairings[i].b].games +=
        WinDrawLoss{.wins = all.losses, .draws = all.draws, .losses = all.wins};
    encounters.push_back({.a = pairings[i].a,
                          .b = pairings[i].b,
                          .a_points = all.points(),
                          .games = static_cast<double>(all.games())});
  }
  const std::vector<Elo> ratings = joint_ratings(agents.size(), encounters);
  for (std::size_t i = 0; i < agents.size(); ++i) standings[i].elo = ratings[i];
  return standings;
}

Result<TournamentResult> run_tournament(const TournamentSpec& spec, const RunOptions& options) {
  if (auto checked = check_tournament(spec); !checked) return checked.error();
  TournamentResult result{.pairings = pairings(spec), .complete = true};
  for (std::size_t i = 0; i < result.pairings.size(); ++i) {
    RunOptions one = options;
    if (options.progress) {
      // Progress over all matches, not over the one at hand.
      one.progress = [&options, &spec, i, n = result.pairings.size()](MatchProgress progress) {
        progress.known += i * spec.games;
        progress.games = n * spec.games;
        options.progress(progress);
      };
    }
    auto match = run_match(result.pairings[i].match, one);
    if (!match) return match.error();
    result.tallies.push_back(match->tally);
    result.given_up_threads += match->given_up_threads;
    if (!match->complete) {
      result.complete = false;
      break;
    }
  }
  result.standings = standings_of(spec.agents, result.pairings, result.tallies);
  return result;
}

}  // namespace rowbot::lab
