#include "robot/vision/reader.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "robot/vision/image_file.h"
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
  Look look;
  look.geometry = geometry;
  const Decoded decoded = decode(cells, hints);
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
  Look look = look_at_cells_of(look_at_cells(work, geometry), geometry, hints);
  look.support = support;
  look.geometry = geometry.scaled(1 / factor);
  for (cell::PixelPoint& p : look.reading.corners) p = {p.x / factor, p.y / factor};
  return look;
}

Result<cell::BoardReading> read_board(const cv::Mat& image, const ReadOptions& options) {
  auto look = look_at_board(image, options);
  if (!look) return look.error();
  return look->reading;
}

}  // namespace rowbot::vision
