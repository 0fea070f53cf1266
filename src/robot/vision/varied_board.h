// Renders boards as varied as the world: the material the cell network learns from, and a hard
// test.
//
// Frame, discs and what is behind take colours from the whole gamut. The board has real depth: a
// front plate, discs in a slot behind it, a rear plate, each projected by itself, so walls,
// crescents and parallax come out as they do in a photograph. Discs may be embossed, ringed,
// stickered, pierced, or balls in tubes. Some boards stand on their head, some have floating discs,
// some are partly covered, and some are no boards at all.
//
// Thread safety: free functions without shared state; the same seed gives the same pixels on every
// machine with the same OpenCV.
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>

#include "game/grid.h"
#include "robot/vision/geometry.h"

namespace rowbot::vision {

enum class CellTruth : std::uint8_t {
  kEmpty,
  kFirst,
  kSecond,
  kNoCell,   // covered by something, or no hole of a board
  kUnclear,  // half covered: no reader can be blamed
};

struct VariedBoard {
  cv::Mat image;  // 8-bit BGR
  BoardGeometry geometry;
  game::Grid<CellTruth> truth{};
};

[[nodiscard]] VariedBoard render_varied_board(std::uint64_t seed);

/// The geometry as a finder that errs a little would give it.
[[nodiscard]] BoardGeometry disturbed(const BoardGeometry& geometry, std::uint64_t seed);

}  // namespace rowbot::vision
