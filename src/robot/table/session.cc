#include "robot/table/session.h"

#include <utility>

namespace rowbot::table {

using game::Game;
using game::Side;

Session::Session(Setup setup, const Game& game, std::uint64_t version)
    : now_(std::make_shared<const Snapshot>(
          Snapshot{.setup = std::move(setup), .game = game, .version = version})) {}

Session::Session(Setup setup) : Session(setup, Game(setup.start), 0) {}

Result<Session> Session::resume(Setup setup, const game::GameRecord& record) {
  const auto game = Game::resume(record);
  if (!game) return Error{"the stored game cannot be resumed: " + game.error().message};
  const auto start = game->moves().first(game->start_moves());
  setup.start.assign(start.begin(), start.end());
  return Session(std::move(setup), *game, game->moves().size() - start.size() + 1);
}

Verdict Session::publish(Verdict verdict, const Game& game) {
  if (verdict == Verdict::kFine) *this = Session(now_->setup, game, now_->version + 1);
  return verdict;
}

Outcome Session::play(const Play& command) {
  Game game = now_->game;
  if (command.ply && *command.ply != static_cast<int>(game.moves().size())) {
    const auto ply = static_cast<std::size_t>(*command.ply);
    const bool made = *command.ply >= 0 && ply < game.moves().size() && ply >= game.start_moves() &&
                      game.moves()[ply] == command.column && Game::mover_of(ply) == command.side;
    if (made) return {.verdict = Verdict::kFine, .repeated = true};
    return {.verdict = game.over() ? Verdict::kGameOver : Verdict::kStale};
  }
  const Verdict verdict = game.play(command.side, command.column);
  return {.verdict = publish(verdict, game)};
}

Verdict Session::take_back(Side side) {
  Game game = now_->game;
  const Verdict verdict = game.undo(side, now_->undo_rule());
  return publish(verdict, game);
}

Verdict Session::resign(Side side) {
  Game game = now_->game;
  const Verdict verdict = game.resign(side);
  return publish(verdict, game);
}

}  // namespace rowbot::table
