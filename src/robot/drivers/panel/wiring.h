// Which line of the GPIO chip each of the panel's switches is soldered to.
// Thread safety: plain values.
#pragma once

#include <array>
#include <string>

namespace rowbot::drivers {

struct PanelWiring {
  std::string chip = "/dev/gpiochip0";
  std::array<int, 7> columns = {17, 27, 22, 5, 6, 13, 26};
  std::array<int, 2> rocker = {23, 24};  // moderate and hard; neither is easy
  int restart = 25;
  double stuck_s = 3;  // a switch held longer than this is reported

  friend bool operator==(const PanelWiring&, const PanelWiring&) = default;
};

}  // namespace rowbot::drivers
