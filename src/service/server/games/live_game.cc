#include "service/server/games/live_game.h"

namespace rowbot::server {

using game::Side;

You LiveGame::you(std::string_view token) const {
  const auto snapshot = session.snapshot();
  const bool first = snapshot->setup.first.human();
  const bool second = snapshot->setup.second.human();
  if (first && second) {
    if (!head->guest) return You::kBoth;
    return token == *head->guest ? You::kSecond : You::kFirst;
  }
  return first ? You::kFirst : second ? You::kSecond : You::kNone;
}

std::optional<Side> LiveGame::acting_side(std::string_view token) const {
  switch (you(token)) {
    case You::kFirst:
      return Side::kFirst;
    case You::kSecond:
      return Side::kSecond;
    case You::kBoth:
      return session.snapshot()->game.position().to_move();
    case You::kNone:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Side> LiveGame::undo_side(std::string_view token) const {
  if (you(token) == You::kBoth) return game::other(session.snapshot()->game.position().to_move());
  return acting_side(token);
}

GameView LiveGame::view(std::string_view token, bool tell_guest) const {
  const auto side = undo_side(token);
  return {.head = head,
          .game = session.snapshot(),
          .evidence = evidence,
          .token = std::string(token),
          .you = you(token),
          .thinking = thinking,
          .can_undo = side && session.snapshot()->undo_ply(*side).has_value(),
          .tell_guest = tell_guest && head->guest.has_value(),
          .version = version};
}

}  // namespace rowbot::server
