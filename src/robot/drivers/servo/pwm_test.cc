#include "robot/drivers/servo/pwm.h"

#include <gtest/gtest.h>

namespace rowbot::drivers {
namespace {

TEST(Pwm, ThePapersNumbersComeOut) {
  EXPECT_DOUBLE_EQ(pwm_period_s(50), 0.020);
  EXPECT_EQ(pwm_range(0.020, 100e-6), 200);
  EXPECT_EQ(pwm_clock_divider(19.2e6, 50, 200), 1920);
  EXPECT_EQ(pwm_clock_divider(19.2e6, 50, 520), 739);
}

TEST(Pwm, ThePapersTableOfValuesComesOut) {
  const PwmSetting setting = *pwm_setting({}, 50, 0);
  const PulseRange mg90s = (*servo_kind_by_name("MG90S"))->pulses;
  EXPECT_EQ(pwm_value(setting, pulse_us(mg90s, 0) / 1e6), 5);
  EXPECT_EQ(pwm_value(setting, pulse_us(mg90s, 90) / 1e6), 14);
  EXPECT_EQ(pwm_value(setting, pulse_us(mg90s, 180) / 1e6), 23);
  const PwmSetting finer = *pwm_setting({}, 50, 520);
  EXPECT_EQ(pwm_value(finer, pulse_us(mg90s, 180) / 1e6), 60);
}

TEST(Pwm, AnAngleComesBackFromItsPulse) {
  const PulseRange range{.min_us = 600, .max_us = 2400, .travel_deg = 170};
  for (double angle = -10; angle <= 190; angle += 0.7) {
    EXPECT_NEAR(angle_deg(range, pulse_us(range, angle)), angle, 1e-9);
  }
}

TEST(Pwm, RefusesWhatNoPwmUnitCanDo) {
  EXPECT_FALSE(pwm_setting({}, 0, 0).has_value());
  EXPECT_FALSE(pwm_setting({}, 50, 1).has_value());
  EXPECT_FALSE(pwm_setting({}, 50, 10'000'000).has_value());
  EXPECT_FALSE(servo_kind_by_name("MG91").has_value());
}

TEST(Pwm, ThePrescaleOfTheDataSheetsExampleComesOut) {
  // PCA9685 data sheet, 7.3.5: 200 Hz with the 25 MHz oscillator is 1Eh.
  EXPECT_EQ(*pca9685_prescale(25e6, 200), 0x1E);
  EXPECT_NEAR(pca9685_period_s(25e6, *pca9685_prescale(25e6, 50)), 0.020, 0.0001);
  EXPECT_FALSE(pca9685_prescale(25e6, 10).has_value());
  EXPECT_FALSE(pca9685_prescale(25e6, 5000).has_value());
}

}  // namespace
}  // namespace rowbot::drivers
