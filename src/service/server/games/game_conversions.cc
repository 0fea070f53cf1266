#include "service/server/games/game_conversions.h"

#include <utility>

#include "service/server/token.h"
#include "service/server/wall_clock.h"

namespace rowbot::server {
namespace {

using game::kHuman;

table::Seat seat_of(const std::string& text) {
  if (text == kHuman) return {};
  return {.agent = text};
}

}  // namespace

std::string_view kind_of(const table::Setup& setup) {
  if (setup.first.human() && setup.second.human()) return "human-human";
  return setup.first.human() || setup.second.human() ? "human-agent" : "agent-agent";
}

table::Setup setup_of(const store::GameHead& head, const game::GameRecord& record) {
  const auto start = record.moves.begin();
  return {.first = seat_of(record.first.name),
          .second = seat_of(record.second.name),
          .start = {start, start + static_cast<std::ptrdiff_t>(record.start_moves)},
          .remote_players = head.guest.has_value()};
}

store::NewGame new_game_of(const NewGameMessage& message) {
  store::NewGame game{.head = {.token = new_token(), .created = time_of_day()},
                      .record = {.moves = message.moves, .start_moves = message.moves.size()}};
  std::string& first = game.record.first.name;
  std::string& second = game.record.second.name;
  first = second = kHuman;
  switch (message.human) {
    case HumanSeat::kFirst:
    case HumanSeat::kSecond:
      game.head.level = message.level;
      (message.human == HumanSeat::kFirst ? second : first) = message.level;
      break;
    case HumanSeat::kBoth:
      break;
    case HumanSeat::kLink:
      game.head.guest = new_token();
      break;
    case HumanSeat::kNone:
      first = message.first;
      second = message.second;
      break;
  }
  return game;
}

NewGameMessage message_of(const store::GameHead& head, const table::Setup& setup) {
  NewGameMessage message{.level = head.level.value_or("easy"), .moves = setup.start};
  if (!setup.first.human() && !setup.second.human()) {
    message.human = HumanSeat::kNone;
    message.first = *setup.first.agent;
    message.second = *setup.second.agent;
  } else if (setup.first.human() && setup.second.human()) {
    message.human = head.guest ? HumanSeat::kLink : HumanSeat::kBoth;
  } else {
    message.human = setup.first.human() ? HumanSeat::kFirst : HumanSeat::kSecond;
  }
  return message;
}

store::EndGame end_change(const store::GameHead& head, const table::Snapshot& game) {
  store::EndGame end{.token = head.token,
                     .result = game.game.result(),
                     .reason = game.game.reason(),
                     .ended = time_of_day()};
  // Only whole games without help say something about people and levels.
  if (head.level && !game.game.had_undo() && game.setup.start.empty()) {
    end.level = head.level;
    const game::Side human = game.setup.first.human() ? game::Side::kFirst : game::Side::kSecond;
    end.winner = game.game.result() == game::GameResult::kDraw ? "draw"
                 : game.game.result() == game::win_of(human)   ? "human"
                                                               : "agent";
  }
  return end;
}

std::vector<store::Change> move_changes(const store::GameHead& head, const table::Snapshot& after,
                                        game::MoveTime thinking) {
  std::vector<store::Change> changes;
  changes.emplace_back(store::AddMove{.token = head.token,
                                      .ply = static_cast<int>(after.game.moves().size()) - 1,
                                      .column = after.game.moves().back(),
                                      .thinking = thinking});
  if (after.over()) changes.emplace_back(end_change(head, after));
  return changes;
}

}  // namespace rowbot::server
