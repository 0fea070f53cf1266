#include "lab/matches/result_json.h"

#include <cmath>

#include "lab/matches/elo.h"
#include "lab/matches/interval.h"
#include "nlohmann/json.hpp"

namespace rowbot::lab {
namespace {

/// Six decimals: more than any match can tell.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

}  // namespace

nlohmann::ordered_json match_json(const MatchSpec& spec, const MatchTally& tally,
                                  const std::optional<SprtClaims>& claims) {
  const WinDrawLoss all = tally.all();
  const auto games = static_cast<double>(all.games());
  const Interval interval = wilson(all.points(), games);
  const Elo elo = games > 0 ? elo_of_points(all.points(), games) : Elo{};
  nlohmann::ordered_json json{{"a", spec.a.text()},
                              {"b", spec.b.text()},
                              {"games", all.games()},
                              {"a_wins", all.wins},
                              {"b_wins", all.losses},
                              {"draws", all.draws},
                              {"a_score", rounded(games > 0 ? all.points() / games : 0.5)},
                              {"a_score_low", rounded(interval.low)},
                              {"a_score_high", rounded(interval.high)},
                              {"elo", rounded(elo.value)},
                              {"elo_error", rounded(elo.error)}};
  if (claims) {
    const SprtVerdict verdict = sprt_verdict(tally.pairs, *claims);
    json["sprt"] = {{"elo0", claims->elo0},
                    {"elo1", claims->elo1},
                    {"pairs", tally.pairs},
                    {"llr", rounded(log_likelihood_ratio(tally.pairs, claims->elo0, claims->elo1))},
                    {"lower", rounded(claims->lower_bound())},
                    {"upper", rounded(claims->upper_bound())},
                    {"accepted", verdict == SprtVerdict::kAcceptH1   ? "H1"
                                 : verdict == SprtVerdict::kAcceptH0 ? "H0"
                                                                     : "none"}};
  }
  return json;
}

nlohmann::ordered_json tournament_json(const TournamentSpec& spec, const TournamentResult& result) {
  auto agents = nlohmann::ordered_json::array();
  for (const Standing& standing : result.standings) {
    const auto games = static_cast<double>(standing.games.games());
    agents.push_back({{"agent", standing.agent.text()},
                      {"elo", rounded(standing.elo.value)},
                      {"elo_error", rounded(standing.elo.error)},
                      {"games", standing.games.games()},
                      {"wins", standing.games.wins},
                      {"draws", standing.games.draws},
                      {"losses", standing.games.losses},
                      {"score", rounded(games > 0 ? standing.games.points() / games : 0.5)}});
  }
  auto matches = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < result.tallies.size(); ++i) {
    matches.push_back(match_json(result.pairings[i].match, result.tallies[i], std::nullopt));
  }
  return {{"games_per_pair", spec.games},
          {"seed", spec.seed},
          {"agents", std::move(agents)},
          {"matches", std::move(matches)}};
}

nlohmann::ordered_json quality_json(const MoveQuality& quality) {
  const Interval kept =
      wilson(static_cast<double>(quality.kept), static_cast<double>(quality.moves));
  nlohmann::ordered_json json{{"games", quality.games},
                              {"moves", quality.moves},
                              {"value_kept", rounded(quality.share_kept())},
                              {"value_kept_low", rounded(kept.low)},
                              {"value_kept_high", rounded(kept.high)},
                              {"mean_score_lost", rounded(quality.mean_score_lost())},
                              {"faultless_games", quality.faultless_games()},
                              {"first_mistake_by_ply", nlohmann::ordered_json::object()}};
  for (std::size_t ply = 0; ply < quality.first_mistake.size(); ++ply) {
    const std::uint64_t games = quality.first_mistake.at(ply);
    if (games > 0) json["first_mistake_by_ply"][std::to_string(ply + 1)] = games;
  }
  return json;
}

}  // namespace rowbot::lab
