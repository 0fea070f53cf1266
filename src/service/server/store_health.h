// The way into the store, and whether it is open: known from what is written, tried when a health
// check asks, and told to the operator's log when it changes. Thread safety: the loop's thread
// only.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/server/loop.h"
#include "service/server/metrics.h"
#include "service/server/task.h"
#include "service/store/store.h"

namespace rowbot::server {

class StoreHealth {
 public:
  using Log = std::function<void(std::string_view)>;

  /// All of these must outlive it. The log may be empty.
  StoreHealth(boost::asio::io_context& io, Loop& loop, store::Store& store, Metrics& metrics,
              Log log);

  /// Store::write(), with what became of it noted here.
  Task<Result<void>> write(std::vector<store::Change>& changes);
  /// To be told why something could not be read.
  void on_unreadable(const std::string& reason);

  /// The reason why the store cannot be written, empty if it can; known after a write of its own
  /// unless one has just succeeded: a disk may fill up, or get room again, while nobody plays.
  Task<std::string> check();

 private:
  using Clock = std::chrono::steady_clock;

  void log(std::string_view line) const;
  void on_written(const Result<void>& result);
  Task<void> probe();

  Loop& loop_;
  store::Store& store_;
  Metrics& metrics_;
  Log log_;
  std::string trouble_;     // as last logged
  std::string unreadable_;  // as last logged
  Clock::time_point succeeded_{};
  bool probing_ = false;
  std::string probed_;  // what the last probe found
  Event probe_ended_;
};

}  // namespace rowbot::server
