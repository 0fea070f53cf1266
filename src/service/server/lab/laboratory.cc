#include "service/server/lab/laboratory.h"

#include <utility>

#include "game/moves_text.h"
#include "lab/matches/match_spec.h"
#include "lab/matches/result_json.h"
#include "nlohmann/json.hpp"
#include "service/server/lab/lab_agents.h"

namespace rowbot::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMatchRetrySeconds = 15;

std::string lab_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ApiError no_such_match() {
  return {.status = 404,
          .code = "no_such_match",
          .message = "There is no such match. Those that are over are forgotten after a while."};
}

std::string_view lab_state_text(LabState state) {
  switch (state) {
    case LabState::kWaiting:
      return "waiting";
    case LabState::kPlaying:
      return "playing";
    case LabState::kFinished:
      return "finished";
    case LabState::kStopped:
      return "stopped";
    case LabState::kOutOfTime:
      return "out_of_time";
    case LabState::kFailed:
      return "failed";
  }
  return "failed";
}

std::string_view lab_winner_text(const lab::PlayedGame& game, const lab::MatchSpec& spec) {
  switch (lab::half_points_of_a(game, spec)) {
    case 0:
      return "b";
    case 1:
      return "draw";
    default:
      return "a";
  }
}

Json lab_game_json(const lab::PlayedGame& game, const lab::MatchSpec& spec) {
  const bool a_first = lab::side_of(lab::Role::kA, spec, game.number) == game::Side::kFirst;
  return {{"number", game.number + 1},
          {"moves", game::moves_text(game.record.moves)},
          {"first", a_first ? "a" : "b"},
          {"winner", lab_winner_text(game, spec)},
          {"note", game.record.note}};
}

Json lab_match_json(const LabMatchView& match) {
  const lab::MatchSpec& spec = match.spec;
  return {{"match", match.id},
          {"state", lab_state_text(match.state)},
          {"ahead", match.ahead},
          {"games", spec.games},
          {"seed", spec.seed},
          {"openings", spec.opening_plies},
          {"milliseconds", match.elapsed.count()},
          {"result", lab::match_json(spec, match.tally, std::nullopt)},
          {"last", match.last ? lab_game_json(*match.last, spec) : Json(nullptr)},
          {"problem", match.problem.empty() ? Json(nullptr) : Json(match.problem)}};
}

HttpResult<std::string> json_of(const std::optional<LabMatchView>& match) {
  if (!match) return no_such_match();
  return lab_text(lab_match_json(*match));
}

}  // namespace

std::string Laboratory::agents() {
  Json agents = Json::array();
  for (const LabAgent& agent : lab_agents()) {
    agents.push_back({{"text", agent.text}, {"title", agent.title}, {"help", agent.help}});
  }
  return lab_text({{"agents", std::move(agents)}});
}

HttpResult<std::string> Laboratory::start(std::string_view body, const std::string& client) {
  const auto message = parse_lab_match(body);
  if (!message) return message.error();
  return start(*message, client);
}

HttpResult<std::string> Laboratory::start(const LabMatchMessage& message,
                                          const std::string& client) {
  if (runner_.open_matches(client) >= per_client_) {
    return ApiError{.status = 429,
                    .code = "too_many",
                    .message = "Your other matches come first. Wait for their end, or stop one.",
                    .retry_after = kMatchRetrySeconds};
  }
  const auto match = runner_.start({.a = message.a,
                                    .b = message.b,
                                    .games = message.games,
                                    .seed = message.seed,
                                    .opening_plies = message.openings},
                                   client);
  if (!match) {
    return ApiError{.status = 503,
                    .code = "busy",
                    .message = "The laboratory is full. Please try again in a moment.",
                    .retry_after = kMatchRetrySeconds};
  }
  return lab_text(lab_match_json(*match));
}

HttpResult<std::string> Laboratory::get(const std::string& id) const {
  return json_of(runner_.get(id));
}

HttpResult<std::string> Laboratory::stop(const std::string& id) {
  return json_of(runner_.stop(id));
}

Result<std::string> Laboratory::read_experiments() {
  return reports_.json(ExperimentReports::Clock::now());
}

}  // namespace rowbot::server
