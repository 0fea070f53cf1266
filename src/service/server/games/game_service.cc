#include "service/server/games/game_service.h"

#include <algorithm>
#include <utility>

#include "fmt/core.h"
#include "game/moves_text.h"
#include "service/server/games/levels.h"
#include "service/server/token.h"
#include "service/server/wall_clock.h"

namespace rowbot::server {
namespace {

using game::Side;

constexpr std::string_view kHuman = "human";

ApiError busy(std::string message) {
  return {.status = 503, .code = "busy", .message = std::move(message), .retry_after = 1};
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

table::Seat seat_of(const std::string& text) {
  if (text == kHuman) return {};
  return {.agent = text};
}

table::Setup setup_of(const store::GameHead& head) {
  table::Setup setup{.first = seat_of(head.first),
                     .second = seat_of(head.second),
                     .apart = head.guest.has_value()};
  // Stored by this program, which accepts legal moves only; a wrong one makes the replay fail.
  if (auto played = game::parse_played(head.start)) setup.start = std::move(played->moves);
  return setup;
}

store::GameHead head_of(const NewGameMessage& message) {
  store::GameHead head{.token = new_token(), .created = time_of_day()};
  head.start = game::moves_text(message.moves);
  head.first = head.second = kHuman;
  head.kind = "human-human";
  switch (message.human) {
    case HumanSeat::kFirst:
    case HumanSeat::kSecond:
      head.kind = "human-agent";
      head.level = message.level;
      (message.human == HumanSeat::kFirst ? head.second : head.first) = message.level;
      break;
    case HumanSeat::kBoth:
      break;
    case HumanSeat::kLink:
      head.guest = new_token();
      break;
    case HumanSeat::kNone:
      head.kind = "agent-agent";
      head.first = message.first;
      head.second = message.second;
      break;
  }
  return head;
}

/// The message that would make the same game once more.
NewGameMessage message_of(const store::GameHead& head, const table::Setup& setup) {
  NewGameMessage message{.level = head.level.value_or("easy"), .moves = setup.start};
  if (head.kind == "agent-agent") {
    message.human = HumanSeat::kNone;
    message.first = head.first;
    message.second = head.second;
  } else if (head.kind == "human-human") {
    message.human = head.guest ? HumanSeat::kLink : HumanSeat::kBoth;
  } else {
    message.human = head.first == kHuman ? HumanSeat::kFirst : HumanSeat::kSecond;
  }
  return message;
}

}  // namespace

GameService::GameService(const GameServiceParts& parts, GameServiceOptions options)
    : loop_(parts.loop),
      store_(parts.store),
      health_(parts.health),
      readers_(parts.readers),
      pool_(parts.pool),
      costs_(parts.costs),
      metrics_(parts.metrics),
      options_(options) {}

// ------------------------------------------------------------------------------ finding games

GameService::Game GameService::in_memory(std::string_view token) {
  std::string key(token);
  if (const auto guest = guests_.find(key); guest != guests_.end()) key = guest->second;
  const auto found = games_.find(key);
  return found == games_.end() ? nullptr : found->second;
}

void GameService::find(std::string_view token, Found found) {
  if (const Game game = in_memory(token)) {
    game->seen = LiveGame::Clock::now();
    return found(game);
  }
  std::vector<Found>& waiting = loading_[std::string(token)];
  waiting.push_back(std::move(found));
  if (waiting.size() == 1) load(std::string(token));
}

void GameService::load(const std::string& token) {
  using Stored = std::optional<store::StoredGame>;
  const bool accepted =
      readers_.read<Stored>([this, token] { return store_.game(token); },
                            [this, token, forgotten = forgotten_](Result<Stored> stored) {
                              if (const Game game = in_memory(token))
                                return finish_loading(token, game);
                              if (forgotten != forgotten_)
                                return load(token);  // it may have been played on meanwhile
                              finish_loading(token, game_of(std::move(stored)));
                            });
  if (!accepted) finish_loading(token, busy("Too many games are asked for. Please try again."));
}

void GameService::finish_loading(const std::string& token, const HttpResult<Game>& game) {
  const auto waiting = loading_.extract(token);
  if (waiting.empty()) return;
  for (const Found& found : waiting.mapped()) found(game);
}

HttpResult<GameService::Game> GameService::game_of(
    Result<std::optional<store::StoredGame>> stored) {
  const ApiError unreadable{.status = 500,
                            .code = "not_readable",
                            .message = "The game cannot be read.",
                            .retry_after = 5};
  if (!stored) {
    health_.on_unreadable(stored.error().message);
    return unreadable;
  }
  if (!*stored) return no_such_game();
  store::StoredGame& record = **stored;
  std::vector<game::Column> moves;
  moves.reserve(record.moves.size());
  for (const store::StoredMove& move : record.moves) moves.push_back(move.column);
  auto session = table::Session::resume(setup_of(record.head), moves, record.result, record.reason,
                                        record.helped);
  if (!session) {
    health_.on_unreadable(session.error().message);
    return unreadable;
  }
  return insert(std::make_shared<const store::GameHead>(std::move(record.head)),
                *std::move(session));
}

bool GameService::make_room() {
  if (games_.size() < options_.live_games) return true;
  // A tenth at once, the longest unseen first, so that this long look is rare.
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

HttpResult<GameService::Game> GameService::insert(std::shared_ptr<const store::GameHead> head,
                                                  table::Session session) {
  if (!make_room()) return busy("Too many games are being played. Please try again soon.");
  auto game = std::make_shared<LiveGame>(std::move(head), std::move(session));
  // Begins at the time, so that it goes on growing when the server starts anew.
  game->version = static_cast<std::uint64_t>(time_of_day().time_since_epoch().count());
  games_.emplace(game->head->token, game);
  if (game->head->guest) guests_.emplace(*game->head->guest, game->head->token);
  return game;
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
  const auto wait = costs_.take(client, CostKind::kPerfectMove, RequestCosts::Clock::now());
  if (!wait) return std::nullopt;
  ++metrics_.over_budget;
  return over_budget(*wait);
}

void GameService::create(const NewGameMessage& message, const std::string& client, Reply reply) {
  store::GameHead head = head_of(message);
  table::Setup setup = setup_of(head);
  begin(std::move(head), std::move(setup), client, std::move(reply));
}

void GameService::begin(store::GameHead head, table::Setup setup, const std::string& client,
                        Reply reply) {
  table::Session session(std::move(setup));
  const auto first = session.snapshot();
  if (auto error = overload(*first, first->position.to_move(), client)) {
    return reply(*std::move(error));
  }
  auto game = insert(std::make_shared<const store::GameHead>(std::move(head)), std::move(session));
  if (!game) return reply(game.error());
  (*game)->client = client;
  ++metrics_.games;
  changed(*game, {store::NewGame{*(*game)->head}});
  wait(*game, (*game)->head->token, !(*game)->agents_only(), true, std::move(reply));
}

void GameService::restart(std::string_view token, const RestartMessage& message,
                          const std::string& client, Reply reply) {
  find(token, [this, message, client, reply = std::move(reply)](const HttpResult<Game>& game) {
    if (!game) return reply(game.error());
    NewGameMessage again = message_of(*(*game)->head, (*game)->session.snapshot()->setup);
    if (message.human) again.human = *message.human;
    if (message.level) again.level = *message.level;
    if (again.human == HumanSeat::kNone && again.first.empty()) again.first = again.level;
    if (again.human == HumanSeat::kNone && again.second.empty()) again.second = again.level;
    create(again, client, reply);
  });
}

void GameService::look(std::string_view token, const std::string& client, Reply reply) {
  find(token, [this, key = std::string(token), client,
               reply = std::move(reply)](const HttpResult<Game>& game) {
    if (!game) return reply(game.error());
    if ((*game)->client.empty()) (*game)->client = client;
    wake(*game);
    wait(*game, key, false, key == (*game)->head->token, reply);
  });
}

void GameService::play(std::string_view token, const MoveMessage& message,
                       const std::string& client, Reply reply) {
  find(token, [this, key = std::string(token), message, client,
               reply = std::move(reply)](const HttpResult<Game>& game) {
    if (!game) return reply(game.error());
    const auto again = [this, key, message, client, reply] { play(key, message, client, reply); };
    if (!deferred(*game, reply, again)) play_in(*game, key, message, client, reply);
  });
}

void GameService::play_in(const Game& game, std::string_view token, const MoveMessage& message,
                          const std::string& client, Reply reply) {
  const auto side = game->acting_side(token);
  if (!side) return reply(refused(table::Verdict::kNotYourTurn, "This game can only be watched."));
  const auto before = game->session.snapshot();
  if (auto error = overload(*before, game::other(*side), client)) return reply(*std::move(error));
  const table::Outcome outcome =
      game->session.play({.side = *side, .column = message.column, .ply = message.ply});
  if (outcome.verdict != table::Verdict::kFine) {
    return reply(refused_move(outcome.verdict, message.column));
  }
  game->client = client;
  if (!outcome.repeated) {
    ++metrics_.moves;
    std::vector<store::Change> changes{store::AddMove{.token = game->head->token,
                                                      .ply = static_cast<int>(before->moves.size()),
                                                      .move = {.column = message.column}}};
    if (auto end = ending(*game)) changes.push_back(*std::move(end));
    changed(game, std::move(changes));
  }
  wait(game, token, true, false, std::move(reply));
}

void GameService::undo(std::string_view token, Reply reply) {
  find(token,
       [this, key = std::string(token), reply = std::move(reply)](const HttpResult<Game>& game) {
         if (!game) return reply(game.error());
         const auto again = [this, key, reply] { undo(key, reply); };
         if (!deferred(*game, reply, again)) undo_in(*game, key, reply);
       });
}

void GameService::undo_in(const Game& game, std::string_view token, Reply reply) {
  const auto side = game->undo_side(token);
  if (!side) return reply(refused(table::Verdict::kNothingToUndo, "There is nothing to undo."));
  const auto ply = game->session.snapshot()->undo_ply(*side);
  const table::Verdict verdict = game->session.take_back(*side);
  if (verdict == table::Verdict::kGameOver) {
    return reply(refused(verdict, "The game is over; its result stands."));
  }
  if (verdict != table::Verdict::kFine || !ply) {
    return reply(refused(verdict, "There is nothing to undo."));
  }
  ++game->generation;  // an answer to the move taken back is of no use
  game->thinking = false;
  game->evidence = nullptr;
  changed(game, {store::TakeBack{.token = game->head->token, .ply = *ply}});
  wait(game, token, false, false, std::move(reply));
}

void GameService::resign(std::string_view token, Reply reply) {
  find(token,
       [this, key = std::string(token), reply = std::move(reply)](const HttpResult<Game>& game) {
         if (!game) return reply(game.error());
         const auto again = [this, key, reply] { resign(key, reply); };
         if (!deferred(*game, reply, again)) resign_in(*game, key, reply);
       });
}

void GameService::resign_in(const Game& game, std::string_view token, Reply reply) {
  const auto side = game->acting_side(token);
  if (!side) return reply(refused(table::Verdict::kNotYourTurn, "This game can only be watched."));
  if (const auto verdict = game->session.resign(*side); verdict != table::Verdict::kFine) {
    return reply(refused(verdict, "The game is over."));
  }
  ++game->generation;
  game->thinking = false;
  if (auto end = ending(*game)) changed(game, {*std::move(end)});
  wait(game, token, false, false, std::move(reply));
}

// ---------------------------------------------------------------------------------- watching

HttpResult<std::uint64_t> GameService::watch(std::string_view token, Watcher tell,
                                             std::function<void()> closed) {
  const Game game = in_memory(token);
  if (!game) return busy("The game has to be read again. Please try again.");
  const std::uint64_t number = next_number_++;
  ++watchers_;
  game->watchers.emplace(
      number, LiveGame::WatcherEntry{
                  .token = std::string(token), .tell = tell, .closed = std::move(closed)});
  game->seen = LiveGame::Clock::now();
  wake(game);
  if (game->stored()) tell(game->view(token, false));
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
