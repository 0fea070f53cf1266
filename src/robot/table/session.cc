#include "robot/table/session.h"

#include <cassert>
#include <cstddef>
#include <utility>

#include "fmt/core.h"

namespace rowbot::table {
namespace {

using game::Column;
using game::EndReason;
using game::GameResult;
using game::Position;
using game::Side;

Side mover_of(std::size_t ply) { return ply % 2 == 0 ? Side::kFirst : Side::kSecond; }

Position position_after(const std::vector<Column>& moves) {
  Position position;
  for (const Column c : moves) position = position.after(c);
  return position;
}

/// Result and reason as the board alone decides them.
void settle(Snapshot& snapshot) {
  snapshot.result = snapshot.position.outcome().result;
  switch (snapshot.result) {
    case GameResult::kOngoing:
      snapshot.reason = EndReason::kOngoing;
      return;
    case GameResult::kFirstWins:
    case GameResult::kSecondWins:
      snapshot.reason = EndReason::kFourInARow;
      return;
    case GameResult::kDraw:
      snapshot.reason = EndReason::kBoardFull;
      return;
  }
}

}  // namespace

std::optional<Side> Snapshot::turn() const {
  if (over()) return std::nullopt;
  return position.to_move();
}

std::optional<int> Snapshot::undo_ply(Side side) const {
  if (over()) return std::nullopt;  // a result counts once and stands
  for (std::size_t ply = moves.size(); ply > setup.start.size(); --ply) {
    if (mover_of(ply - 1) != side) continue;
    if (setup.apart && ply != moves.size()) return std::nullopt;
    return static_cast<int>(ply - 1);
  }
  return std::nullopt;
}

Session::Session(Setup setup, std::unique_ptr<Board> board) : board_(std::move(board)) {
  Snapshot first;
  first.moves = setup.start;
  first.setup = std::move(setup);
  first.position = position_after(first.moves);
  settle(first);
  board_->set(first.position);
  now_ = std::make_shared<const Snapshot>(std::move(first));
}

Result<Session> Session::resume(Setup setup, std::unique_ptr<Board> board,
                                const std::vector<Column>& moves, GameResult result,
                                EndReason reason, bool helped) {
  Session session(std::move(setup), std::move(board));
  for (const Column c : moves) {
    const Side side = session.now_->position.to_move();
    if (session.play({.side = side, .column = c}).verdict != Verdict::kFine) {
      return Error{fmt::format("the stored game has an illegal move after {} moves",
                               session.now_->moves.size())};
    }
  }
  Snapshot next = *session.now_;
  next.helped = helped;
  if (next.over() ? (next.result != result || next.reason != reason)
                  : (reason == EndReason::kFourInARow || reason == EndReason::kBoardFull)) {
    return Error{"the stored game's result does not fit its moves"};
  }
  next.result = result;
  next.reason = reason;
  session.publish(std::move(next));
  return session;
}

void Session::publish(Snapshot next) {
  ++next.version;
  now_ = std::make_shared<const Snapshot>(std::move(next));
}

Outcome Session::play(const Play& command) {
  if (command.ply && *command.ply != static_cast<int>(now_->moves.size())) {
    const auto ply = static_cast<std::size_t>(*command.ply);
    const bool made = *command.ply >= 0 && ply < now_->moves.size() &&
                      ply >= now_->setup.start.size() && now_->moves[ply] == command.column &&
                      mover_of(ply) == command.side;
    if (made) return {.verdict = Verdict::kFine, .repeated = true};
    return {.verdict = now_->over() ? Verdict::kGameOver : Verdict::kStale};
  }
  const Verdict verdict = judge_move(now_->position, now_->over(), command.side, command.column);
  if (verdict != Verdict::kFine) return {.verdict = verdict};

  board_->drop(command.column);
  const BoardVerdict seen = judge_board(now_->position, board_->look());
  if (seen.kind != BoardVerdict::Kind::kMove || seen.column != command.column) {
    return {.verdict = Verdict::kFoul};
  }
  Snapshot next = *now_;
  next.moves.push_back(command.column);
  next.position = next.position.after(command.column);
  settle(next);
  publish(std::move(next));
  return {};
}

Verdict Session::take_back(Side side) {
  if (now_->over()) return Verdict::kGameOver;
  const auto ply = now_->undo_ply(side);
  if (!ply) return Verdict::kNothingToUndo;
  Snapshot next = *now_;
  next.moves.erase(next.moves.begin() + *ply, next.moves.end());
  next.position = position_after(next.moves);
  next.helped = true;
  board_->set(next.position);
  publish(std::move(next));
  return Verdict::kFine;
}

Verdict Session::resign(Side side) {
  if (now_->over()) return Verdict::kGameOver;
  Snapshot next = *now_;
  next.result = win_of(other(side));
  next.reason = EndReason::kResigned;
  publish(std::move(next));
  return Verdict::kFine;
}

}  // namespace rowbot::table
