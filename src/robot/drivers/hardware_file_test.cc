#include "robot/drivers/hardware_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rowbot::drivers {
namespace {

using testing::HasSubstr;

std::string complaint(std::string_view text) {
  const auto hardware = parse_hardware(text);
  return hardware ? "" : hardware.error().message;
}

TEST(HardwareFile, WhatIsWrittenIsReadAgain) {
  for (const WireKind wire : {WireKind::kSysfs, WireKind::kGpio, WireKind::kI2c}) {
    Hardware hardware{.layout = "my \"cell\".toml", .camera = "/dev/video0"};
    hardware.servos = default_calibration(wire);
    hardware.servos->joints[1].trim_deg = -2.25;
    hardware.panel = PanelWiring{.restart = 4};
    const auto again = parse_hardware(hardware_text(hardware));
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(*again, hardware);
  }
}

TEST(HardwareFile, ThePapersMixtureOfHardwareAndSoftwarePulsesCanBeWritten) {
  const auto hardware = parse_hardware(R"(
version = 1
[servos]
wire = "sysfs"
[[servos.joint]]
name = "base"
channel = 0
[[servos.joint]]
name = "main arm"
channel = 1
centre_deg = 80
[[servos.joint]]
name = "forearm"
wire = "gpio"
channel = 20
centre_deg = -17
[servos.gripper]
wire = "gpio"
channel = 21
)");
  ASSERT_TRUE(hardware.has_value()) << hardware.error().message;
  EXPECT_EQ(hardware->servos->joints[0].wire, WireKind::kSysfs);
  EXPECT_EQ(hardware->servos->joints[2].wire, WireKind::kGpio);
}

TEST(HardwareFile, ErrorsNameTheLineAndTheKey) {
  EXPECT_THAT(complaint("version = 2"), HasSubstr("version 2"));
  EXPECT_THAT(complaint("version = 1\n[servos]\nwire = \"spi\""), HasSubstr("line 3"));
  EXPECT_THAT(complaint("version = 1\n[servos]\nfrequenzy_hz = 50"), HasSubstr("frequenzy_hz"));
  EXPECT_THAT(complaint("version = 1\n[panel]\ncolumns = [1, 2]"), HasSubstr("list of 7"));
  EXPECT_THAT(complaint("version = 1\n[panel]\nrestart = 17"), HasSubstr("share a line"));
  EXPECT_THAT(complaint("version = 1\n[servos]\n[[servos.joint]]\nchannel = 0"),
              HasSubstr("3 joints"));
  EXPECT_THAT(complaint("version = 1\n[servos.gripper]\nchannel = 0"),
              HasSubstr("share a channel"));
  EXPECT_THAT(complaint("version = "), HasSubstr("line 1"));
}

}  // namespace
}  // namespace rowbot::drivers
