#include "base/fault_point.h"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "fmt/core.h"

namespace rowbot::disk_testing {

void FaultPoint::set(std::optional<Fault> fault) {
  const std::lock_guard lock(mutex_);
  fault_ = fault;
  calls_ = failed_ = 0;
}

void FaultPoint::clear() { static_cast<void>(release()); }

std::optional<Fault> FaultPoint::release() {
  const std::lock_guard lock(mutex_);
  return std::exchange(fault_, std::nullopt);
}

bool FaultPoint::fails(bool writes) {
  const std::lock_guard lock(mutex_);
  if (fault_ && fault_->full_disk && !writes) return false;
  const std::uint64_t call = calls_++;
  const bool now = fault_ && (call == fault_->at || (fault_->persistent && call > fault_->at));
  if (now) ++failed_;
  return now;
}

bool FaultPoint::full_disk() const {
  const std::lock_guard lock(mutex_);
  return fault_ && fault_->full_disk;
}

std::uint64_t FaultPoint::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

std::uint64_t FaultPoint::failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}

SweepReport sweep_faults(FaultPoint& point, const SweepOptions& options,
                         const std::function<std::string()>& work) {
  constexpr std::uint64_t kNever = UINT64_MAX;
  const bool full = options.full_disk;
  SweepReport report;
  point.set(Fault{.at = kNever, .full_disk = full});
  report.failure = work();
  report.calls = point.calls();
  const char* wanted = std::getenv("ROWBOT_FAULTS");
  const bool all = wanted != nullptr && std::string_view(wanted) == "all";
  const std::uint64_t step = all ? 1 : 1 + report.calls / options.most;
  for (const bool persistent : {false, true}) {
    for (std::uint64_t call = 0; call < report.calls && report.failure.empty(); call += step) {
      point.set(Fault{.at = call, .persistent = persistent, .full_disk = full});
      ++report.runs;
      const std::string wrong = work();
      point.clear();
      if (wrong.empty()) continue;
      report.failure =
          fmt::format("call {} of {}{}{}: {}", call, report.calls,
                      persistent ? " and all after it" : "", full ? ", full disk" : "", wrong);
    }
  }
  return report;
}

}  // namespace rowbot::disk_testing
