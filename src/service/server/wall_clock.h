// The time of day as the store keeps it.
// Thread safety: pure functions.
#pragma once

#include <chrono>

#include "service/store/store.h"

namespace rowbot::server {

[[nodiscard]] inline store::Time time_of_day() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace rowbot::server
