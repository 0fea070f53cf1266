// Measures what each cell of a located board looks like.
//
// Each hole is sampled on rings around its centre, in Lab colours. The middle
// and the border are kept apart: many discs carry a sticker or an embossed
// picture, and a thick frame shows its own wall along one side of an empty hole.
//
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <array>
#include <opencv2/core.hpp>

#include "robot/vision/colour.h"
#include "robot/vision/geometry.h"

namespace rowbot::vision {

/// What one cell looks like.
struct CellLook {
  Lab inner;         // median of the middle
  Lab border;        // median near the rim, still inside the hole
  float spread = 0;  // how far the middle strays from its median, in Lab units
  float border_spread = 0;
  Lab around;             // median of the ring of frame around the hole
  float frame_share = 1;  // share of that ring that has the frame's colour
  float rim_share = 1;    // share of the rim with a step in colour from the hole to the frame
  float wall_share = 0;   // share of the rim along which the frame's own wall shows inside the
                          // hole: a view through a thick frame has it, a disc hides it
  bool in_image = true;
};

struct BoardLook {
  std::array<CellLook, kCells> cells;  // row by row from the top left
  Lab frame;
  /// Log odds that the cell holds a disc, from the cell network; 0 says nothing.
  std::array<float, kCells> disc_odds{};
  std::array<float, kCells> no_cell_odds{};  // likewise that there is no open cell
  /// How much the network's word counts beside the colours; chosen by leaving out one source of
  /// photographs at a time (`cell_samples sources`, docs/vision.md).
  float network_weight = 0.25F;
};

[[nodiscard]] BoardLook look_at_cells(const cv::Mat& image, const BoardGeometry& geometry);

/// Adds what the cell network says. Worth its few milliseconds while the disc colours are unknown.
void ask_cell_network(const cv::Mat& image, const BoardGeometry& geometry, BoardLook& look);

}  // namespace rowbot::vision
