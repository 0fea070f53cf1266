// For tests: SQLite's memory, which is refused when a FaultPoint says so.
// Thread safety: as FaultPoint. One at a time in a process.
#pragma once

#include "base/fault_point.h"

namespace rowbot::disk_testing {

class FaultyMemory {
 public:
  /// Requires that no database is open; so does the end. `point` outlives it.
  explicit FaultyMemory(FaultPoint& point);
  ~FaultyMemory();
  FaultyMemory(const FaultyMemory&) = delete;
  FaultyMemory& operator=(const FaultyMemory&) = delete;
  FaultyMemory(FaultyMemory&&) = delete;
  FaultyMemory& operator=(FaultyMemory&&) = delete;
};

}  // namespace rowbot::disk_testing
