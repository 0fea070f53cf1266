// GameService's agents: when they think, and how their moves are made.
#include <exception>
#include <utility>

#include "service/server/games/game_conversions.h"
#include "service/server/games/game_service.h"
#include "service/server/games/levels.h"
#include "service/server/games/thinking.h"

namespace rowbot::server {
namespace {

/// When a lane was full.
constexpr std::chrono::milliseconds kTryAgain{300};

}  // namespace

void GameService::schedule(const Game& game) {
  const auto snapshot = game->session.snapshot();
  const auto turn = snapshot->turn();
  if (!turn || snapshot->seat(*turn).human()) return;
  if (game->forgotten || game->storing || game->agent_turn == game->changes) return;
  spawn(run_agent(game));
}

bool GameService::attended(const LiveGame& game) const {
  return !game.watchers.empty() || LiveGame::Clock::now() - game.seen < options_.watch_patience;
}

Task<void> GameService::run_agent(Game game) {
  const std::uint64_t change = game->changes;
  game->agent_turn = change;
  const Finally ended([&game, change] {
    if (game->agent_turn != change) return;
    game->agent_turn.reset();
    game->thinking = false;
    game->changed.notify_all();
  });
  try {
    co_await move_agent(game);
  } catch (const std::exception&) {
    ++metrics_.failed_handlers;
    close_watchers(*game);  // they come again, which sets the agent to work again
  }
}

Task<void> GameService::move_agent(const Game& game) {
  const std::uint64_t change = game->changes;
  // The wait for the disk is part of a level's time.
  auto started = game->turn_since;
  if (game->agents_only()) {
    co_await sleep_until(io_, LiveGame::Clock::now() + options_.watch_pause);
    // The next who looks sets it going again.
    if (game->changes != change || !attended(*game)) co_return;
    started = LiveGame::Clock::now();
  }
  game->thinking = true;
  const auto decision = co_await think(game, started);
  while (game->storing) co_await game->changed.wait();
  if (!decision || game->changes != change) co_return;

  const auto before = game->session.snapshot();
  table::Session next = game->session;
  const auto outcome =
      next.play({.side = before->game.position().to_move(), .column = decision->column});
  if (outcome.verdict != table::Verdict::kFine) co_return;  // not reached: decide() plays legally
  const auto took = LiveGame::Clock::now() - started;
  const auto ply = static_cast<int>(before->game.moves().size());
  const auto evidence =
      std::make_shared<const Evidence>(Evidence{.ply = ply + 1, .decision = *decision});
  std::vector<store::Change> changes = move_changes(
      *game->head, *next.snapshot(), std::chrono::duration_cast<std::chrono::microseconds>(took));
  const bool stored = co_await commit(game, next, changes);
  if (!stored) co_return;
  game->evidence = evidence;
  ++metrics_.moves;
  publish(game);
  metrics_.answer_seconds[game->head->level.value_or("watched")].add(took);
}

Task<std::optional<agents::Decision>> GameService::think(const Game& game,
                                                         LiveGame::Clock::time_point started) {
  const std::uint64_t change = game->changes;
  const auto snapshot = game->session.snapshot();
  const Thinker thinker = known_thinker(*snapshot->seat(*snapshot->turn()).agent);
  while (pool_.room(thinker.lane, game->client) != Room::kFree) {
    co_await sleep_until(io_, LiveGame::Clock::now() + kTryAgain);
    if (game->changes != change) co_return std::nullopt;
  }
  const SearchPool::Work<agents::Decision> work = [agent = thinker.agent, snapshot](
                                                      Tools& tools, StopToken stop) {
    return decide(tools, agent, snapshot->game.position(), stop);
  };
  auto decision = co_await pool_.search(loop_, thinker.lane, game->client, work);
  // The rest of the level's time passes without a thread.
  const auto earliest = started + thinker.minimum;
  if (LiveGame::Clock::now() < earliest) co_await sleep_until(io_, earliest);
  co_return decision;
}

}  // namespace rowbot::server
