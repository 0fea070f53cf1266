// Threads that think, in lanes with a queue each, so that long searches never stand in the way of
// short ones, nor those without a known end in the way of either; where processors are scarce the
// longer lanes also yield to the shorter. In a lane clients take turns, however much one of them
// asks for.
// Thread safety: submit() and room() from one thread; jobs run on the pool's own.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "engine/agents/agent.h"
#include "engine/roster/agent_spec.h"
#include "engine/solver/solver.h"
#include "service/server/loop.h"
#include "service/server/options.h"
#include "service/server/task.h"

namespace rowbot::server {

enum class Lane : std::uint8_t {
  kShort,
  kLong,        ///< many simulations, but a fixed number
  kSolver,      ///< moves of perfect play: as long as it takes
  kBackground,  ///< analysis, and whatever watchers let play; moves must not wait for these
};

/// Whether a lane takes a job of this client.
enum class Room : std::uint8_t {
  kFree,
  kClientFull,  ///< as much of this client waits as may
  kLaneFull,
};

/// What a search thread keeps from job to job: agents and a solver are costly to make.
class Tools {
 public:
  explicit Tools(const Resources& resources) : resources_(resources) {}

  [[nodiscard]] Result<agents::Agent*> agent(const roster::AgentSpec& spec);
  [[nodiscard]] solver::Solver& solver();
  /// Gives up all that was kept, when a search lacked the memory: the next may fit.
  void clear();

 private:
  Resources resources_;
  std::map<std::string, std::unique_ptr<agents::Agent>> agents_;  // by their texts
  std::unique_ptr<solver::Solver> solver_;
};

class SearchPool {
 public:
  /// `stop` is requested when the pool closes.
  using Job = std::function<void(Tools& tools, StopToken stop)>;

  explicit SearchPool(const PoolOptions& options);
  /// Stops what runs and forgets what waits.
  ~SearchPool();
  SearchPool(const SearchPool&) = delete;
  SearchPool& operator=(const SearchPool&) = delete;
  SearchPool(SearchPool&&) = delete;
  SearchPool& operator=(SearchPool&&) = delete;

  /// After kFree, the next submit() for this client to this lane is accepted.
  [[nodiscard]] Room room(Lane lane, const std::string& client) const;
  /// Unless it gives kFree the job is forgotten.
  [[nodiscard]] Room submit(Lane lane, const std::string& client, Job job);
  template <class T>
  using Work = std::function<T(Tools& tools, StopToken stop)>;
  /// Does the work in this lane. Nothing when it lacked the memory. Requires room().
  template <class T>
  Task<std::optional<T>> search(Loop& loop, Lane lane, const std::string& client,
                                const Work<T>& work) {
    using Found = std::optional<T>;
    auto searching = from_thread<Found>(loop, [&](std::function<void(Found)> done) {
      static_cast<void>(submit(lane, client, [work, done](Tools& tools, StopToken stop) {
        Found found;
        try {
          found = work(tools, stop);
        } catch (const std::exception&) {
          tools.clear();
        }
        done(std::move(found));
      }));
    });
    co_return co_await searching;
  }
  /// Jobs that wait for a thread.
  [[nodiscard]] std::size_t waiting(Lane lane) const;

 private:
  struct Queue {
    mutable std::mutex mutex;  // guards jobs, turns and size
    std::condition_variable_any filled;
    std::map<std::string, std::deque<Job>> jobs;  // by client, none empty
    std::deque<std::string> turns;                // the clients of jobs, whose turn is next first
    std::size_t size = 0;
    LaneOptions options;

    [[nodiscard]] Room room(const std::string& client) const;
    void push(const std::string& client, Job job);
    [[nodiscard]] Job pop();
  };

  void work(Lane lane, const std::stop_token& stop);
  [[nodiscard]] Queue& queue(Lane lane) { return queues_.at(static_cast<std::size_t>(lane)); }
  [[nodiscard]] const Queue& queue(Lane lane) const {
    return queues_.at(static_cast<std::size_t>(lane));
  }

  Resources resources_;  // of each thread
  std::array<Queue, 4> queues_;
  StopSource closing_;
  std::vector<std::jthread> threads_;
};

}  // namespace rowbot::server
