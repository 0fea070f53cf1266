#include "engine/learn/experience_table.h"

#include <algorithm>
#include <utility>

namespace rowbot::learn {
namespace {

constexpr StateKey kChangedBit = StateKey{1} << 63;
constexpr int kFirstBits = 10;

StateKey untagged(StateKey tagged) { return tagged & ~kChangedBit; }

}  // namespace

ExperienceTable::ExperienceTable() { resize(kFirstBits); }

/// The slot of the key, or the free one where it belongs.
std::size_t ExperienceTable::slot_of(StateKey key) const {
  // The golden ratio spreads keys that differ in few bits over the high bits of the product.
  std::size_t at = (key * 0x9e3779b97f4a7c15U) >> (64 - bits_);
  while (slots_[at].tagged_key != 0 && untagged(slots_[at].tagged_key) != key) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return at;
}

const ActionValues* ExperienceTable::find(StateKey key) const {
  const Slot& slot = slots_[slot_of(key)];
  return slot.tagged_key == 0 ? nullptr : &slot.values;
}

ActionValues& ExperienceTable::get_or_add(StateKey key) {
  std::size_t at = slot_of(key);
  if (slots_[at].tagged_key == 0) {
    if (++size_ > slots_.size() / 8 * 5) {
      resize(bits_ + 1);
      at = slot_of(key);
    }
    slots_[at].tagged_key = key;
  }
  return slots_[at].values;
}

ActionValues& ExperienceTable::change(StateKey key) {
  ActionValues& values = get_or_add(key);
  StateKey& tagged = slots_[slot_of(key)].tagged_key;
  if ((tagged & kChangedBit) == 0) {
    tagged |= kChangedBit;
    changed_.push_back(key);
  }
  return values;
}

std::vector<StateKey> ExperienceTable::take_changed() {
  std::vector<StateKey> keys = std::exchange(changed_, {});
  std::sort(keys.begin(), keys.end());
  for (const StateKey key : keys) slots_[slot_of(key)].tagged_key = key;
  return keys;
}

void ExperienceTable::mark_changed(const std::vector<StateKey>& keys) {
  for (const StateKey key : keys) (void)change(key);
}

void ExperienceTable::reserve(std::size_t states) {
  int bits = bits_;
  while (states > (std::size_t{1} << bits) / 8 * 5) ++bits;
  if (bits > bits_) resize(bits);
}

void ExperienceTable::resize(int bits) {
  std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(std::size_t{1} << bits));
  bits_ = bits;
  for (const Slot& slot : before) {
    if (slot.tagged_key != 0) slots_[slot_of(untagged(slot.tagged_key))] = slot;
  }
}

}  // namespace rowbot::learn
