#include "robot/vision/board_place.h"

#include <cmath>
#include <opencv2/calib3d.hpp>
#include <optional>
#include <vector>

#include "robot/vision/geometry.h"

namespace rowbot::vision {
namespace {

struct PlaneInCamera {
  cv::Matx33d turn;
  cv::Vec3d at;
};

std::optional<PlaneInCamera> place_of(const cell::BoardCorners& corners, const BoardSize& board,
                                      const EyeSize& eye) {
  const double half = (kColumns - 1) / 2.0 * board.column_m;
  const double down = (kRows - 1) * board.row_m;
  // x right, y down, z away from the camera. What is seen of a hole lies between its front and its
  // back rim, so its centre is in the middle plane of the board.
  const std::vector<cv::Point3d> cells = {
      {-half, 0, 0}, {half, 0, 0}, {half, down, 0}, {-half, down, 0}};
  std::vector<cv::Point2d> seen;
  for (const cell::PixelPoint& p : corners) seen.emplace_back(p.x, p.y);
  const double focal = eye.image.height / 2.0 / std::tan(eye.vertical_view_rad / 2);
  const cv::Matx33d camera(focal, 0, eye.image.width / 2.0, 0, focal, eye.image.height / 2.0, 0, 0,
                           1);
  cv::Vec3d rotation;
  cv::Vec3d translation;
  if (!cv::solvePnP(cells, seen, camera, cv::noArray(), rotation, translation, false,
                    cv::SOLVEPNP_IPPE)) {
    return std::nullopt;
  }
  PlaneInCamera placed{.turn = cv::Matx33d::eye(), .at = translation};
  cv::Rodrigues(rotation, placed.turn);
  if (!(translation[2] > 0)) return std::nullopt;
  return placed;
}

}  // namespace

Result<BoardMove> board_move(const cell::BoardCorners& before, const cell::BoardCorners& after,
                             const BoardSize& board, const EyeSize& eye) {
  try {
    const auto was = place_of(before, board, eye);
    const auto is = place_of(after, board, eye);
    if (!was || !is) return Error{"the corners are not those of a board before the camera"};
    const cv::Matx33d turn = was->turn.t() * is->turn;
    const cv::Vec3d shift = was->turn.t() * (is->at - was->at);
    return BoardMove{.along_m = shift[0],
                     .across_m = shift[2],
                     .turned_rad = std::atan2(turn(2, 0), turn(0, 0))};
  } catch (const cv::Exception& error) {
    return Error{"the board's place cannot be measured: " + error.msg};
  }
}

Result<cell::CellLayout> measured_layout(const cell::CellLayout& layout,
                                         const cell::BoardCorners& before,
                                         const cell::BoardCorners& after, const cv::Size& image) {
  const cell::Board& board = layout.board;
  const auto moved =
      board_move(before, after, {.column_m = board.pitch_m, .row_m = 2 * layout.piece.radius_m},
                 {.image = image, .vertical_view_rad = layout.camera.vertical_view_rad});
  if (!moved) return moved.error();
  const Eigen::Vector3d by =
      cell::board_pose(layout).linear() * Eigen::Vector3d(moved->along_m, moved->across_m, 0);
  cell::CellLayout there = cell::with_board_moved(layout, by.head<2>(), moved->turned_rad);
  if (auto sound = cell::check_layout(there); !sound) return sound.error();
  return there;
}

}  // namespace rowbot::vision
