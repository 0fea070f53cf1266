#include "robot/vision/calibration.h"

#include <gtest/gtest.h>

namespace rowbot::vision {
namespace {

Calibration example() {
  Calibration c;
  c.image_size = {640, 480};
  const auto g = geometry_from_corners({{{100, 80}, {520, 70}, {540, 400}, {90, 390}}});
  c.geometry = *g;
  c.geometry.radius_x = 0.35;
  c.geometry.radius_y = 0.39;
  c.first = {{45, 55, 30}, {42, 50, 28}};
  c.second = {{76, 2, 68}, {72, 3, 60}};
  return c;
}

TEST(Calibration, IsReadBackAsItWasWritten) {
  const Calibration c = example();
  const auto back = parse_calibration(calibration_text(c));
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(back->image_size, c.image_size);
  EXPECT_LT(cv::norm(back->geometry.center(6, 5) - c.geometry.center(6, 5)), 1e-3);
  EXPECT_DOUBLE_EQ(back->geometry.radius_y, 0.39);
  EXPECT_LT(cv::norm(back->second.border - c.second.border), 1e-3);
}

TEST(Calibration, ThatIsNoneIsRefusedWithAReason) {
  for (const char* text : {"", "{}", "[1,2]", "{\"rowbot_eyes\":2}", "no json"}) {
    const auto c = parse_calibration(text);
    ASSERT_FALSE(c.has_value()) << text;
    EXPECT_FALSE(c.error().message.empty());
  }
}

TEST(Corners, MustGoClockwiseAroundTheBoard) {
  EXPECT_TRUE(geometry_from_corners({{{0, 0}, {60, 0}, {60, 50}, {0, 50}}}).has_value());
  EXPECT_FALSE(geometry_from_corners({{{60, 0}, {0, 0}, {0, 50}, {60, 50}}}).has_value());
  EXPECT_FALSE(geometry_from_corners({{{0, 0}, {0, 0}, {0, 0}, {0, 0}}}).has_value());
  EXPECT_FALSE(geometry_from_corners({{{0, 0}, {60, 0}, {10, 10}, {0, 50}}}).has_value());
}

}  // namespace
}  // namespace rowbot::vision
