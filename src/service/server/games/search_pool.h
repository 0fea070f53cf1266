// Threads that think, in lanes with a queue each, so that long searches never stand in the way of
// short ones, nor those without a known end in the way of either; where processors are scarce the
// longer lanes also yield to the shorter.
// Thread safety: submit() and has_room() from one thread; jobs run on the pool's own.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/result.h"
#include "engine/agents/agent.h"
#include "engine/solver/solver.h"
#include "service/server/options.h"

namespace rowbot::server {

enum class Lane : std::uint8_t {
  kShort,
  kLong,    ///< many simulations, but a fixed number
  kSolver,  ///< as long as it takes: perfect play, analysis, whatever watchers ask for
};

/// What a search thread keeps from job to job: agents and a solver are costly to make.
class Tools {
 public:
  [[nodiscard]] Result<agents::Agent*> agent(const std::string& text);
  [[nodiscard]] solver::Solver& solver();

 private:
  std::map<std::string, std::unique_ptr<agents::Agent>> agents_;
  std::unique_ptr<solver::Solver> solver_;
};

class SearchPool {
 public:
  /// `stop` is requested when the pool closes.
  using Job = std::function<void(Tools& tools, const std::stop_token& stop)>;

  explicit SearchPool(const PoolOptions& options);
  /// Stops what runs and forgets what waits.
  ~SearchPool();
  SearchPool(const SearchPool&) = delete;
  SearchPool& operator=(const SearchPool&) = delete;
  SearchPool(SearchPool&&) = delete;
  SearchPool& operator=(SearchPool&&) = delete;

  /// After true, the next submit() to this lane is accepted.
  [[nodiscard]] bool has_room(Lane lane) const;
  /// False, and the job is forgotten, when the lane is full.
  [[nodiscard]] bool submit(Lane lane, Job job);
  /// Jobs that wait for a thread.
  [[nodiscard]] std::size_t waiting(Lane lane) const;

 private:
  struct Queue {
    mutable std::mutex mutex;  // guards jobs
    std::condition_variable_any filled;
    std::deque<Job> jobs;
    std::size_t most = 0;
  };

  void work(Lane lane, const std::stop_token& stop);
  [[nodiscard]] Queue& queue(Lane lane) { return queues_.at(static_cast<std::size_t>(lane)); }
  [[nodiscard]] const Queue& queue(Lane lane) const {
    return queues_.at(static_cast<std::size_t>(lane));
  }

  std::array<Queue, 3> queues_;
  std::vector<std::jthread> threads_;
};

}  // namespace rowbot::server
