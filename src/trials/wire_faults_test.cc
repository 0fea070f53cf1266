#include "trials/wire_faults.h"

#include <gtest/gtest.h>

namespace rowbot::trials {
namespace {

void expect_sound(const Result<WireTrialReport>& report) {
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->faults, 100U);
  EXPECT_EQ(report->far_end.limit_violations, 0U) << report->far_end.first_violation;
  EXPECT_EQ(report->hung, 0U);
  EXPECT_EQ(report->unrecovered, 0U);
  EXPECT_EQ(report->unnoticed, 0U);
  EXPECT_EQ(report->first_trouble, "");
}

TEST(WireFaults, AHundredOnTheSerialLineDoNoHarm) {
  const auto report = run_serial_faults({.count = 100, .seed = 5});
  expect_sound(report);
  EXPECT_GT(report->reported, 10U);
  // The arm never answers: what the line does to a byte shows only on the arm.
  EXPECT_GT(report->seen, 10U);
}

TEST(WireFaults, AHundredOnTheRosbridgeDoNoHarm) {
  const auto report = run_rosbridge_faults({.count = 100, .seed = 5});
  expect_sound(report);
  EXPECT_GT(report->reported, 20U);
  EXPECT_EQ(report->seen, 0U);  // here the driver knows by itself
}

}  // namespace
}  // namespace rowbot::trials
