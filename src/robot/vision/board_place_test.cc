#include "robot/vision/board_place.h"

#include <cmath>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace rowbot::vision {
namespace {

constexpr BoardSize kMeasured{.column_m = 0.036, .row_m = 0.032};
const EyeSize kMeasuringEye{.image = {640, 480}, .vertical_view_rad = 0.5};

/// A camera 0.7 m before the board, looking down a little, by the textbook.
cell::BoardCorners seen_corners(const BoardMove& moved, double noise_px, Rng& rng) {
  constexpr double kTilt = 0.15;
  const double focal = 240 / std::tan(kMeasuringEye.vertical_view_rad / 2);
  cell::BoardCorners corners;
  const std::array<std::pair<double, double>, 4> cells = {{{-3, 0}, {3, 0}, {3, 5}, {-3, 5}}};
  for (std::size_t i = 0; i < 4; ++i) {
    const double x0 = cells[i].first * kMeasured.column_m;
    const double x = moved.along_m + std::cos(moved.turned_rad) * x0;
    const double y = moved.across_m + std::sin(moved.turned_rad) * x0;
    const double down = cells[i].second * kMeasured.row_m - 0.08;
    const double depth = 0.7 + y * std::cos(kTilt) + down * std::sin(kTilt);
    const double drop = down * std::cos(kTilt) - y * std::sin(kTilt);
    const auto noise = [&] { return noise_px * (2 * rng.uniform() - 1); };
    corners[i] = {320 + focal * x / depth + noise(), 240 + focal * drop / depth + noise()};
  }
  return corners;
}

TEST(BoardPlace, MeasuresHowTheBoardWasMoved) {
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const BoardMove moved{.along_m = 0.03 * (2 * rng.uniform() - 1),
                          .across_m = 0.03 * (2 * rng.uniform() - 1),
                          .turned_rad = 0.2 * (2 * rng.uniform() - 1)};
    const auto found =
        board_move(seen_corners({}, 0, rng), seen_corners(moved, 0, rng), kMeasured, kMeasuringEye);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    EXPECT_NEAR(found->along_m, moved.along_m, 2e-4);
    EXPECT_NEAR(found->across_m, moved.across_m, 5e-4);
    EXPECT_NEAR(found->turned_rad, moved.turned_rad, 5e-3);
  }
}

TEST(BoardPlace, StaysWithinMillimetresWhenTheCornersAreNoisy) {
  Rng rng(2);
  for (int i = 0; i < 200; ++i) {
    const BoardMove moved{.along_m = 0.02, .across_m = -0.01, .turned_rad = 0.1};
    const auto found = board_move(seen_corners({}, 0.3, rng), seen_corners(moved, 0.3, rng),
                                  kMeasured, kMeasuringEye);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->along_m, moved.along_m, 0.002);
    EXPECT_NEAR(found->across_m, moved.across_m, 0.004);
  }
}

TEST(BoardPlace, RefusesCornersThatAreNone) {
  const cell::BoardCorners point{};
  Rng rng(3);
  EXPECT_FALSE(board_move(seen_corners({}, 0, rng), point, kMeasured, kMeasuringEye).has_value());
}

TEST(BoardPlace, TellsHowFarACornerWent) {
  Rng rng(4);
  const cell::BoardCorners before = seen_corners({}, 0, rng);
  EXPECT_EQ(cell::corner_shift(before, before), 0);
  EXPECT_NEAR(cell::corner_shift(before, seen_corners({.along_m = kMeasured.column_m}, 0, rng)), 1,
              0.1);
}

}  // namespace
}  // namespace rowbot::vision
