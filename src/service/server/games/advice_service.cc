#include "service/server/games/advice_service.h"

#include <chrono>
#include <utility>

#include "game/position_text.h"
#include "service/server/games/advice.h"
#include "service/server/http/responses.h"

namespace rowbot::server {
namespace {

using Clock = Event::Clock;

constexpr std::size_t kKeptAnalyses = 5'000;
constexpr std::size_t kKeptReviews = 500;
constexpr std::chrono::milliseconds kReviewPatience{1'500};

ApiError all_busy() {
  return {.status = 503,
          .code = "busy",
          .message = "All search threads are busy. Please try again in a moment.",
          .retry_after = 2};
}

ApiError no_room(Room room) {
  return room == Room::kClientFull ? over_budget(std::chrono::seconds(2)) : all_busy();
}

}  // namespace

AdviceService::AdviceService(const GameServiceParts& parts, GameService& games)
    : loop_(parts.loop),
      pool_(parts.pool),
      costs_(parts.costs),
      metrics_(parts.metrics),
      games_(games),
      reviewed_(parts.io) {}

Task<HttpResult<std::string>> AdviceService::solve(const std::string& client,
                                                   const SearchPool::Work<Json>& work) {
  const Room room = pool_.room(Lane::kBackground, client);
  if (room != Room::kFree) co_return no_room(room);
  const auto found = co_await pool_.search(loop_, Lane::kBackground, client, work);
  if (!found || !*found) co_return all_busy();
  co_return **found;
}

Task<HttpResult<std::string>> AdviceService::analysis(const game::Position& position,
                                                      const std::string& moves,
                                                      const std::string& client) {
  const std::string key = moves + '/' + game::state_text(position);
  if (const auto known = analyses_.find(key); known != analyses_.end()) co_return known->second;
  auto error = charge(costs_, metrics_, client, CostKind::kAnalysis);
  if (error) co_return *std::move(error);
  const SearchPool::Work<Json> work = [position, moves](Tools& tools, StopToken stop) -> Json {
    const auto found = analyse(tools.solver(), position, stop);
    if (!found) return std::nullopt;
    return analysis_json(*found, moves);
  };
  auto json = co_await solve(client, work);
  if (json) {
    if (analyses_.size() >= kKeptAnalyses) analyses_.clear();
    analyses_.emplace(key, *json);
  }
  co_return json;
}

Task<HttpResult<std::string>> AdviceService::hint(const std::string& token,
                                                  const std::string& client) {
  const auto game = co_await games_.find(token);
  if (!game) co_return game.error();
  const auto snapshot = (*game)->session.snapshot();
  if (snapshot->over()) {
    co_return ApiError{.status = 409, .code = "game_over", .message = "The game is over."};
  }
  auto error = charge(costs_, metrics_, client, CostKind::kAnalysis);
  if (error) co_return *std::move(error);
  const SearchPool::Work<Json> work = [snapshot](Tools& tools, StopToken stop) -> Json {
    const auto found = server::hint(tools.solver(), snapshot->game.position(), stop);
    if (!found) return std::nullopt;
    return hint_json(*found);
  };
  co_return co_await solve(client, work);
}

Task<HttpResult<std::optional<std::string>>> AdviceService::review(const std::string& token,
                                                                   const std::string& client) {
  const auto game = co_await games_.find(token);
  if (!game) co_return game.error();
  const auto snapshot = (*game)->session.snapshot();
  if (!snapshot->over()) {
    co_return ApiError{
        .status = 409, .code = "game_not_over", .message = "A game is reviewed when it is over."};
  }
  const std::string key = (*game)->head->token;
  if (!reviews_.contains(key)) {
    const Room room = pool_.room(Lane::kBackground, client);
    if (room != Room::kFree) co_return no_room(room);
    auto error = charge(costs_, metrics_, client, CostKind::kReview);
    if (error) co_return *std::move(error);
    spawn(compute_review(snapshot, key, client));
  }
  const auto limit = Clock::now() + kReviewPatience;
  while (true) {
    const auto known = reviews_.find(key);
    if (known == reviews_.end()) co_return all_busy();
    if (known->second || Clock::now() >= limit) co_return known->second;
    co_await reviewed_.wait_until(limit);
  }
}

Task<void> AdviceService::compute_review(Snapshot game, std::string key, std::string client) {
  if (reviews_.size() >= kKeptReviews) {
    std::erase_if(reviews_, [](const auto& entry) { return entry.second.has_value(); });
  }
  Json& result = reviews_[key];  // stays where it is: only finished ones are erased
  const Finally ended([this, &result, &key] {
    if (!result) reviews_.erase(key);
    reviewed_.notify_all();
  });
  const SearchPool::Work<Json> work = [game](Tools& tools, StopToken stop) -> Json {
    const auto found = server::review(tools.solver(), game->game.moves(), game->setup.start.size(),
                                      game->game.result(), stop);
    if (!found) return std::nullopt;
    return review_json(*found);
  };
  auto json = co_await solve(client, work);
  if (json) result = *std::move(json);
}

}  // namespace rowbot::server
