#include "robot/vision/board_finder.h"

#include <gtest/gtest.h>

#include "robot/vision/ellipses.h"
#include "robot/vision/lattice.h"
#include "robot/vision/synthetic.h"

namespace rowbot::vision {
namespace {

// Largest distance of a corner cell from the truth, in column pitches.
double corner_error(const BoardGeometry& found, const BoardGeometry& truth) {
  const double pitch = cv::norm(truth.center(3, 2) - truth.center(2, 2));
  double worst = 0;
  for (const auto& [c, r] : {std::pair(0, 0), {6, 0}, {0, 5}, {6, 5}}) {
    worst = std::max(worst, cv::norm(found.center(c, r) - truth.center(c, r)) / pitch);
  }
  return worst;
}

BoardScene plain_scene() {
  Rng rng(5);
  BoardScene scene;
  scene.cells = random_cells(rng, 20);
  return scene;
}

TEST(Ellipses, OfADrawnEllipseHasItsCentreAndAxes) {
  cv::Mat image(200, 300, CV_8UC3, cv::Scalar(200, 200, 200));
  for (int y = 0; y < image.rows; ++y) {
    for (int x = 0; x < image.cols; ++x) {
      const double q = std::pow((x - 140.3) / 30, 2) + std::pow((y - 90.6) / 18, 2);
      if (q < 1) image.at<cv::Vec3b>(y, x) = cv::Vec3b(40, 40, 40);
    }
  }
  const auto found = find_ellipses(image, {.max_area_share = 0.2F});
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(found[0].center.x, 140.3, 0.5);
  EXPECT_NEAR(found[0].center.y, 90.6, 0.5);
  EXPECT_NEAR(std::sqrt(found[0].shape(0, 0)), 30, 1.5);
  EXPECT_NEAR(std::sqrt(found[0].shape(1, 1)), 18, 1.5);
  EXPECT_NEAR(found[0].shape(0, 1), 0, 15);
}

TEST(Ellipses, AreNotSquares) {
  cv::Mat image(200, 300, CV_8UC3, cv::Scalar(200, 200, 200));
  image(cv::Rect(100, 60, 60, 60)).setTo(cv::Scalar(30, 30, 30));
  EXPECT_TRUE(find_ellipses(image, {.max_area_share = 0.2F}).empty());
}

TEST(Lattice, OfDotsInPerspectivePutsEveryDotInItsPlace) {
  const cv::Matx33d plane(52, 6, 100, -4, 47, 80, -0.012, 0.008, 1);
  std::vector<Ellipse> dots;
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 7; ++c) {
      const cv::Point2d at = project(plane, c, r);
      const double step = cv::norm(project(plane, c + 1, r) - at);
      const auto radius = static_cast<float>(0.37 * step);
      dots.push_back({.center = cv::Point2f(at),
                      .shape = cv::Matx22f(radius * radius, 0, 0, radius * radius),
                      .area = 3.14F * radius * radius});
    }
  }
  const auto lattices = grow_lattices(dots);
  ASSERT_EQ(lattices.size(), 1);
  EXPECT_EQ(lattices[0].nodes.size(), 42);
  for (const LatticeNode& n : lattices[0].nodes) {
    const cv::Point2d p = project(lattices[0].image_from_lattice, n.column, n.row);
    EXPECT_LT(cv::norm(p - cv::Point2d(n.hole.center)), 0.5);
  }
}

TEST(FindBoard, FindsTheCornersAtAnyAngleTheCameraMayStand) {
  for (const double yaw : {-42.0, -20.0, 0.0, 20.0, 42.0}) {
    for (const double pitch : {-25.0, 0.0, 25.0}) {
      BoardScene scene = plain_scene();
      scene.yaw_deg = yaw;
      scene.pitch_deg = pitch;
      scene.roll_deg = yaw / 3;
      scene.width_share = 0.6;
      const RenderedBoard board = render_board(scene);
      const auto found = find_board(board.image);
      ASSERT_TRUE(found.has_value()) << "yaw " << yaw << " pitch " << pitch;
      EXPECT_LT(corner_error(found->geometry, board.geometry), 0.15)
          << "yaw " << yaw << " pitch " << pitch;
    }
  }
}

TEST(FindBoard, FindsSmallAndLargeBoards) {
  for (const double share : {0.2, 0.4, 0.85}) {
    BoardScene scene = plain_scene();
    scene.width_share = share;
    const RenderedBoard board = render_board(scene);
    const auto found = find_board(board.image);
    ASSERT_TRUE(found.has_value()) << share;
    EXPECT_LT(corner_error(found->geometry, board.geometry), 0.15) << share;
  }
}

TEST(FindBoard, FindsFramesOfAnyColour) {
  for (const cell::Rgb frame :
       {cell::Rgb{20, 60, 170}, cell::Rgb{225, 190, 40}, cell::Rgb{230, 230, 225},
        cell::Rgb{30, 30, 32}, cell::Rgb{190, 150, 100}}) {
    BoardScene scene = plain_scene();
    scene.frame = frame;
    scene.second = {40, 160, 80};
    scene.backdrop_colour = {150, 150, 150};
    const RenderedBoard board = render_board(scene);
    const auto found = find_board(board.image);
    ASSERT_TRUE(found.has_value()) << cell::colour_text(frame);
    EXPECT_LT(corner_error(found->geometry, board.geometry), 0.15) << cell::colour_text(frame);
  }
}

TEST(FindBoard, SeesNoBoardInCheckerboardsGridsCartonsAndText) {
  for (std::uint64_t seed = 0; seed < 66; ++seed) {
    const Decoy decoy = render_decoy(seed);
    EXPECT_FALSE(find_board(decoy.image).has_value()) << decoy.name << ", seed " << seed;
  }
}

TEST(FindBoard, SeesNoBoardInEmptyAndFlatImages) {
  EXPECT_FALSE(find_board(cv::Mat(1, 1, CV_8UC3, cv::Scalar(9, 9, 9))).has_value());
  EXPECT_FALSE(find_board(cv::Mat(480, 640, CV_8UC3, cv::Scalar(90, 9, 200))).has_value());
  EXPECT_FALSE(find_board(cv::Mat(3, 2000, CV_8UC3, cv::Scalar(0, 0, 0))).has_value());
}

}  // namespace
}  // namespace rowbot::vision
