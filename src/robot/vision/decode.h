// Decides what the cells hold, all together.
//
// No colour is known beforehand. Two of the looks that occur on the board may
// be discs; every pair is tried. Under one pair each cell is a disc of either
// colour or a view through the hole, and what boards can be - discs rest on
// discs, both colours come about as often - weighs against what the cells look
// like. The raw reading keeps the colours and drops the rules.
//
// Which colour comes first: the darker one, measured near the rim of the disc,
// unless the colours were told.
//
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <array>
#include <optional>

#include "robot/cell/board_reading.h"
#include "robot/vision/evidence.h"

namespace rowbot::vision {

/// What is known before the look.
struct DecodeHints {
  std::optional<DiscLook> first;  // both or none
  std::optional<DiscLook> second;
  std::optional<cell::BoardCells> last;  // the position a moment ago
  std::optional<std::size_t> changed;    // an empty cell that looks different now, by itself
};

struct Decoded {
  cell::BoardCells board{};
  cell::BoardCells raw{};
  game::Grid<float> confidence{};
  double score = 0;       // log evidence of the best reading; compares readings of one picture
  bool plausible = true;  // no floating disc, no gross imbalance of the colours
  std::optional<DiscLook> first;
  std::optional<DiscLook> second;
};

[[nodiscard]] Decoded decode(const BoardLook& look, const DecodeHints& hints = {});

}  // namespace rowbot::vision
