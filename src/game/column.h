// One of the seven columns: 0 to 6 for programs, 1 to 7 for people.
// Thread safety: a plain value.
#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstdint>
#include <optional>

#include "game/bits.h"

namespace rowbot::game {

class Column {
 public:
  /// Requires 0 <= index < 7.
  explicit constexpr Column(int index) : index_(static_cast<std::uint8_t>(index)) {
    assert(index >= 0 && index < kColumns);
  }

  /// The column people call '1' to '7'.
  [[nodiscard]] static constexpr std::optional<Column> from_digit(char digit) {
    if (digit < '1' || digit > '7') return std::nullopt;
    return Column(digit - '1');
  }

  [[nodiscard]] constexpr int index() const { return index_; }
  [[nodiscard]] constexpr int number() const { return index_ + 1; }
  [[nodiscard]] constexpr char digit() const { return static_cast<char>('1' + index_); }
  [[nodiscard]] constexpr Column mirrored() const { return Column(kColumns - 1 - index_); }

  friend constexpr auto operator<=>(Column, Column) = default;

 private:
  std::uint8_t index_;
};

inline constexpr std::array kAllColumns{Column(0), Column(1), Column(2), Column(3),
                                        Column(4), Column(5), Column(6)};

}  // namespace rowbot::game
