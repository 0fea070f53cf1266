// For tests: work on a database with a fault at each of its calls to the disk, and at each of
// SQLite's requests for memory.
// Thread safety: none; one at a time in a process.
#pragma once

#include <functional>
#include <string>

#include "base/fault_point.h"

namespace rowbot::disk_testing {

struct SqliteSweep {
  std::string figures;  ///< how many calls and runs, for people
  std::string failure;  ///< empty when nothing was wrong
};

/// A full disk, a failing disk, then memory that is refused; ends with the first thing wrong.
/// `work` opens its databases itself and closes them; see sweep_faults().
[[nodiscard]] SqliteSweep sweep_sqlite(const std::function<std::string(FaultPoint&)>& work);

}  // namespace rowbot::disk_testing
