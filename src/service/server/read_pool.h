// Threads that read the database, or do other short things that may wait for the disk, so that the
// network's thread never does.
// Thread safety: read() from the loop's thread; the work runs on the pool's own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "service/server/loop.h"
#include "service/server/options.h"

namespace rowbot::server {

class ReadPool {
 public:
  ReadPool(Loop& loop, const ReadPoolOptions& options);
  /// Waits for what runs and forgets what waits.
  ~ReadPool();
  ReadPool(const ReadPool&) = delete;
  ReadPool& operator=(const ReadPool&) = delete;
  ReadPool(ReadPool&&) = delete;
  ReadPool& operator=(ReadPool&&) = delete;

  /// Does the work on a thread of the pool and calls `done` on the loop's. False, and neither is
  /// called, when too much waits.
  template <class T>
  [[nodiscard]] bool read(std::function<Result<T>()> work, std::function<void(Result<T>)> done) {
    // Made here, so that a thread short of memory can still hand over what it has.
    auto value = std::make_shared<std::optional<Result<T>>>();
    return submit([this, value, work = std::move(work), done = std::move(done)] {
      try {
        value->emplace(work());
      } catch (const std::exception& problem) {
        value->emplace(Error{problem.what()});
      }
      loop_.post([value, done] { done(**std::move(value)); });
    });
  }

 private:
  [[nodiscard]] bool submit(std::function<void()> job);
  void work(const std::stop_token& stop);

  Loop& loop_;
  std::size_t most_;
  std::mutex mutex_;  // guards jobs_
  std::condition_variable_any filled_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::jthread> threads_;
};

}  // namespace rowbot::server
