#include "base/sqlite/sqlite_sweep.h"

#include "base/disk_recording.h"
#include "base/sqlite/faulty_memory.h"
#include "base/sqlite/power_cut_vfs.h"
#include "fmt/core.h"

namespace rowbot::disk_testing {
namespace {

/// Whether the sweep may go on.
bool add(SqliteSweep& all, const char* kind, const SweepReport& report) {
  all.figures += fmt::format("{}: {} calls, {} runs\n", kind, report.calls, report.runs);
  all.failure = report.failure;
  constexpr std::uint64_t kFewest = 10;  // fewer cannot be all calls of a database
  if (all.failure.empty() && report.calls < kFewest) all.failure = "hardly a call is counted";
  if (!all.failure.empty()) all.failure = fmt::format("{}: {}", kind, all.failure);
  return all.failure.empty();
}

}  // namespace

SqliteSweep sweep_sqlite(const std::function<std::string(FaultPoint&)>& work) {
  SqliteSweep all;
  {
    DiskRecording recording;
    PowerCutVfs vfs(recording);
    for (const bool full_disk : {true, false}) {
      const auto run = [&] { return work(vfs.faults()); };
      const auto report = sweep_faults(vfs.faults(), {.full_disk = full_disk}, run);
      if (!add(all, full_disk ? "full disk" : "failing disk", report)) return all;
    }
  }
  FaultPoint point;
  const FaultyMemory memory(point);
  add(all, "memory", sweep_faults(point, {.most = 150}, [&] { return work(point); }));
  return all;
}

}  // namespace rowbot::disk_testing
