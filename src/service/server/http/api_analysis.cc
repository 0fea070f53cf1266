// The API's part that asks the solver: analysis, hints, reviews.
#include <new>
#include <utility>

#include "game/moves_text.h"
#include "game/position_text.h"
#include "service/server/games/advice.h"
#include "service/server/http/api.h"
#include "service/server/http/responses.h"

namespace rowbot::server {
namespace {

constexpr std::size_t kKeptAnalyses = 5'000;
constexpr std::size_t kKeptReviews = 500;
constexpr std::chrono::milliseconds kReviewPatience{1'500};
constexpr std::size_t kLongestPosition = 100;

ApiError all_busy() {
  return {.status = 503,
          .code = "busy",
          .message = "All search threads are busy. Please try again in a moment.",
          .retry_after = 2};
}

ApiError no_room(Room room) {
  return room == Room::kClientFull ? over_budget(std::chrono::seconds(2)) : all_busy();
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

void Api::solve(const std::string& client,
                std::function<std::optional<std::string>(Tools&, const std::stop_token&)> work,
                std::function<void(const std::string&)> keep, Done done) {
  auto job = [this, work = std::move(work), keep = std::move(keep), done](
                 Tools& tools, const std::stop_token& stop) {
    std::optional<std::string> json;
    try {
      json = work(tools, stop);
    } catch (const std::bad_alloc&) {
      tools = {};  // the next search may fit when all that was kept is gone
    }
    loop_.post([keep, done, json = std::move(json)] {
      if (!json) return done(to_response(all_busy()));
      keep(*json);
      done({.body = *json});
    });
  };
  const Room room = pool_.submit(Lane::kBackground, client, std::move(job));
  if (room != Room::kFree) done(to_response(no_room(room)));
}

void Api::analysis(const ApiRequest& request, Done done) {
  const Route& route = request.route;
  const auto position = position_of(route);
  if (!position) return done(to_response(position.error()));
  const std::string moves(route.parameter("moves"));
  const std::string key = moves + '/' + game::state_text(*position);
  if (const auto known = analyses_.find(key); known != analyses_.end()) {
    return done({.body = known->second});
  }
  if (!pays(request.client, CostKind::kAnalysis, done)) return;
  solve(
      request.client,
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

void Api::hint(const ApiRequest& request, Done done) {
  games_.find(request.route.token, [this, client = request.client, done = std::move(done)](
                                       const HttpResult<GameService::Game>& game) {
    if (!game) return done(to_response(game.error()));
    const auto snapshot = (*game)->session.snapshot();
    if (snapshot->over()) {
      return done(
          to_response({.status = 409, .code = "game_over", .message = "The game is over."}));
    }
    if (!pays(client, CostKind::kAnalysis, done)) return;
    solve(
        client,
        [snapshot](Tools& tools, const std::stop_token& stop) -> std::optional<std::string> {
          const auto found = server::hint(tools.solver(), snapshot->position, stop);
          if (!found) return std::nullopt;
          return hint_json(*found);
        },
        [](const std::string&) {}, done);
  });
}

void Api::review(const ApiRequest& request, Done done) {
  games_.find(request.route.token, [this, client = request.client, done = std::move(done)](
                                       const HttpResult<GameService::Game>& game) {
    if (!game) return done(to_response(game.error()));
    review_game(*game, client, done);
  });
}

void Api::review_game(const GameService::Game& game, const std::string& client, Done done) {
  const auto snapshot = game->session.snapshot();
  if (!snapshot->over()) {
    return done(to_response({.status = 409,
                             .code = "game_not_over",
                             .message = "A game is reviewed when it is over."}));
  }
  const std::string key = game->head->token;
  if (const auto known = reviews_.find(key); known == reviews_.end()) {
    const Room room = pool_.room(Lane::kBackground, client);
    if (room != Room::kFree) return done(to_response(no_room(room)));
    if (!pays(client, CostKind::kReview, done)) return;
    start_review(key, snapshot, client);
  } else if (!known->second.json.empty()) {
    return done({.body = known->second.json});
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

void Api::start_review(const std::string& key, const std::shared_ptr<const table::Snapshot>& game,
                       const std::string& client) {
  if (reviews_.size() >= kKeptReviews) {
    std::erase_if(reviews_, [](const auto& entry) { return !entry.second.json.empty(); });
  }
  reviews_.emplace(key, ReviewEntry{});
  solve(
      client,
      [game](Tools& tools, const std::stop_token& stop) -> std::optional<std::string> {
        const auto found = server::review(tools.solver(), game->moves, game->setup.start.size(),
                                          game->result, stop);
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

}  // namespace rowbot::server
