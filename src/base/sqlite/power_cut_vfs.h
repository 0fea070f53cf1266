// For tests: a SQLite VFS over the system's own that records what SQLite does to the disk and can
// let a call fail. While one exists it is the default, so that the code under test need not know.
// The log's index (-shm) is memory, gone after a power cut, and not recorded.
// Thread safety: as DiskRecording and FaultPoint. One at a time in a process.
#pragma once

#include "base/disk_recording.h"
#include "base/fault_point.h"

namespace rowbot::disk_testing {

class PowerCutVfs {
 public:
  /// Becomes SQLite's default. `recording` outlives it.
  explicit PowerCutVfs(DiskRecording& recording);
  /// Requires that no database is open.
  ~PowerCutVfs();
  PowerCutVfs(const PowerCutVfs&) = delete;
  PowerCutVfs& operator=(const PowerCutVfs&) = delete;
  PowerCutVfs(PowerCutVfs&&) = delete;
  PowerCutVfs& operator=(PowerCutVfs&&) = delete;

  /// Says which calls fail; none at first.
  [[nodiscard]] FaultPoint& faults();
};

}  // namespace rowbot::disk_testing
