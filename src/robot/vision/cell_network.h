// A small network that tells from the 42 patches of a board which cells hold a disc.
//
// It knows no colours: each patch is measured against the frame's colour and the spread of colours
// on its own board, and cells are compared with each other by attention. Three convolutions make a
// vector of each patch; three transformer blocks (Vaswani et al. 2017, normalised first) let the 42
// vectors look at one another; the last layer gives each cell four logits. It has learned from
// rendered boards only (varied_board.h, scripts/train_cells.py); which of the two disc colours is
// called first is arbitrary and may differ from picture to picture.
//
// Thread safety: free functions over constant weights; call from any thread. About 3 ms a board.
#pragma once

#include <array>

#include "robot/vision/patches.h"

namespace rowbot::vision {

enum CellClass : std::uint8_t { kClassEmpty, kClassFirst, kClassSecond, kClassNoCell };
inline constexpr std::size_t kCellClasses = 4;

/// Log odds of each class, up to a constant.
using CellLogits = std::array<std::array<float, kCellClasses>, kCells>;

[[nodiscard]] CellLogits run_cell_network(const Patches& patches);

}  // namespace rowbot::vision
