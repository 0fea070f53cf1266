// The route table, and the short way from each row to the service that answers it.
#include <array>
#include <utility>

#include "fmt/core.h"
#include "game/moves_text.h"
#include "game/position_text.h"
#include "service/server/http/api_request.h"
#include "service/server/http/messages.h"
#include "service/server/http/responses.h"
#include "service/server/http/route.h"
#include "service/server/server_context.h"
#include "service/server/token.h"

namespace rowbot::server {
namespace {

constexpr std::size_t kLongestPosition = 100;

using Answer = Task<ApiAnswer>;

// ----------------------------------------------------------------------------------- bodies

/// Reads the body before the handler; 400 when it is not what it should be.
template <auto kParse, auto kHandle>
Answer with_body(ServerContext& context, const ApiRequest& request) {
  const auto message = kParse(request.body);
  if (!message) co_return to_response(message.error());
  co_return co_await kHandle(context, request, *message);
}

/// The same off the network's thread: agents are made to see whether they can be, which takes a
/// while.
template <auto kParse, auto kHandle>
Answer with_agents(ServerContext& context, const ApiRequest& request) {
  using Message = decltype(kParse(""));
  const std::function<Result<Message>()> parse = [&request]() -> Result<Message> {
    return kParse(request.body);
  };
  const auto message = co_await context.readers->read<Message>(parse);
  if (!message) {
    co_return to_response({.status = 503,
                           .code = "busy",
                           .message = "Too many requests wait. Please try again in a moment.",
                           .retry_after = 1});
  }
  if (!*message) co_return to_response(message->error());
  co_return co_await kHandle(context, request, **message);
}

ApiAnswer shown(const HttpResult<std::string>& json, int status = 200) {
  if (!json) return to_response(json.error());
  return {.status = status, .body = *json};
}

ApiAnswer shown(const HttpResult<GameView>& view, int status = 200) {
  if (!view) return to_response(view.error());
  return {.status = status, .body = game_json(*view)};
}

// ------------------------------------------------------------------------------------ games

Answer levels(ServerContext& /*context*/, const ApiRequest& /*request*/) {
  co_return ApiAnswer{.body = levels_json()};
}

Answer new_game(ServerContext& context, const ApiRequest& request, const NewGameMessage& message) {
  const auto view = co_await context.games.create(message, request.client);
  co_return shown(view, 201);
}

Answer get_game(ServerContext& context, const ApiRequest& request) {
  const auto view = co_await context.games.get(request.route.token, request.client);
  co_return shown(view);
}

Answer play(ServerContext& context, const ApiRequest& request, const MoveMessage& message) {
  const auto view = co_await context.games.play(request.route.token, message, request.client);
  co_return shown(view);
}

Answer undo(ServerContext& context, const ApiRequest& request) {
  const auto view = co_await context.games.undo(request.route.token);
  co_return shown(view);
}

Answer restart(ServerContext& context, const ApiRequest& request, const RestartMessage& message) {
  const auto view = co_await context.games.restart(request.route.token, message, request.client);
  co_return shown(view, 201);
}

Answer resign(ServerContext& context, const ApiRequest& request) {
  const auto view = co_await context.games.resign(request.route.token);
  co_return shown(view);
}

// ----------------------------------------------------------------------------------- advice

/// The position asked about.
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

Answer analysis(ServerContext& context, const ApiRequest& request) {
  const auto position = position_of(request.route);
  if (!position) co_return to_response(position.error());
  const std::string moves(request.route.parameter("moves"));
  const auto json = co_await context.advice.analysis(*position, moves, request.client);
  co_return shown(json);
}

Answer hint(ServerContext& context, const ApiRequest& request) {
  const auto json = co_await context.advice.hint(request.route.token, request.client);
  co_return shown(json);
}

Answer review(ServerContext& context, const ApiRequest& request) {
  const auto json = co_await context.advice.review(request.route.token, request.client);
  if (!json) co_return to_response(json.error());
  if (*json) co_return ApiAnswer{.body = **json};
  co_return ApiAnswer{.status = 202, .body = single_json("status", "computing"), .retry_after = 1};
}

// ------------------------------------------------------------------------------- laboratory

Answer lab_agents(ServerContext& /*context*/, const ApiRequest& /*request*/) {
  co_return ApiAnswer{.body = Laboratory::agents()};
}

Answer start_match(ServerContext& context, const ApiRequest& request,
                   const LabMatchMessage& message) {
  co_return shown(context.laboratory.start(message, request.client), 202);
}

Answer get_match(ServerContext& context, const ApiRequest& request) {
  co_return shown(context.laboratory.get(request.route.token));
}

Answer stop_match(ServerContext& context, const ApiRequest& request) {
  co_return shown(context.laboratory.stop(request.route.token));
}

Answer experiments(ServerContext& context, const ApiRequest& /*request*/) {
  const auto json = co_await context.public_data.experiments();
  co_return shown(json);
}

// -------------------------------------------------------------------- the public's and ours

Answer statistics(ServerContext& context, const ApiRequest& /*request*/) {
  const auto json = co_await context.public_data.statistics();
  co_return shown(json);
}

Answer survey_questions(ServerContext& /*context*/, const ApiRequest& /*request*/) {
  co_return ApiAnswer{.body = survey_questions_json()};
}

Answer survey(ServerContext& context, const ApiRequest& request, const SurveyMessage& message) {
  const auto json = co_await context.public_data.answer_survey(message, request.client);
  co_return shown(json, 201);
}

Answer announcement(ServerContext& context, const ApiRequest& /*request*/) {
  const auto json = co_await context.public_data.announcement();
  co_return shown(json);
}

Answer set_announcement(ServerContext& context, const ApiRequest& /*request*/,
                        const AnnouncementMessage& message) {
  const auto json = co_await context.public_data.set_announcement(message);
  co_return shown(json);
}

Answer health(ServerContext& context, const ApiRequest& /*request*/) {
  const std::string trouble = co_await context.health.check();
  if (trouble.empty()) co_return ApiAnswer{.body = single_json("status", "ok")};
  co_return to_response({.status = 503,
                         .code = "store_not_writable",
                         .message = fmt::format("Nothing can be stored: {}", trouble),
                         .retry_after = 5});
}

Answer metrics(ServerContext& context, const ApiRequest& /*request*/) {
  Metrics& metrics = context.metrics;
  metrics.connections = context.connections.size();
  metrics.live_games = context.games.live_games();
  metrics.watchers = context.games.watchers();
  metrics.short_waiting = context.pool->waiting(Lane::kShort);
  metrics.long_waiting = context.pool->waiting(Lane::kLong);
  metrics.solver_waiting = context.pool->waiting(Lane::kSolver);
  metrics.background_waiting = context.pool->waiting(Lane::kBackground);
  co_return ApiAnswer{.body = metrics.text(), .type = "text/plain; version=0.0.4"};
}

// ------------------------------------------------------------------------------------ table

Answer get_table(ServerContext& context, const ApiRequest& request) {
  co_return shown(context.table.look(request.route.parameter("token")));
}

Answer table_scene(ServerContext& context, const ApiRequest& request) {
  ApiAnswer answer = shown(context.table.scene());
  // Whoever asks by its name may keep it: another scene has another name.
  answer.lasting = answer.status == 200 && request.route.has("name");
  co_return answer;
}

Answer table_camera(ServerContext& context, const ApiRequest& /*request*/) {
  ApiAnswer answer = shown(context.table.camera());
  if (answer.status == 200) answer.type = "image/jpeg";
  co_return answer;
}

Answer join_table(ServerContext& context, const ApiRequest& request) {
  co_return shown(context.table.join(request.client), 201);
}

Answer play_table(ServerContext& context, const ApiRequest& /*request*/,
                  const TableMoveMessage& message) {
  co_return shown(context.table.play(message.token, message.move.column, message.move.ply));
}

Answer leave_table(ServerContext& context, const ApiRequest& /*request*/,
                   const std::string& token) {
  co_return shown(context.table.leave(token));
}

Answer stop_table(ServerContext& context, const ApiRequest& /*request*/) {
  co_return shown(context.table.stop());
}

Answer resume_table(ServerContext& context, const ApiRequest& /*request*/) {
  co_return shown(context.table.resume());
}

// ------------------------------------------------------------------------------------- rows

constexpr Caller kAnyone = Caller::kAnyone;
constexpr Caller kHolder = Caller::kTokenHolder;
constexpr Caller kOperator = Caller::kOperator;

// clang-format off
constexpr auto kRoutes = std::to_array<RouteRow>({
    {"GET", "/healthz", kAnyone, health},
    {"GET", "/metrics", kAnyone, metrics},
    {"GET", "/api/v1/levels", kAnyone, levels},
    {"POST", "/api/v1/games", kAnyone, with_agents<parse_new_game, new_game>, {}, true},
    {"GET", "/api/v1/games/{token}", kHolder, get_game},
    {"POST", "/api/v1/games/{token}/moves", kHolder, with_body<parse_move, play>},
    {"POST", "/api/v1/games/{token}/undo", kHolder, undo},
    {"POST", "/api/v1/games/{token}/restart", kHolder, with_body<parse_restart, restart>, {}, true},
    {"POST", "/api/v1/games/{token}/resign", kHolder, resign},
    {"GET", "/api/v1/games/{token}/hint", kHolder, hint},
    {"GET", "/api/v1/games/{token}/review", kHolder, review},
    {"GET", "/api/v1/games/{token}/live", kHolder, nullptr, CostKind::kLive},
    {"GET", "/api/v1/analysis", kAnyone, analysis},
    {"GET", "/api/v1/lab/agents", kAnyone, lab_agents},
    {"POST", "/api/v1/lab/matches", kAnyone, with_agents<parse_lab_match, start_match>, CostKind::kLabMatch},
    {"GET", "/api/v1/lab/matches/{token}", kHolder, get_match},
    {"DELETE", "/api/v1/lab/matches/{token}", kHolder, stop_match},
    {"GET", "/api/v1/lab/experiments", kAnyone, experiments},
    {"GET", "/api/v1/statistics", kAnyone, statistics, CostKind::kStatistics},
    {"GET", "/api/v1/survey", kAnyone, survey_questions},
    {"POST", "/api/v1/survey", kAnyone, with_body<parse_survey, survey>},
    {"GET", "/api/v1/announcement", kAnyone, announcement},
    {"POST", "/api/v1/operator/announcement", kOperator, with_body<parse_announcement, set_announcement>},
    {"GET", "/api/v1/table", kAnyone, get_table},
    {"GET", "/api/v1/table/scene", kAnyone, table_scene},
    {"GET", "/api/v1/table/camera", kAnyone, table_camera},
    {"GET", "/api/v1/table/live", kAnyone, nullptr, CostKind::kLive},
    {"POST", "/api/v1/table/join", kAnyone, join_table, CostKind::kTableJoin, true},
    {"POST", "/api/v1/table/play", kAnyone, with_body<parse_table_move, play_table>},
    {"POST", "/api/v1/table/leave", kAnyone, with_body<parse_ticket, leave_table>},
    {"POST", "/api/v1/table/stop", kOperator, stop_table},
    {"POST", "/api/v1/table/resume", kOperator, resume_table},
});
// clang-format on

bool is_operator(const ServerContext& context, const ApiRequest& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view given = request.authorization;
  return !context.options.operator_token.empty() && given.starts_with(kBearer) &&
         same_secret(given.substr(kBearer.size()), context.options.operator_token);
}

/// Why the request is not passed on to its handler.
std::optional<ApiError> check_request(ServerContext& context, const ApiRequest& request) {
  const RouteRow& row = *request.route.row;
  const auto now = Bucket::Clock::now();
  if (!context.clients.may_request(request.client, now) ||
      (row.begins_game && !context.clients.may_begin_game(request.client, now))) {
    return over_budget(std::chrono::seconds(1));
  }
  if (row.caller == Caller::kOperator && !is_operator(context, request)) {
    return ApiError{
        .status = 401, .code = "operator_only", .message = "Only the operator may do this."};
  }
  if (row.handler == nullptr) {
    return ApiError{
        .status = 426, .code = "websocket_only", .message = "This address speaks WebSocket only."};
  }
  if (!row.cost) return std::nullopt;
  return charge(context.costs, context.metrics, request.client, *row.cost);
}

}  // namespace

std::span<const RouteRow> routes() { return kRoutes; }

ApiAnswer to_response(const ApiError& error) {
  return {.status = error.status, .body = refusal_json(error), .retry_after = error.retry_after};
}

Task<ApiAnswer> answer_request(ServerContext& context, const ApiRequest& request) {
  if (const auto error = check_request(context, request)) co_return to_response(*error);
  co_return co_await request.route.row->handler(context, request);
}

}  // namespace rowbot::server
