// Compares readings with labels that people wrote.
//
// Thread safety: plain values and free functions; call from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "robot/cell/board_reading.h"

namespace rowbot::vision {

/// One line of a label file: tab-separated, the first line that is no comment
/// names the columns; file, group, status and board are used.
struct PhotoLabel {
  std::string file;
  std::string group;
  bool refuse = false;  // status "partial": the photograph must not be read as a whole board
  cell::BoardCells board{};
};

[[nodiscard]] Result<std::vector<PhotoLabel>> parse_labels(std::string_view text);

/// Sums over photographs. Which colour is A is not part of the comparison: the
/// better of both assignments counts. Cells labelled hidden do not count.
struct Tally {
  int photos = 0;
  int exact = 0;
  int cells = 0;
  int cells_right = 0;
  int confident_wrong = 0;        // boards read as good that are not what the label says
  int confident_wrong_cells = 0;  // cells with a confidence above 0.99 that are wrong
  int refused = 0;                // no board given: none or moving
  int must_refuse = 0;            // labelled as no whole board; not part of photos and cells
  int must_refuse_right = 0;      // of these, read as anything but good

  friend bool operator==(const Tally&, const Tally&) = default;
};

/// Adds one photograph to the sums.
/// Returns true when the reading is exactly right.
bool add_to_tally(const PhotoLabel& label, const cell::BoardReading& reading, Tally& tally);

}  // namespace rowbot::vision
