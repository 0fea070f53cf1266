// One image in, one BoardReading out.
//
// Thread safety: free functions without shared state; call from any thread.
// They compute on the calling thread: some 30 ms for a cold look, a few
// milliseconds with a calibration.
#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "base/result.h"
#include "robot/cell/board_reading.h"
#include "robot/vision/board_finder.h"
#include "robot/vision/calibration.h"
#include "robot/vision/decode.h"

namespace rowbot::vision {

/// Below this confidence a cell makes the whole reading partial, not good.
inline constexpr float kSureCell = 0.93F;
/// No cell of a reading that is not good is surer than this.
inline constexpr float kUnclearBoard = 0.99F;
/// Below this one the cell itself is reported as hidden.
inline constexpr float kGuessCell = 0.3F;

struct ReadOptions {
  std::optional<Calibration> calibration;
  std::optional<cell::BoardCells> last;  // the position a moment ago
};

/// A reading with what is needed to look again at the same board.
struct Look {
  cell::BoardReading reading;
  std::optional<BoardGeometry> geometry;  // in pixels of the image; none without a board
  double support = 0;                     // share of the rims that fit, 0..1
  std::optional<DiscLook> first;
  std::optional<DiscLook> second;
};

/// Fails only for frames that are no image (see to_bgr()). No board is a
/// reading too: Sight::kNone.
[[nodiscard]] Result<Look> look_at_board(const cv::Mat& image, const ReadOptions& options = {});

/// The centres of the corner cells, as readings give them.
[[nodiscard]] cell::BoardCorners pixel_corners(const BoardGeometry& geometry);

/// A look at something that is no board.
[[nodiscard]] Look no_board();

/// Just the reading.
[[nodiscard]] Result<cell::BoardReading> read_board(const cv::Mat& image,
                                                    const ReadOptions& options = {});

/// Reads cells that look_at_cells() has measured. Leaves `support` at 0.
[[nodiscard]] Look look_at_cells_of(const BoardLook& cells, const BoardGeometry& geometry,
                                    const DecodeHints& hints);

}  // namespace rowbot::vision
