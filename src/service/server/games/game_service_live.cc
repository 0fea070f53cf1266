// GameService's way to the store and back: what changed is written, and those who wait are told.
#include <algorithm>
#include <iterator>
#include <utility>

#include "service/server/games/game_service.h"
#include "service/server/wall_clock.h"

namespace rowbot::server {
namespace {

ApiError store_failed() {
  return {.status = 500,
          .code = "not_stored",
          .message = "This could not be saved, so it was not done. Please try again.",
          .retry_after = 1};
}

}  // namespace

std::optional<store::Change> GameService::ending(const LiveGame& game) const {
  const auto snapshot = game.session.snapshot();
  if (!snapshot->over()) return std::nullopt;
  ++metrics_.results;
  store::EndGame end{.token = game.head->token,
                     .result = snapshot->result,
                     .reason = snapshot->reason,
                     .ended = time_of_day()};
  // Only whole games without help say something about people and levels.
  if (game.head->level && !snapshot->helped && snapshot->setup.start.empty()) {
    end.level = game.head->level;
    const game::Side human =
        snapshot->setup.first.human() ? game::Side::kFirst : game::Side::kSecond;
    end.winner = snapshot->result == game::GameResult::kDraw ? "draw"
                 : snapshot->result == game::win_of(human)   ? "human"
                                                             : "agent";
  }
  return end;
}

bool GameService::deferred(const Game& game, const Reply& reply, std::function<void()> command) {
  if (game->stored()) return false;
  // What is stored must follow from what was stored before: were the earlier change refused, this
  // one would stand without its predecessor.
  game->deferred.push_back({.command = std::move(command), .reply = reply});
  return true;
}

void GameService::changed(const Game& game, std::vector<store::Change> changes) {
  ++game->written;
  game->turn_since = LiveGame::Clock::now();
  game->version = std::max(game->version + 1,
                           static_cast<std::uint64_t>(time_of_day().time_since_epoch().count()));
  // All made here, so that a thread of the store that is short of memory can still report.
  const auto outcome = std::make_shared<std::optional<Result<void>>>();
  std::function<void()> report = [this, game, outcome] { written(game, **outcome); };
  store_.write(std::move(changes),
               [this, outcome, report = std::move(report)](Result<void> result) mutable {
                 outcome->emplace(std::move(result));
                 loop_.post(std::move(report));
               });
}

void GameService::written(const Game& game, const Result<void>& result) {
  ++game->durable;
  health_.on_written(result);
  if (!result) return forget(game);
  wake(game);
  settle(game);
  for (LiveGame::Deferred& next : std::exchange(game->deferred, {})) next.command();
}

/// The store knows what is true, and the next request reads it there.
void GameService::forget(const Game& game) {
  game->broken = true;
  ++game->generation;
  game->thinking = false;
  if (game->head->guest) guests_.erase(*game->head->guest);
  if (const auto found = games_.find(game->head->token);
      found != games_.end() && found->second == game) {
    games_.erase(found);
    ++forgotten_;
  }
  watchers_ -= std::min(watchers_, game->watchers.size());
  for (const auto& [number, watcher] : std::exchange(game->watchers, {})) {
    if (watcher.closed) watcher.closed();
  }
  for (LiveGame::Waiter& waiter : std::exchange(game->waiters, {})) waiter.reply(store_failed());
  for (LiveGame::Deferred& next : std::exchange(game->deferred, {})) next.reply(store_failed());
}

void GameService::wait(const Game& game, std::string_view token, bool for_thought, bool tell_guest,
                       Reply reply) {
  if (game->broken) return reply(store_failed());
  const std::uint64_t id = next_number_++;
  const bool tell = tell_guest && game->head->guest.has_value();
  const bool ready = game->stored() && !(for_thought && game->thinking);
  if (ready) return reply(game->view(token, tell));
  game->waiters.push_back({.id = id,
                           .token = std::string(token),
                           .for_thought = for_thought,
                           .tell_guest = tell,
                           .reply = std::move(reply)});
  if (!for_thought) return;
  loop_.after(options_.answer_within, [this, weak = std::weak_ptr(game), id] {
    const Game still = weak.lock();
    if (!still) return;
    for (LiveGame::Waiter& waiter : still->waiters) {
      if (waiter.id == id) waiter.for_thought = false;
    }
    settle(still);
  });
}

void GameService::settle(const Game& game) {
  if (game->broken || !game->stored()) return;
  const auto waits = [&](const LiveGame::Waiter& w) { return w.for_thought && game->thinking; };
  const auto middle = std::stable_partition(game->waiters.begin(), game->waiters.end(), waits);
  std::vector<LiveGame::Waiter> ready(std::make_move_iterator(middle),
                                      std::make_move_iterator(game->waiters.end()));
  game->waiters.erase(middle, game->waiters.end());
  for (LiveGame::Waiter& waiter : ready) {
    waiter.reply(game->view(waiter.token, waiter.tell_guest));
  }
  for (const auto& [number, watcher] : game->watchers) {
    watcher.tell(game->view(watcher.token, false));
  }
}

}  // namespace rowbot::server
