#include "robot/vision/reader.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "robot/vision/image_file.h"
#include "robot/vision/patches.h"
#include "robot/vision/rims.h"

namespace rowbot::vision {
namespace {

using cell::CellContent;
using cell::Sight;

constexpr double kWorkSize = 960;  // longer side; more pixels add time and noise, not sight

cell::Rgb rgb_of(const DiscLook& look) {
  const cv::Vec3b bgr = bgr_of_lab(look.border);
  return {.red = bgr[2], .green = bgr[1], .blue = bgr[0]};
}

bool hangs(const cell::BoardCells& board) {
  for (std::size_t i = 0; i + kColumns < kCells; ++i) {
    const bool disc = board[i] == CellContent::kFirst || board[i] == CellContent::kSecond;
    if (disc && board[i + kColumns] == CellContent::kEmpty) return true;
  }
  return false;
}

// The same cells turned by half a turn.
BoardLook turned(const BoardLook& look) {
  BoardLook out = look;
  std::reverse(out.cells.begin(), out.cells.end());
  std::reverse(out.disc_odds.begin(), out.disc_odds.end());
  std::reverse(out.no_cell_odds.begin(), out.no_cell_odds.end());
  return out;
}

Look look_of(const Decoded& decoded, const BoardGeometry& geometry) {
  Look look;
  look.geometry = geometry;
  cell::BoardReading& out = look.reading;
  out.board = decoded.board;
  out.raw = decoded.raw;
  out.confidence = decoded.confidence;
  out.sight = decoded.plausible ? Sight::kGood : Sight::kPartial;
  for (std::size_t i = 0; i < kCells; ++i) {
    if (out.confidence[i] < kGuessCell) out.board[i] = CellContent::kHidden;
    if (out.confidence[i] < kSureCell) out.sight = Sight::kPartial;
  }
  // Where one cell is unclear, what makes it unclear may touch the others.
  if (out.sight != Sight::kGood) {
    for (float& c : out.confidence) c = std::min(c, kUnclearBoard);
  }
  out.corners = pixel_corners(geometry);
  look.first = decoded.first;
  look.second = decoded.second;
  if (look.first) out.first_colour = rgb_of(*look.first);
  if (look.second) out.second_colour = rgb_of(*look.second);
  return look;
}

}  // namespace

Look no_board() {
  Look none;
  none.reading.board.fill(CellContent::kHidden);
  none.reading.raw.fill(CellContent::kHidden);
  return none;
}

cell::BoardCorners pixel_corners(const BoardGeometry& geometry) {
  const auto corner = [&geometry](int column, int row) {
    const cv::Point2d p = geometry.center(column, row);
    return cell::PixelPoint{p.x, p.y};
  };
  return {corner(0, 0), corner(kColumns - 1, 0), corner(kColumns - 1, kRows - 1),
          corner(0, kRows - 1)};
}

Look look_at_cells_of(const BoardLook& cells, const BoardGeometry& geometry,
                      const DecodeHints& hints) {
  const Decoded upright = decode(cells, hints);
  // Discs that hang from the top in a picture of an unknown board: it may stand on its head. One
  // or two floating discs do not make it so.
  if (!hints.last && hangs(upright.raw)) {
    constexpr double kOnItsHead = 15;  // nats; two floating discs cost less
    const Decoded other = decode(turned(cells), hints);
    if (other.score > upright.score + kOnItsHead && !hangs(other.board)) {
      BoardGeometry half_turn = geometry;
      half_turn.image_from_board =
          geometry.image_from_board * cv::Matx33d(-1, 0, kColumns - 1, 0, -1, kRows - 1, 0, 0, 1);
      Look look = look_of(other, half_turn);
      look.reading.upside_down = true;
      return look;
    }
  }
  return look_of(upright, geometry);
}

Result<Look> look_at_board(const cv::Mat& image, const ReadOptions& options) {
  auto bgr = to_bgr(image);
  if (!bgr) return bgr.error();
  cv::Mat work = *bgr;
  const int longer = std::max(work.cols, work.rows);
  const double factor = std::min(1.0, kWorkSize / longer);
  if (std::min(work.cols, work.rows) * factor < 24) return no_board();
  if (factor < 1) cv::resize(*bgr, work, cv::Size(), factor, factor, cv::INTER_AREA);

  DecodeHints hints;
  hints.last = options.last;
  BoardGeometry geometry;
  double support = 1;
  if (options.calibration) {
    const Calibration& c = *options.calibration;
    hints.first = c.first;
    hints.second = c.second;
  }
  const bool known = options.calibration && options.calibration->image_size == bgr->size();
  if (known) geometry = options.calibration->geometry.scaled(factor);
  if (!known || rim_support(work, geometry) < 0.5) {
    const auto found = find_board(work);
    if (!found) {
      return no_board();
    }
    geometry = found->geometry;
    support = found->support;
  }
  BoardLook cells = look_at_cells(work, geometry);
  if (!hints.first) ask_cell_network(work, geometry, cells);
  Look look = look_at_cells_of(cells, geometry, hints);
  // A hole with fewer pixels than its patch has no detail to bet on.
  const double hole_px =
      2 * geometry.radius_x * cv::norm(geometry.center(3, 2) - geometry.center(2, 2));
  if (hole_px < kPatchSide / kPatchReach && look.reading.sight == Sight::kGood) {
    look.reading.sight = Sight::kPartial;
    for (float& c : look.reading.confidence) c = std::min(c, kUnclearBoard);
  }
  look.support = support;
  look.geometry = look.geometry->scaled(1 / factor);
  for (cell::PixelPoint& p : look.reading.corners) p = {p.x / factor, p.y / factor};
  return look;
}

Result<cell::BoardReading> read_board(const cv::Mat& image, const ReadOptions& options) {
  auto look = look_at_board(image, options);
  if (!look) return look.error();
  return look->reading;
}

}  // namespace rowbot::vision
