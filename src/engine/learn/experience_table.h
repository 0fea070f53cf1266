// States in memory: a flat hash table with open addressing, one cache line for each state.
//
//     key (49 bits, bit 63: changed since it was saved)   7 values   7 visit counts      64 bytes
//
// A game against a random opponent asks for a state every few hundred nanoseconds, mostly for one
// that is not in any cache: the whole answer comes with the line that the key is in.
// Thread safety: none; const members may be called by several threads while nobody writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/learn/action_values.h"

namespace rowbot::learn {

class ExperienceTable {
 public:
  ExperienceTable();

  /// Null if the state is not here.
  [[nodiscard]] const ActionValues* find(StateKey key) const;

  /// The state's values, added with nothing known if it was not here. Valid until the next call.
  [[nodiscard]] ActionValues& get_or_add(StateKey key);

  /// The same, and marks the state as changed.
  [[nodiscard]] ActionValues& change(StateKey key);

  /// Every state changed since the last take, in ascending order of the keys. Forgets the marks.
  [[nodiscard]] std::vector<StateKey> take_changed();

  /// Marks states again that could not be saved.
  void mark_changed(const std::vector<StateKey>& keys);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t changed() const { return changed_.size(); }

  /// Makes room for this many states at once.
  void reserve(std::size_t states);

 private:
  struct alignas(64) Slot {
    StateKey tagged_key = 0;  // 0: free; no position has that key
    ActionValues values;
  };

  [[nodiscard]] std::size_t slot_of(StateKey key) const;
  void resize(int bits);

  std::vector<Slot> slots_;
  int bits_ = 0;  // of the number of slots
  std::size_t size_ = 0;
  std::vector<StateKey> changed_;
};

}  // namespace rowbot::learn
