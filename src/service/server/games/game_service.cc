#include "service/server/games/game_service.h"

#include <algorithm>
#include <new>
#include <utility>

#include "fmt/core.h"
#include "service/server/games/game_conversions.h"
#include "service/server/games/levels.h"
#include "service/server/wall_clock.h"

namespace rowbot::server {
namespace {

using game::Side;

ApiError busy(std::string message) {
  return {.status = 503, .code = "busy", .message = std::move(message), .retry_after = 1};
}

ApiError not_stored() {
  return {.status = 500,
          .code = "not_stored",
          .message = "This could not be saved, so it was not done. Please try again.",
          .retry_after = 1};
}

ApiError not_readable() {
  return {.status = 500,
          .code = "not_readable",
          .message = "The game cannot be read.",
          .retry_after = 5};
}

ApiError too_many_games() {
  return busy("Too many games are being played. Please try again soon.");
}

ApiError no_such_game() {
  return {.status = 404, .code = "no_such_game", .message = "There is no such game."};
}

ApiError refused(table::Verdict verdict, std::string_view message) {
  return {.status = 409,
          .code = std::string(table::verdict_code(verdict)),
          .message = std::string(message)};
}

ApiError refused_move(table::Verdict verdict, game::Column column) {
  switch (verdict) {
    case table::Verdict::kGameOver:
      return refused(verdict, "The game is over.");
    case table::Verdict::kNotYourTurn:
      return refused(verdict, "It is not your turn.");
    case table::Verdict::kColumnFull:
      return refused(verdict, fmt::format("Column {} is full. Choose another.", column.number()));
    case table::Verdict::kStale:
      return refused(verdict, "The game has moved on since. Look at it again.");
    case table::Verdict::kFine:
    case table::Verdict::kNothingToUndo:
      break;
  }
  return refused(verdict, "This move cannot be made.");
}

}  // namespace

GameService::GameService(const GameServiceParts& parts, GameServiceOptions options)
    : io_(parts.io),
      loop_(parts.loop),
      store_(parts.store),
      health_(parts.health),
      readers_(parts.readers),
      pool_(parts.pool),
      costs_(parts.costs),
      metrics_(parts.metrics),
      options_(options) {}

// ------------------------------------------------------------------------------ finding games

GameService::Game GameService::in_memory(std::string_view token) const {
  std::string key(token);
  if (const auto guest = guests_.find(key); guest != guests_.end()) key = guest->second;
  const auto found = games_.find(key);
  return found == games_.end() ? nullptr : found->second;
}

Task<HttpResult<GameService::Game>> GameService::find(const std::string& token) {
  using Stored = std::optional<store::StoredGame>;
  while (true) {
    if (const Game game = in_memory(token)) {
      game->seen = LiveGame::Clock::now();
      co_return game;
    }
    if (readers_.full()) co_return busy("Too many games are asked for. Please try again.");
    const std::uint64_t forgotten = forgotten_;
    const std::function<Result<Stored>()> read = [this, token] { return store_.game(token); };
    Result<Stored> stored = co_await readers_.read<Stored>(read);
    // Read again if the game may have been played on and forgotten meanwhile.
    if (!in_memory(token) && forgotten == forgotten_) co_return game_of(std::move(stored));
  }
}

Task<HttpResult<GameService::Game>> GameService::find_to_change(const std::string& token) {
  auto found = co_await find(token);
  if (!found) co_return found;
  const Game game = *found;
  // What is stored must follow from what was stored before.
  while (game->storing) co_await game->changed.wait();
  if (game->forgotten) co_return not_stored();
  co_return game;
}

HttpResult<GameService::Game> GameService::game_of(
    Result<std::optional<store::StoredGame>> stored) {
  if (!stored) {
    health_.on_unreadable(stored.error().message);
    return not_readable();
  }
  if (!*stored) return no_such_game();
  store::StoredGame& game_row = **stored;
  auto session = table::Session::resume(setup_of(game_row.head, game_row.record), game_row.record);
  if (!session) {
    health_.on_unreadable(session.error().message);
    return not_readable();
  }
  if (!make_room()) return too_many_games();
  const Game game = make_live(std::move(game_row.head), *std::move(session));
  insert(game);
  return game;
}

bool GameService::make_room() {
  if (games_.size() < options_.live_games) return true;
  // A tenth at once, the longest unseen first, so that this long search is rare.
  std::vector<std::pair<LiveGame::Clock::time_point, std::string>> idle;
  for (const auto& [token, game] : games_) {
    if (game->idle()) idle.emplace_back(game->seen, token);
  }
  const std::size_t leave = std::min(idle.size(), options_.live_games / 10 + 1);
  std::partial_sort(idle.begin(), idle.begin() + static_cast<std::ptrdiff_t>(leave), idle.end());
  for (std::size_t i = 0; i < leave; ++i) {
    const auto found = games_.find(idle[i].second);
    if (found->second->head->guest) guests_.erase(*found->second->head->guest);
    games_.erase(found);
    ++forgotten_;
  }
  return games_.size() < options_.live_games;
}

GameService::Game GameService::make_live(store::GameHead head, table::Session session) const {
  auto game = std::make_shared<LiveGame>(
      io_, std::make_shared<const store::GameHead>(std::move(head)), std::move(session));
  // Begins at the time, so that it goes on growing when the server starts anew.
  game->version = static_cast<std::uint64_t>(time_of_day().time_since_epoch().count());
  return game;
}

void GameService::insert(const Game& game) {
  // The guest's token first: without its game it leads nowhere.
  if (game->head->guest) guests_.emplace(*game->head->guest, game->head->token);
  games_.emplace(game->head->token, game);
}

// ---------------------------------------------------------------------------------- commands

std::optional<ApiError> GameService::overload(const table::Snapshot& game, Side thinker,
                                              const std::string& client) {
  const table::Seat& seat = game.seat(thinker);
  if (seat.human()) return std::nullopt;
  const Lane lane = known_thinker(*seat.agent).lane;
  switch (pool_.room(lane, client)) {
    case Room::kLaneFull:
      return busy("All search threads are busy. Please try again in a moment.");
    case Room::kClientFull:
      ++metrics_.over_budget;
      return over_budget(std::chrono::seconds(1));
    case Room::kFree:
      break;
  }
  if (lane != Lane::kSolver) return std::nullopt;
  return charge(costs_, metrics_, client, CostKind::kPerfectMove);
}

Task<HttpResult<GameView>> GameService::create(const NewGameMessage& message,
                                               const std::string& client) {
  const store::NewGame made = new_game_of(message);
  const table::Session session(setup_of(made.head, made.record));
  const auto first = session.snapshot();
  if (auto error = overload(*first, first->game.position().to_move(), client))
    co_return *std::move(error);
  if (!make_room()) co_return too_many_games();
  std::vector<store::Change> changes;
  changes.emplace_back(made);
  const Game game = make_live(made.head, session);
  game->client = client;
  const bool stored = co_await commit(game, session, changes);
  if (!stored) co_return not_stored();
  insert(game);
  ++metrics_.games;
  publish(game);
  if (game->agents_only()) co_return game->view(game->head->token, true);
  co_return co_await view_after_agent(game, game->head->token, true);
}

Task<HttpResult<GameView>> GameService::restart(const std::string& token,
                                                const RestartMessage& message,
                                                const std::string& client) {
  const auto found = co_await find(token);
  if (!found) co_return found.error();
  NewGameMessage again = message_of(*(*found)->head, (*found)->session.snapshot()->setup);
  if (message.human) again.human = *message.human;
  if (message.level) again.level = *message.level;
  if (again.human == HumanSeat::kNone && again.first.empty()) again.first = again.level;
  if (again.human == HumanSeat::kNone && again.second.empty()) again.second = again.level;
  co_return co_await create(again, client);
}

Task<HttpResult<GameView>> GameService::get(const std::string& token, const std::string& client) {
  const auto found = co_await find(token);
  if (!found) co_return found.error();
  const Game& game = *found;
  if (game->client.empty()) game->client = client;
  schedule(game);
  co_return game->view(token, token == game->head->token);
}

Task<HttpResult<GameView>> GameService::play(const std::string& token, const MoveMessage& message,
                                             const std::string& client) {
  const auto found = co_await find_to_change(token);
  if (!found) co_return found.error();
  const Game& game = *found;
  const auto side = game->acting_side(token);
  if (!side) co_return refused(table::Verdict::kNotYourTurn, "This game can only be watched.");
  auto error = overload(*game->session.snapshot(), game::other(*side), client);
  if (error) co_return *std::move(error);
  table::Session next = game->session;
  const table::Outcome outcome =
      next.play({.side = *side, .column = message.column, .ply = message.ply});
  if (outcome.verdict != table::Verdict::kFine) {
    co_return refused_move(outcome.verdict, message.column);
  }
  game->client = client;
  if (!outcome.repeated) {
    std::vector<store::Change> changes = move_changes(*game->head, *next.snapshot(), std::nullopt);
    const bool stored = co_await commit(game, next, changes);
    if (!stored) co_return not_stored();
    ++metrics_.moves;
    publish(game);
  }
  co_return co_await view_after_agent(game, token, false);
}

Task<HttpResult<GameView>> GameService::undo(const std::string& token) {
  const auto found = co_await find_to_change(token);
  if (!found) co_return found.error();
  const Game& game = *found;
  const auto side = game->undo_side(token);
  if (!side) co_return refused(table::Verdict::kNothingToUndo, "There is nothing to undo.");
  const auto ply = game->session.snapshot()->undo_ply(*side);
  table::Session next = game->session;
  const table::Verdict verdict = next.take_back(*side);
  if (verdict == table::Verdict::kGameOver) {
    co_return refused(verdict, "The game is over; its result stands.");
  }
  if (verdict != table::Verdict::kFine || !ply) {
    co_return refused(verdict, "There is nothing to undo.");
  }
  std::vector<store::Change> changes;
  changes.emplace_back(store::TakeBack{.token = game->head->token, .ply = *ply});
  const bool stored = co_await commit(game, next, changes);
  if (!stored) co_return not_stored();
  game->evidence = nullptr;
  publish(game);
  co_return game->view(token, false);
}

Task<HttpResult<GameView>> GameService::resign(const std::string& token) {
  const auto found = co_await find_to_change(token);
  if (!found) co_return found.error();
  const Game& game = *found;
  const auto side = game->acting_side(token);
  if (!side) co_return refused(table::Verdict::kNotYourTurn, "This game can only be watched.");
  table::Session next = game->session;
  if (const auto verdict = next.resign(*side); verdict != table::Verdict::kFine) {
    co_return refused(verdict, "The game is over.");
  }
  std::vector<store::Change> changes;
  changes.emplace_back(end_change(*game->head, *next.snapshot()));
  const bool stored = co_await commit(game, next, changes);
  if (!stored) co_return not_stored();
  publish(game);
  co_return game->view(token, false);
}

// ----------------------------------------------------------------------------------- changes

Task<bool> GameService::commit(const Game& game, const table::Session& next,
                               std::vector<store::Change>& changes) {
  const auto since = LiveGame::Clock::now();
  game->storing = true;
  const Finally stored([&game] {
    game->storing = false;
    game->changed.notify_all();
  });
  Result<void> result = Error{"out of memory"};
  try {
    result = co_await health_.write(changes);
  } catch (const std::bad_alloc&) {
    ++metrics_.failed_handlers;
  }
  if (!result) {
    // The store knows what is true, and the next request reads it there.
    forget(game);
    co_return false;
  }
  // Nothing from here on can fail.
  game->session = next;
  game->turn_since = since;
  game->version = std::max(game->version + 1,
                           static_cast<std::uint64_t>(time_of_day().time_since_epoch().count()));
  ++game->changes;
  game->agent_turn.reset();
  game->thinking = false;
  if (next.snapshot()->over()) ++metrics_.results;
  co_return true;
}

void GameService::publish(const Game& game) {
  try {
    schedule(game);
    for (const auto& [number, watcher] : game->watchers) {
      watcher.tell(game->view(watcher.token, false));
    }
  } catch (const std::exception&) {
    // They come again and are told then, which sets the agent to work.
    close_watchers(*game);
    throw;
  }
}

void GameService::close_watchers(LiveGame& game) {
  watchers_ -= std::min(watchers_, game.watchers.size());
  for (const auto& [number, watcher] : std::exchange(game.watchers, {})) watcher.closed();
}

void GameService::forget(const Game& game) {
  game->forgotten = true;
  ++game->changes;
  game->agent_turn.reset();
  game->thinking = false;
  if (game->head->guest) guests_.erase(*game->head->guest);
  if (const auto found = games_.find(game->head->token);
      found != games_.end() && found->second == game) {
    games_.erase(found);
    ++forgotten_;
  }
  close_watchers(*game);
}

Task<HttpResult<GameView>> GameService::view_after_agent(const Game& game, const std::string& token,
                                                         bool tell_guest) const {
  const auto limit = LiveGame::Clock::now() + options_.answer_within;
  while (game->thinking && !game->forgotten && LiveGame::Clock::now() < limit) {
    co_await game->changed.wait_until(limit);
  }
  if (game->forgotten) co_return not_stored();
  co_return game->view(token, tell_guest);
}

// ---------------------------------------------------------------------------------- watching

HttpResult<std::uint64_t> GameService::watch(std::string_view token, LiveGame::Watcher watcher) {
  const Game game = in_memory(token);
  if (!game) return busy("The game has to be read again. Please try again.");
  schedule(game);
  watcher.token = token;
  watcher.tell(game->view(token, false));
  const std::uint64_t number = next_watcher_++;
  game->watchers.emplace(number, std::move(watcher));
  ++watchers_;
  return number;
}

void GameService::unwatch(std::string_view token, std::uint64_t number) {
  const Game game = in_memory(token);
  if (!game) return;
  const auto erased = game->watchers.erase(number);
  watchers_ -= std::min(watchers_, erased);
  game->seen = LiveGame::Clock::now();
}

}  // namespace rowbot::server
