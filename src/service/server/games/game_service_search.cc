// GameService's agents: when they think, and what becomes of a thought.
#include <utility>

#include "service/server/games/game_service.h"
#include "service/server/games/levels.h"
#include "service/server/games/thinking.h"

namespace rowbot::server {
namespace {

/// When a lane was full.
constexpr std::chrono::milliseconds kTryAgain{300};

}  // namespace

void GameService::wake(const Game& game) {
  const auto snapshot = game->session.snapshot();
  const auto turn = snapshot->turn();
  // No agent answers a move that is not safe yet.
  if (!turn || game->thinking || !game->stored() || snapshot->seat(*turn).human()) return;
  if (!game->agents_only()) return start_thinking(game);
  // The first of those who come to watch sets the game going; later it goes on by itself.
  const bool begun = game->generation > 0;
  if (!begun || game->paused) {
    game->paused = false;
    think_later(game, options_.watch_pause);
  }
}

void GameService::think_later(const Game& game, std::chrono::nanoseconds pause) {
  const std::uint64_t generation = ++game->generation;
  loop_.after(pause, [this, weak = std::weak_ptr(game), generation] {
    const Game still = weak.lock();
    if (!still || still->generation != generation) return;
    const bool looked_at = !still->agents_only() || !still->watchers.empty() ||
                           LiveGame::Clock::now() - still->seen < options_.watch_patience;
    if (looked_at) {
      start_thinking(still);
    } else {
      still->paused = true;
    }
  });
}

void GameService::start_thinking(const Game& game) {
  const auto snapshot = game->session.snapshot();
  const auto turn = snapshot->turn();
  if (!turn || game->thinking || game->broken || !game->stored() || snapshot->seat(*turn).human())
    return;
  const Thinker thinker = known_thinker(*snapshot->seat(*turn).agent);
  const std::uint64_t generation = ++game->generation;
  // The wait for the disk is part of a level's time.
  const auto started = game->agents_only() ? LiveGame::Clock::now() : game->turn_since;
  game->thinking = true;
  auto job = [this, weak = std::weak_ptr(game), snapshot, generation, started,
              agent = thinker.agent,
              minimum = thinker.minimum](Tools& tools, const std::stop_token& stop) {
    const agents::Decision decision = decide(tools, agent, snapshot->position, stop);
    if (stop.stop_requested()) return;
    loop_.post([this, weak, generation, started, minimum, decision] {
      // The rest of the level's time passes without a thread.
      const auto left = started + minimum - LiveGame::Clock::now();
      const auto finish = [this, weak, generation, decision, started] {
        if (const Game still = weak.lock()) thought(still, generation, decision, started);
      };
      if (left <= std::chrono::nanoseconds(0)) return finish();
      loop_.after(left, finish);
    });
  };
  if (pool_.submit(thinker.lane, game->client, std::move(job)) == Room::kFree) return;
  game->thinking = false;
  think_later(game, kTryAgain);
}

void GameService::thought(const Game& game, std::uint64_t generation,
                          const agents::Decision& decision, LiveGame::Clock::time_point started) {
  if (game->generation != generation || game->broken) return;
  const auto before = game->session.snapshot();
  game->thinking = false;
  const game::Side side = before->position.to_move();
  const auto outcome = game->session.play({.side = side, .column = decision.column});
  if (outcome.verdict != table::Verdict::kFine) return;  // not reached: decide() plays legal moves
  ++metrics_.moves;
  const auto took = LiveGame::Clock::now() - started;
  metrics_.answer_seconds[game->head->level.value_or("watched")].add(took);
  const auto ply = static_cast<int>(before->moves.size());
  game->evidence = std::make_shared<const Evidence>(Evidence{.ply = ply + 1, .decision = decision});
  std::vector<store::Change> changes{store::AddMove{
      .token = game->head->token,
      .ply = ply,
      .move = {.column = decision.column,
               .thinking = std::chrono::duration_cast<std::chrono::microseconds>(took)}}};
  if (auto end = ending(*game)) changes.push_back(*std::move(end));
  game->paused = game->agents_only();
  changed(game, std::move(changes));
}

}  // namespace rowbot::server
