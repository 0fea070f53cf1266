// Whether the store can be written: known from what is written, tried when a health check asks, and
// told to the operator's log when it changes.
// Thread safety: the loop's thread only.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/server/loop.h"
#include "service/server/metrics.h"
#include "service/store/store.h"

namespace rowbot::server {

class StoreHealth {
 public:
  using Log = std::function<void(std::string_view)>;
  /// The reason why the store cannot be written; empty if it can.
  using Answer = std::function<void(const std::string& trouble)>;

  /// All of these must outlive it, and the loop must not run its work after it. The log may be
  /// empty.
  StoreHealth(Loop& loop, store::Store& store, Metrics& metrics, Log log);

  /// To be told what became of every write.
  void on_written(const Result<void>& result);
  /// To be told why something could not be read.
  void on_unreadable(const std::string& reason);

  /// Calls `answer` exactly once, after a write of its own unless one has just succeeded: a disk
  /// may fill up, or get room again, while nobody plays.
  void check(Answer answer);

 private:
  using Clock = std::chrono::steady_clock;

  void log(std::string_view line) const;
  void probe();

  Loop& loop_;
  store::Store& store_;
  Metrics& metrics_;
  Log log_;
  std::string trouble_;     // as last logged
  std::string unreadable_;  // as last logged
  Clock::time_point succeeded_{};
  bool probing_ = false;
  std::vector<std::shared_ptr<Answer>> waiting_;  // an empty one has been answered
};

}  // namespace rowbot::server
