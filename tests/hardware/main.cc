// The first and only program of a small system: tries the drivers on the kernel's interfaces and
// switches the system off.
#include <cstdio>
#include <gtest/gtest.h>
#include <linux/reboot.h>
#include <sys/reboot.h>
#include <unistd.h>

#include "far_side.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (::getpid() == 1) rowbot::hardware::prepare_system();
  const int failed = RUN_ALL_TESTS();
  // The host looks for this line: a system that falls over says nothing.
  std::printf("rowbot-hardware-test: %s\n", failed == 0 ? "all passed" : "FAILED");
  std::fflush(stdout);
  if (::getpid() == 1) {
    ::sync();
    ::reboot(LINUX_REBOOT_CMD_RESTART);
  }
  return failed;
}
