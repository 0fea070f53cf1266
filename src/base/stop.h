// A request to stop, and the view of it that work in progress polls. Smaller than std::stop_token,
// which is missing where the engine must also compile, and usable from a signal handler.
// Thread safety: everything from any thread; request_stop() from a signal handler too.
#pragma once

#include <atomic>

namespace rowbot {

/// Never stops unless a StopSource gave it out. Copy it freely; the source must outlive it.
class StopToken {
 public:
  StopToken() = default;
  [[nodiscard]] bool stop_requested() const {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }

 private:
  friend class StopSource;
  explicit StopToken(const std::atomic<bool>& flag) : flag_(&flag) {}

  const std::atomic<bool>* flag_ = nullptr;
};

class StopSource {
 public:
  StopSource() = default;
  StopSource(const StopSource&) = delete;
  StopSource& operator=(const StopSource&) = delete;
  StopSource(StopSource&&) = delete;
  StopSource& operator=(StopSource&&) = delete;
  ~StopSource() = default;

  void request_stop() { requested_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool stop_requested() const { return get_token().stop_requested(); }
  [[nodiscard]] StopToken get_token() const { return StopToken(requested_); }
  /// Takes the request back, for the next piece of work.
  void reset() { requested_.store(false, std::memory_order_relaxed); }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers set it");
  std::atomic<bool> requested_{false};
};

}  // namespace rowbot
