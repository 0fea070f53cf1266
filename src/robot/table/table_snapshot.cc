#include "robot/table/table_snapshot.h"

namespace rowbot::table {

bool under_way(const TableSnapshot& now) {
  return now.record && !now.record->game.moves().empty() && !now.record->over();
}

Verdict judge_wish(const TableSnapshot& now, const MoveWish& wish) {
  if (!now.record || wish.game != now.game || wish.ply != now.record->game.moves().size()) {
    return Verdict::kStale;
  }
  const Verdict verdict = now.record->game.judge(now.human, wish.column);
  // Before, during and after trouble the game may wait for the visitor while the table does not.
  return verdict == Verdict::kFine && now.request != Request::kPlay ? Verdict::kNotYourTurn
                                                                    : verdict;
}

}  // namespace rowbot::table
