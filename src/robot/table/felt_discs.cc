#include "robot/table/felt_discs.h"

#include <algorithm>

namespace rowbot::table {

using game::Column;

void FeltDiscs::add(Source source, Column column, double now_s) {
  const auto known = source == Source::kSwitch ? &Felt::by_switch : &Felt::by_person;
  const auto same = std::ranges::find_if(
      waiting_, [&](const Felt& felt) { return felt.column == column && !(felt.*known); });
  if (same != waiting_.end()) {
    (*same).*known = true;
    return;
  }
  Felt felt{.column = column, .at_s = now_s};
  felt.*known = true;
  waiting_.push_back(felt);
}

void FeltDiscs::explain(Column column) {
  const auto found = std::ranges::find(waiting_, column, &Felt::column);
  if (found != waiting_.end()) waiting_.erase(found);
}

int FeltDiscs::count(Column column) const {
  return static_cast<int>(std::ranges::count(waiting_, column, &Felt::column));
}

std::optional<Column> FeltDiscs::first() const {
  if (waiting_.empty()) return std::nullopt;
  return waiting_.front().column;
}

std::optional<Column> FeltDiscs::other_than(Column column) const {
  const auto found =
      std::ranges::find_if(waiting_, [&](const Felt& felt) { return felt.column != column; });
  if (found == waiting_.end()) return std::nullopt;
  return found->column;
}

std::optional<Column> FeltDiscs::overdue(double now_s, double patience_s) const {
  if (waiting_.empty() || now_s - waiting_.front().at_s <= patience_s) return std::nullopt;
  return waiting_.front().column;
}

}  // namespace rowbot::table
