// A value that is read off the network's thread, once for all who ask at about the same time.
// Thread safety: the loop's thread only; the reading itself runs in the ReadPool, one at a time.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "service/server/read_pool.h"

namespace rowbot::server {

template <class T>
class SharedRead {
 public:
  using Clock = std::chrono::steady_clock;
  using Done = std::function<void(const Result<T>&)>;

  /// A value is given again for the time `fresh`. The pool must outlive this, and the loop must not
  /// run its work after it.
  SharedRead(ReadPool& pool, Clock::duration fresh, std::function<Result<T>()> read)
      : pool_(pool), fresh_(fresh), read_(std::move(read)) {}

  /// Calls `done` exactly once, later or at once.
  void get(Done done) {
    if (value_ && Clock::now() - when_ < fresh_) return done(*value_);
    waiting_.push_back(std::move(done));
    if (!reading_) start();
  }

  /// What is read from now on may differ.
  void expire() {
    value_.reset();
    expired_ = reading_;
  }

 private:
  void start() {
    expired_ = false;
    reading_ = pool_.template read<T>(read_, [this](Result<T> value) { finish(std::move(value)); });
    if (!reading_) tell(Error{"too many requests wait for the database"});
  }

  void finish(Result<T> value) {
    reading_ = false;
    if (expired_) return start();
    if (value) {
      value_ = value;
      when_ = Clock::now();
    }
    tell(value);
  }

  void tell(const Result<T>& value) {
    for (const Done& done : std::exchange(waiting_, {})) done(value);
  }

  ReadPool& pool_;
  Clock::duration fresh_;
  std::function<Result<T>()> read_;
  std::optional<Result<T>> value_;
  Clock::time_point when_{};
  bool reading_ = false;
  bool expired_ = false;  // since the reading began
  std::vector<Done> waiting_;
};

}  // namespace rowbot::server
