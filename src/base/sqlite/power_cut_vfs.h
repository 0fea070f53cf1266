// For tests: a SQLite VFS over the system's own that records what SQLite does to the disk and can
// let a call fail. While one exists it is the default, so that the code under test need not know.
// The log's index (-shm) is memory, gone after a power cut, and not recorded.
// Thread safety: as DiskRecording; set_fault() from any thread. One at a time in a process.
#pragma once

#include <cstdint>
#include <optional>

#include "base/disk_recording.h"

namespace rowbot::disk_testing {

struct DiskFault {
  std::uint64_t at = 0;     ///< the call that fails, counted from 0
  bool persistent = false;  ///< and all calls after it
  bool full_disk = false;   ///< writing says that the disk is full; other calls go on
};

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

  /// From now on, counting calls from 0 again; nothing fails without one.
  void set_fault(std::optional<DiskFault> fault);
  /// Calls since set_fault() that could have failed.
  [[nodiscard]] std::uint64_t calls() const;
  /// Calls since set_fault() that did fail.
  [[nodiscard]] std::uint64_t failed_calls() const;
};

}  // namespace rowbot::disk_testing
