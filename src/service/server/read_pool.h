// Threads that read the database, or do other short things that may wait for the disk, so that the
// network's thread never does.
// Thread safety: read() from the loop's thread; the work runs on the pool's own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "service/server/loop.h"
#include "service/server/options.h"
#include "service/server/task.h"

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

  /// As much waits as may; then read() gives an error.
  [[nodiscard]] bool full() const;

  /// Does the work on a thread of the pool; an exception there becomes an error.
  template <class T>
  Task<Result<T>> read(const std::function<Result<T>()>& work) {
    if (full()) co_return Error{"too many requests wait for the database"};
    auto reading =
        from_thread<Result<T>>(loop_, [this, &work](std::function<void(Result<T>)> done) {
          submit([work, done = std::move(done)] {
            std::optional<Result<T>> value;
            try {
              value.emplace(work());
            } catch (const std::exception& problem) {
              value.emplace(Error{problem.what()});
            }
            done(*std::move(value));
          });
        });
    co_return co_await reading;
  }

 private:
  void submit(std::function<void()> job);
  void work(const std::stop_token& stop);

  Loop& loop_;
  std::size_t most_;
  mutable std::mutex mutex_;  // guards jobs_
  std::condition_variable_any filled_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::jthread> threads_;
};

}  // namespace rowbot::server
