#include "service/server/http/api.h"

#include <utility>

#include "service/server/http/responses.h"
#include "service/server/token.h"

namespace rowbot::server {
namespace {

constexpr std::chrono::seconds kFreshStatistics{1};
constexpr std::chrono::seconds kFreshAnnouncement{1};
constexpr std::chrono::seconds kFreshExperiments{5};

ApiError too_many() {
  return {.status = 429,
          .code = "too_many",
          .message = "That was a lot at once. Please wait a moment.",
          .retry_after = 1};
}

ApiError busy_reading() {
  return {.status = 503,
          .code = "busy",
          .message = "Too many requests wait. Please try again in a moment.",
          .retry_after = 1};
}

Reply game_reply(Api::Done done, int status) {
  return [done = std::move(done), status](const HttpResult<GameView>& view) {
    if (!view) return done(to_response(view.error()));
    done({.status = status, .body = game_json(*view)});
  };
}

}  // namespace

ApiAnswer to_response(const ApiError& error) {
  return {.status = error.status, .body = refusal_json(error), .retry_after = error.retry_after};
}

ApiAnswer require_operator() {
  return to_response(
      {.status = 401, .code = "operator_only", .message = "Only the operator may do this."});
}

Api::Api(const ApiParts& parts, const Options& options)
    : loop_(parts.loop),
      store_(parts.store),
      health_(parts.health),
      readers_(parts.readers),
      pool_(parts.pool),
      games_(parts.games),
      table_(parts.table),
      clients_(parts.clients),
      costs_(parts.costs),
      metrics_(parts.metrics),
      options_(options),
      laboratory_(options.laboratory),
      statistics_(parts.readers, kFreshStatistics,
                  [&store = parts.store]() -> Result<std::string> {
                    const auto read = store.statistics();
                    if (!read) return read.error();
                    return statistics_json(*read);
                  }),
      announcement_(parts.readers, kFreshAnnouncement,
                    [&store = parts.store] { return store.note(kAnnouncementNote); }),
      experiments_(parts.readers, kFreshExperiments,
                   [this] { return laboratory_.read_experiments(); }) {}

bool Api::pays(const std::string& client, CostKind kind, const Done& done) {
  const auto wait = costs_.take(client, kind, RequestCosts::Clock::now());
  if (!wait) return true;
  ++metrics_.over_budget;
  done(to_response(over_budget(*wait)));
  return false;
}

void Api::handle(const ApiRequest& request, Done done) {
  const Route& route = request.route;
  const auto now = Bucket::Clock::now();
  if (!clients_.may_request(request.client, now)) return done(to_response(too_many()));
  const bool begins = route.endpoint == Endpoint::kNewGame ||
                      route.endpoint == Endpoint::kRestart ||
                      route.endpoint == Endpoint::kTableJoin;
  if (begins && !clients_.may_begin_game(request.client, now)) return done(to_response(too_many()));
  switch (route.endpoint) {
    case Endpoint::kHealth:
      return health(std::move(done));
    case Endpoint::kMetrics:
      return done(metrics());
    case Endpoint::kLevels:
      return done({.body = levels_json()});
    case Endpoint::kNewGame:
      return new_game(request, std::move(done));
    case Endpoint::kGame:
      return games_.look(route.token, request.client, game_reply(std::move(done), 200));
    case Endpoint::kMove: {
      const auto message = parse_move(request.body);
      if (!message) return done(to_response(message.error()));
      return games_.play(route.token, *message, request.client, game_reply(std::move(done), 200));
    }
    case Endpoint::kUndo:
      return games_.undo(route.token, game_reply(std::move(done), 200));
    case Endpoint::kRestart: {
      const auto message = parse_restart(request.body);
      if (!message) return done(to_response(message.error()));
      return games_.restart(route.token, *message, request.client,
                            game_reply(std::move(done), 201));
    }
    case Endpoint::kResign:
      return games_.resign(route.token, game_reply(std::move(done), 200));
    case Endpoint::kHint:
      return hint(request, std::move(done));
    case Endpoint::kReview:
      return review(request, std::move(done));
    case Endpoint::kAnalysis:
      return analysis(request, std::move(done));
    case Endpoint::kLabStart:
      return lab_match(request, std::move(done));
    case Endpoint::kLabAgents:
    case Endpoint::kLabMatch:
    case Endpoint::kLabStop:
    case Endpoint::kLabExperiments:
      return laboratory(request, std::move(done));
    case Endpoint::kStatistics:
      return statistics(request, std::move(done));
    case Endpoint::kSurveyQuestions:
      return done({.body = survey_questions_json()});
    case Endpoint::kSurvey:
      return survey(request, std::move(done));
    case Endpoint::kAnnouncement:
      return announcement(std::move(done));
    case Endpoint::kSetAnnouncement:
      return set_announcement(request, std::move(done));
    case Endpoint::kTable:
    case Endpoint::kTableScene:
    case Endpoint::kTableCamera:
      return done(table(request));
    case Endpoint::kTableJoin:
      if (!pays(request.client, CostKind::kTableJoin, done)) return;
      return done(table(request));
    case Endpoint::kTablePlay:
    case Endpoint::kTableLeave:
    case Endpoint::kTableStop:
    case Endpoint::kTableResume:
      return done(table(request));
    case Endpoint::kPage:
    case Endpoint::kLive:
    case Endpoint::kTableLive:
      break;
  }
  done(to_response(
      {.status = 426, .code = "websocket_only", .message = "This address speaks WebSocket only."}));
}

void Api::new_game(const ApiRequest& request, Done done) {
  using Message = HttpResult<NewGameMessage>;
  // Agents that a watcher names are made to see whether they can be, which takes a while.
  const bool accepted = readers_.read<Message>(
      [body = request.body]() -> Result<Message> { return parse_new_game(body); },
      [this, client = request.client, done](const Result<Message>& message) {
        if (!message) return done(to_response(busy_reading()));
        if (!*message) return done(to_response(message->error()));
        games_.create(**message, client, game_reply(done, 201));
      });
  if (!accepted) done(to_response(busy_reading()));
}

bool Api::is_operator(const ApiRequest& request) const {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view given = request.authorization;
  return !options_.operator_token.empty() && given.starts_with(kBearer) &&
         same_secret(given.substr(kBearer.size()), options_.operator_token);
}

ApiAnswer Api::metrics() {
  metrics_.live_games = games_.live_games();
  metrics_.watchers = games_.watchers();
  metrics_.short_waiting = pool_.waiting(Lane::kShort);
  metrics_.long_waiting = pool_.waiting(Lane::kLong);
  metrics_.solver_waiting = pool_.waiting(Lane::kSolver);
  metrics_.background_waiting = pool_.waiting(Lane::kBackground);
  return {.body = metrics_.text(), .type = "text/plain; version=0.0.4"};
}

}  // namespace rowbot::server
