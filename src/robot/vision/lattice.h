// Grows a lattice of like ellipses and fits the plane they lie in.
//
// A round hole seen at an angle is an ellipse; undoing that ellipse undoes the
// angle. So around each hole its neighbours stand at right angles and about
// equal distances once space is measured in radii of that hole. From such a
// corner of three the lattice grows outwards step by step, each step predicted
// from the one before, so perspective needs no model until the end.
//
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "robot/vision/ellipses.h"

namespace rowbot::vision {

struct LatticeNode {
  int column = 0;  // arbitrary origin; columns run to the right in the image
  int row = 0;     // rows run downwards
  Ellipse hole;
};

struct Lattice {
  std::vector<LatticeNode> nodes;
  cv::Matx33d image_from_lattice;  // (column, row, 1) to pixels
};

/// All lattices with at least `min_nodes` holes, largest first; no hole is
/// used twice. Columns run along the axis that is closer to horizontal.
[[nodiscard]] std::vector<Lattice> grow_lattices(const std::vector<Ellipse>& ellipses,
                                                 std::size_t min_nodes = 9);

}  // namespace rowbot::vision
