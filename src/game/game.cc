#include "game/game.h"

#include <algorithm>
#include <cassert>

#include "fmt/core.h"
#include "game/game_record.h"
#include "game/moves_text.h"

namespace rowbot::game {
namespace {

/// Whether people can have ended a game so when the board decides nothing.
bool can_end_by_players(GameResult result, EndReason reason) {
  switch (reason) {
    case EndReason::kOngoing:
    case EndReason::kInterrupted:
      return result == GameResult::kOngoing;
    case EndReason::kResigned:
    case EndReason::kTimedOut:
    case EndReason::kFailed:
      return result == GameResult::kFirstWins || result == GameResult::kSecondWins;
    case EndReason::kFourInARow:
    case EndReason::kBoardFull:
      return false;
  }
  return false;
}

}  // namespace

std::string_view verdict_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFine:
      return "fine";
    case Verdict::kGameOver:
      return "game_over";
    case Verdict::kNotYourTurn:
      return "not_your_turn";
    case Verdict::kColumnFull:
      return "column_full";
    case Verdict::kStale:
      return "stale";
    case Verdict::kNothingToUndo:
      return "nothing_to_undo";
  }
  return "fine";
}

Game::Game(std::span<const Column> start) {
  for (const Column column : start) {
    [[maybe_unused]] const Verdict verdict = play(column);
    assert(verdict == Verdict::kFine);
  }
  start_ = count_;
}

Result<Game> Game::resume(const GameRecord& record) {
  auto played = parse_played(moves_text(record.moves));
  if (!played) return Error{"moves: " + played.error().message};
  if (record.start_moves > record.moves.size()) {
    return Error{fmt::format("the game begins after {} moves and has only {}", record.start_moves,
                             record.moves.size())};
  }
  Game game(record.moves);
  game.start_ = static_cast<std::uint8_t>(record.start_moves);
  game.had_undo_ = record.had_undo;
  const bool fits = game.over() ? record.result == game.result_ && record.reason == game.reason_
                                : can_end_by_players(record.result, record.reason);
  if (!fits) {
    return Error{fmt::format("result '{}' by '{}' contradicts the moves, which say '{}' by '{}'",
                             result_text(record.result), reason_text(record.reason),
                             result_text(game.result_), reason_text(game.reason_))};
  }
  game.result_ = record.result;
  game.reason_ = record.reason;
  return game;
}

std::optional<std::size_t> Game::undo_ply(Side side, Undo undo) const {
  if (over()) return std::nullopt;
  for (std::size_t ply = count_; ply > start_; --ply) {
    if (mover_of(ply - 1) == side) return ply - 1;
    if (undo == Undo::kUnansweredOnly) return std::nullopt;
  }
  return std::nullopt;
}

Verdict Game::undo(Side side, Undo undo) {
  if (over()) return Verdict::kGameOver;
  const auto ply = undo_ply(side, undo);
  if (!ply) return Verdict::kNothingToUndo;
  rewind(*ply);
  return Verdict::kFine;
}

void Game::rewind(std::size_t ply) {
  assert(ply >= start_ && ply <= count_);
  Game shorter(moves().first(ply));
  shorter.start_ = start_;
  shorter.had_undo_ = had_undo_ || ply < count_;
  *this = shorter;
}

GameRecord Game::record() const {
  return {.first = {},
          .second = {},
          .moves = {moves().begin(), moves().end()},
          .thinking = {},
          .result = result_,
          .reason = reason_,
          .start_moves = start_,
          .had_undo = had_undo_,
          .note = {}};
}

}  // namespace rowbot::game
