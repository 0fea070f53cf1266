#include "service/server/http/api.h"

#include <utility>

#include "fmt/core.h"
#include "game/bits.h"
#include "game/moves_text.h"
#include "game/position_text.h"
#include "service/server/games/advice.h"
#include "service/server/http/responses.h"
#include "service/server/token.h"

namespace rowbot::server {
namespace {

constexpr std::size_t kKeptAnalyses = 5'000;
constexpr std::size_t kKeptReviews = 500;
constexpr std::chrono::milliseconds kReviewPatience{1'500};
constexpr std::string_view kAnnouncement = "announcement";
constexpr std::size_t kLongestPosition = 100;

ApiError too_many() {
  return {.status = 429,
          .code = "too_many",
          .message = "That was a lot at once. Please wait a moment.",
          .retry_after = 1};
}

ApiError all_busy() {
  return {.status = 503,
          .code = "busy",
          .message = "All search threads are busy. Please try again in a moment.",
          .retry_after = 2};
}

ApiError store_trouble() {
  return {.status = 500, .code = "not_stored", .message = "The database did not answer."};
}

Reply game_reply(Api::Done done, int status) {
  return [done = std::move(done), status](const HttpResult<GameView>& view) {
    if (!view) return done(to_response(view.error()));
    done({.status = status, .body = game_json(*view)});
  };
}

/// The position asked about, and its moves if it was given by moves.
HttpResult<game::Position> position_of(const Route& route) {
  const bool by_moves = route.has("moves");
  const std::string_view text = route.parameter(by_moves ? "moves" : "position");
  if (!by_moves && !route.has("position")) {
    return ApiError{.code = "bad_moves",
                    .message = "Say which position: ?moves=4453 or ?position=0000000."};
  }
  if (text.size() > kLongestPosition) {
    return ApiError{.code = "bad_moves", .message = "This is longer than any game."};
  }
  auto position = by_moves ? game::parse_moves(text) : game::parse_state(text);
  if (!position) return ApiError{.code = "bad_moves", .message = position.error().message};
  return *position;
}

}  // namespace

ApiAnswer to_response(const ApiError& error) {
  return {.status = error.status, .body = refusal_json(error), .retry_after = error.retry_after};
}

ApiAnswer require_operator() {
  return to_response(
      {.status = 401, .code = "operator_only", .message = "Only the operator may do this."});
}

Api::Api(Loop& loop, store::Store& store, SearchPool& pool, GameService& games, TableService& table,
         RateLimiter& clients, Metrics& metrics, const Options& options)
    : loop_(loop),
      store_(store),
      pool_(pool),
      games_(games),
      table_(table),
      clients_(clients),
      metrics_(metrics),
      options_(options),
      laboratory_(options.laboratory) {}

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
      return done({.body = single_json("status", "ok")});
    case Endpoint::kMetrics:
      return done(metrics());
    case Endpoint::kLevels:
      return done({.body = levels_json()});
    case Endpoint::kNewGame: {
      const auto message = parse_new_game(request.body);
      if (!message) return done(to_response(message.error()));
      return games_.create(*message, game_reply(std::move(done), 201));
    }
    case Endpoint::kGame:
      return games_.look(route.token, game_reply(std::move(done), 200));
    case Endpoint::kMove: {
      const auto message = parse_move(request.body);
      if (!message) return done(to_response(message.error()));
      return games_.play(route.token, *message, game_reply(std::move(done), 200));
    }
    case Endpoint::kUndo:
      return games_.undo(route.token, game_reply(std::move(done), 200));
    case Endpoint::kRestart: {
      const auto message = parse_restart(request.body);
      if (!message) return done(to_response(message.error()));
      return games_.restart(route.token, *message, game_reply(std::move(done), 201));
    }
    case Endpoint::kResign:
      return games_.resign(route.token, game_reply(std::move(done), 200));
    case Endpoint::kHint:
      return hint(route.token, std::move(done));
    case Endpoint::kReview:
      return review(route.token, std::move(done));
    case Endpoint::kAnalysis:
      return analysis(route, std::move(done));
    case Endpoint::kLabStart:
      if (!clients_.may_begin_game(request.client, now)) return done(to_response(too_many()));
      return done(laboratory(request));
    case Endpoint::kLabAgents:
    case Endpoint::kLabMatch:
    case Endpoint::kLabStop:
    case Endpoint::kLabExperiments:
      return done(laboratory(request));
    case Endpoint::kStatistics:
      return done(statistics());
    case Endpoint::kSurveyQuestions:
      return done({.body = survey_questions_json()});
    case Endpoint::kSurvey:
      return survey(request.body, std::move(done));
    case Endpoint::kAnnouncement:
      return done(announcement());
    case Endpoint::kSetAnnouncement:
      return set_announcement(request, std::move(done));
    case Endpoint::kTable:
    case Endpoint::kTableScene:
    case Endpoint::kTableCamera:
    case Endpoint::kTableJoin:
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

void Api::solve(std::function<std::optional<std::string>(Tools&, const std::stop_token&)> work,
                std::function<void(const std::string&)> keep, Done done) {
  auto job = [this, work = std::move(work), keep = std::move(keep), done](
                 Tools& tools, const std::stop_token& stop) {
    auto json = work(tools, stop);
    loop_.post([keep, done, json = std::move(json)] {
      if (!json) return done(to_response(all_busy()));
      keep(*json);
      done({.body = *json});
    });
  };
  if (!pool_.submit(Lane::kSolver, std::move(job))) done(to_response(all_busy()));
}

void Api::analysis(const Route& route, Done done) {
  const auto position = position_of(route);
  if (!position) return done(to_response(position.error()));
  const std::string moves(route.parameter("moves"));
  const std::string key = moves + '/' + game::state_text(*position);
  if (const auto known = analyses_.find(key); known != analyses_.end()) {
    return done({.body = known->second});
  }
  solve(
      [position = *position, moves](Tools& tools,
                                    const std::stop_token& stop) -> std::optional<std::string> {
        const auto found = analyse(tools.solver(), position, stop);
        if (!found) return std::nullopt;
        return analysis_json(*found, moves);
      },
      [this, key](const std::string& json) {
        if (analyses_.size() >= kKeptAnalyses) analyses_.clear();
        analyses_.emplace(key, json);
      },
      std::move(done));
}

void Api::hint(const std::string& token, Done done) {
  const auto game = games_.find(token);
  if (!game) return done(to_response(game.error()));
  const auto snapshot = (*game)->session.snapshot();
  if (snapshot->over()) {
    return done(to_response({.status = 409, .code = "game_over", .message = "The game is over."}));
  }
  solve(
      [snapshot](Tools& tools, const std::stop_token& stop) -> std::optional<std::string> {
        const auto found = server::hint(tools.solver(), snapshot->position, stop);
        if (!found) return std::nullopt;
        return hint_json(*found);
      },
      [](const std::string&) {}, std::move(done));
}

void Api::review(const std::string& token, Done done) {
  const auto game = games_.find(token);
  if (!game) return done(to_response(game.error()));
  const auto snapshot = (*game)->session.snapshot();
  if (!snapshot->over()) {
    return done(to_response({.status = 409,
                             .code = "game_not_over",
                             .message = "A game is reviewed when it is over."}));
  }
  const std::string key = (*game)->head->token;
  if (const auto known = reviews_.find(key); known != reviews_.end()) {
    if (!known->second.json.empty()) return done({.body = known->second.json});
  } else {
    if (!pool_.has_room(Lane::kSolver)) return done(to_response(all_busy()));
    if (reviews_.size() >= kKeptReviews) {
      std::erase_if(reviews_, [](const auto& entry) { return !entry.second.json.empty(); });
    }
    reviews_.emplace(key, ReviewEntry{});
    solve(
        [snapshot](Tools& tools, const std::stop_token& stop) -> std::optional<std::string> {
          const auto found = server::review(tools.solver(), snapshot->moves,
                                            snapshot->setup.start.size(), snapshot->result, stop);
          if (!found) return std::nullopt;
          return review_json(*found);
        },
        [](const std::string&) {},
        [this, key](const ApiAnswer& answer) {
          const auto entry = reviews_.find(key);
          if (entry == reviews_.end()) return;
          const auto waiting = std::exchange(entry->second.waiting, {});
          if (answer.status == 200) {
            entry->second.json = answer.body;
          } else {
            reviews_.erase(entry);
          }
          for (const Done& one : waiting) one(answer);
        });
  }
  // Whoever comes first answers: the review, or the clock with "not yet".
  const auto once = std::make_shared<Done>(std::move(done));
  const auto tell = [once](const ApiAnswer& answer) {
    if (const Done told = std::exchange(*once, nullptr)) told(answer);
  };
  const auto entry = reviews_.find(key);
  if (entry == reviews_.end()) return tell(to_response(all_busy()));
  entry->second.waiting.emplace_back(tell);
  loop_.after(kReviewPatience, [tell] {
    tell({.status = 202, .body = single_json("status", "computing"), .retry_after = 1});
  });
}

void Api::survey(const std::string& body, Done done) {
  const auto message = parse_survey(body);
  if (!message) return done(to_response(message.error()));
  std::optional<std::string> token;
  if (message->token) {
    const auto game = games_.find(*message->token);
    if (!game) return done(to_response(game.error()));
    token = (*game)->head->token;
  }
  store_.write(
      {store::AnswerSurvey{.token = token,
                           .feel = message->feel,
                           .age = message->age,
                           .answered = std::chrono::time_point_cast<std::chrono::milliseconds>(
                               std::chrono::system_clock::now())}},
      [this, done = std::move(done)](const Result<void>& result) {
        loop_.post([this, done, stored = result.has_value()] {
          if (!stored) return done(to_response(store_trouble()));
          ++metrics_.surveys;
          done({.status = 201, .body = single_json("status", "thank you")});
        });
      });
}

bool Api::is_operator(const ApiRequest& request) const {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view given = request.authorization;
  return !options_.operator_token.empty() && given.starts_with(kBearer) &&
         same_secret(given.substr(kBearer.size()), options_.operator_token);
}

void Api::set_announcement(const ApiRequest& request, Done done) {
  if (!is_operator(request)) return done(require_operator());
  const auto message = parse_announcement(request.body);
  if (!message) return done(to_response(message.error()));
  store_.write({store::SetNote{.name = std::string(kAnnouncement), .value = message->text}},
               [this, text = message->text, done = std::move(done)](const Result<void>& result) {
                 loop_.post([text, done, stored = result.has_value()] {
                   if (!stored) return done(to_response(store_trouble()));
                   done({.body = announcement_json(text)});
                 });
               });
}

ApiAnswer Api::statistics() {
  const auto statistics = store_.statistics();
  if (!statistics) return to_response(store_trouble());
  return {.body = statistics_json(*statistics)};
}

ApiAnswer Api::announcement() {
  const auto text = store_.note(kAnnouncement);
  if (!text) return to_response(store_trouble());
  return {.body = announcement_json(*text)};
}

ApiAnswer Api::metrics() {
  metrics_.live_games = games_.live_games();
  metrics_.watchers = games_.watchers();
  metrics_.short_waiting = pool_.waiting(Lane::kShort);
  metrics_.long_waiting = pool_.waiting(Lane::kLong);
  metrics_.solver_waiting = pool_.waiting(Lane::kSolver);
  return {.body = metrics_.text(), .type = "text/plain; version=0.0.4"};
}

}  // namespace rowbot::server
