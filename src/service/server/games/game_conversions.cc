#include "service/server/games/game_conversions.h"

#include <utility>

#include "game/moves_text.h"
#include "service/server/token.h"
#include "service/server/wall_clock.h"

namespace rowbot::server {
namespace {

constexpr std::string_view kHuman = "human";

table::Seat seat_of(const std::string& text) {
  if (text == kHuman) return {};
  return {.agent = text};
}

}  // namespace

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

store::EndGame end_change(const store::GameHead& head, const table::Snapshot& game) {
  store::EndGame end{
      .token = head.token, .result = game.result, .reason = game.reason, .ended = time_of_day()};
  // Only whole games without help say something about people and levels.
  if (head.level && !game.helped && game.setup.start.empty()) {
    end.level = head.level;
    const game::Side human = game.setup.first.human() ? game::Side::kFirst : game::Side::kSecond;
    end.winner = game.result == game::GameResult::kDraw ? "draw"
                 : game.result == game::win_of(human)   ? "human"
                                                        : "agent";
  }
  return end;
}

std::vector<store::Change> move_changes(const store::GameHead& head, const table::Snapshot& after,
                                        store::StoredMove move) {
  std::vector<store::Change> changes;
  changes.emplace_back(store::AddMove{
      .token = head.token, .ply = static_cast<int>(after.moves.size()) - 1, .move = move});
  if (after.over()) changes.emplace_back(end_change(head, after));
  return changes;
}

}  // namespace rowbot::server
