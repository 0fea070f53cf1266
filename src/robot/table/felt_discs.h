// Discs that switches felt or people told of, and that are not in the record yet.
// Thread safety: none; of the thread that plays.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "game/column.h"

namespace rowbot::table {

class FeltDiscs {
 public:
  enum class Source : std::uint8_t { kSwitch, kPerson };

  /// Whoever types what a switch has felt, or the other way round, means the same disc.
  void add(Source source, game::Column column, double now_s);
  /// One disc of this column is accounted for.
  void explain(game::Column column);
  void clear() { waiting_.clear(); }

  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  [[nodiscard]] int count(game::Column column) const;
  /// The one that has waited longest.
  [[nodiscard]] std::optional<game::Column> first() const;
  /// The first one of another column.
  [[nodiscard]] std::optional<game::Column> other_than(game::Column column) const;
  /// One that has waited for more than `patience_s`.
  [[nodiscard]] std::optional<game::Column> overdue(double now_s, double patience_s) const;

 private:
  struct Felt {
    game::Column column{0};
    double at_s = 0;
    bool by_switch = false;
    bool by_person = false;
  };

  std::vector<Felt> waiting_;  // oldest first
};

}  // namespace rowbot::table
