// The one thread on which every game lives, as the rest of the room sees it.
#pragma once

#include <chrono>
#include <functional>

namespace rowbot::server {

class Loop {
 public:
  Loop() = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  Loop(Loop&&) = delete;
  Loop& operator=(Loop&&) = delete;
  virtual ~Loop() = default;

  /// Runs the work on the loop's thread, never inside this call. From any thread.
  virtual void post(std::function<void()> work) = 0;
  /// The same after some time. Only from the loop's own thread.
  virtual void after(std::chrono::nanoseconds time, std::function<void()> work) = 0;
};

}  // namespace rowbot::server
