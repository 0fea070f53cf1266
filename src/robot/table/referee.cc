#include "robot/table/referee.h"

namespace rowbot::table {

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
    case Verdict::kFoul:
      return "foul";
  }
  return "fine";
}

Verdict judge_move(const game::Position& position, bool over, game::Side who, game::Column column) {
  if (over || position.outcome().finished()) return Verdict::kGameOver;
  if (who != position.to_move()) return Verdict::kNotYourTurn;
  return position.can_play(column) ? Verdict::kFine : Verdict::kColumnFull;
}

BoardVerdict judge_board(const game::Position& known, const game::Position& seen) {
  using Kind = BoardVerdict::Kind;
  if (seen == known) return {};
  for (const game::Column c : game::kAllColumns) {
    if (known.can_play(c) && known.after(c) == seen) return {.kind = Kind::kMove, .column = c};
  }
  return {.kind = Kind::kFoul};
}

}  // namespace rowbot::table
