// For tests: lets the n-th call fail, for every n. What can fail asks a FaultPoint; a sweep runs
// the same work with the fault at each of its calls in turn. Thread safety: FaultPoint from any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace rowbot::disk_testing {

struct Fault {
  std::uint64_t at = 0;     ///< the call that fails, counted from 0
  bool persistent = false;  ///< and all calls after it
  bool full_disk = false;   ///< only writing fails, and other calls are not counted
};

class FaultPoint {
 public:
  /// From now on, counting calls from 0 again.
  void set(std::optional<Fault> fault);
  /// Nothing fails any more; the counts go on.
  void clear();
  /// As clear(), and gives the fault for a later set(): for work that begins with a preparation.
  [[nodiscard]] std::optional<Fault> release();

  /// Asked by what can fail: whether this call must.
  [[nodiscard]] bool fails(bool writes);
  [[nodiscard]] bool full_disk() const;

  /// Calls since set() that could have failed, and those that did.
  [[nodiscard]] std::uint64_t calls() const;
  [[nodiscard]] std::uint64_t failed() const;

 private:
  mutable std::mutex mutex_;  // guards all below
  std::optional<Fault> fault_;
  std::uint64_t calls_ = 0;
  std::uint64_t failed_ = 0;
};

/// Tries it under the fault, and without the fault if that failed. Says what is wrong: a failure
/// that the fault does not explain, or one that stays.
template <class Attempt>
[[nodiscard]] std::string told_and_survived(FaultPoint& point, Attempt attempt) {
  const auto first = attempt();
  if (first) return "";
  if (point.failed() == 0) return "fails without a fault: " + first.error().message;
  if (first.error().message.empty()) return "the error says nothing";
  point.clear();
  const auto second = attempt();
  return second ? "" : "does not go on after the fault: " + second.error().message;
}

struct SweepReport {
  std::uint64_t calls = 0;
  std::uint64_t runs = 0;
  std::string failure;  ///< the first: which call, and what was wrong
};

struct SweepOptions {
  bool full_disk = false;
  /// The most faults of a kind, spread over all calls; ROWBOT_FAULTS=all makes every one.
  std::uint64_t most = UINT64_MAX;
};

/// Runs `work` without a fault to count its calls, then with each call failing alone, then with
/// each call and all after it failing. `work` returns what is wrong: nothing if the text is empty.
[[nodiscard]] SweepReport sweep_faults(FaultPoint& point, const SweepOptions& options,
                                       const std::function<std::string()>& work);

}  // namespace rowbot::disk_testing
