// How long an agent may think, and the meter that tells it when to stop: the only clock an agent
// ever sees.
// Thread safety: Budget is a plain value; a BudgetMeter may be read by several threads at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/stop.h"

namespace rowbot::agents {

/// Limits for one move. A limit that is absent does not apply; with none at all an agent decides
/// for itself when it has thought enough.
struct Budget {
  /// With several limits: stop at the first one reached, or only when time and simulations both
  /// are ("at least this time AND at least this many simulations").
  enum class Rule : std::uint8_t { kFirstReached, kAllReached };

  std::optional<std::chrono::nanoseconds> time;
  std::optional<std::uint64_t> simulations;  ///< playouts; nodes for a search that has none
  std::optional<std::uint64_t> memory_bytes;
  Rule rule = Rule::kFirstReached;

  friend bool operator==(const Budget&, const Budget&) = default;
};

/// Started when thinking starts. A request to stop ends every budget.
class BudgetMeter {
 public:
  BudgetMeter(const Budget& budget, StopToken stop, const Clock& clock = real_clock())
      : budget_(budget), stop_(stop), clock_(&clock), start_(clock.now()) {}

  /// The same start and stop with other limits: for a part of the work.
  [[nodiscard]] BudgetMeter with(const Budget& budget) const {
    BudgetMeter meter = *this;
    meter.budget_ = budget;
    return meter;
  }

  [[nodiscard]] std::chrono::nanoseconds elapsed() const { return clock_->now() - start_; }
  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }
  [[nodiscard]] const Budget& budget() const { return budget_; }
  /// To pass on to what can stop by itself: when the time alone ends the thinking, and the request.
  [[nodiscard]] Deadline deadline() const {
    if (!budget_.time) return {};
    if (budget_.rule == Budget::Rule::kAllReached && budget_.simulations) return {};
    return {*clock_, start_ + *budget_.time};
  }
  [[nodiscard]] StopToken stop_token() const { return stop_; }

  /// Whether to stop after this many simulations. Reads the clock: ask every few microseconds.
  [[nodiscard]] bool exhausted(std::uint64_t simulations) const {
    if (stopped()) return true;
    const bool time_up = budget_.time && elapsed() >= *budget_.time;
    const bool enough = budget_.simulations && simulations >= *budget_.simulations;
    if (budget_.rule == Budget::Rule::kFirstReached) return time_up || enough;
    return (time_up || !budget_.time) && (enough || !budget_.simulations) &&
           (budget_.time || budget_.simulations);
  }

 private:
  Budget budget_;
  StopToken stop_;
  const Clock* clock_;
  Clock::Moment start_;
};

}  // namespace rowbot::agents
