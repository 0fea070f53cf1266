#include "service/server/games/search_pool.h"

#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "engine/roster/roster.h"
#include "engine/solver/book.h"

namespace rowbot::server {
namespace {

constexpr std::size_t kKeptAgents = 16;
constexpr int kNicenessPerLane = 3;

}  // namespace

Result<agents::Agent*> Tools::agent(const std::string& text) {
  if (const auto found = agents_.find(text); found != agents_.end()) return found->second.get();
  auto made = roster::make_agent(text);
  if (!made) return made.error();
  if (agents_.size() >= kKeptAgents) agents_.clear();  // watchers' texts are without end
  return agents_.emplace(text, *std::move(made)).first->second.get();
}

solver::Solver& Tools::solver() {
  if (!solver_) {
    solver_ =
        std::make_unique<solver::Solver>(solver::SolverOptions{.book = &solver::Book::built_in()});
  }
  return *solver_;
}

SearchPool::SearchPool(const PoolOptions& options) {
  queue(Lane::kShort).most = options.short_queue;
  queue(Lane::kLong).most = options.long_queue;
  queue(Lane::kSolver).most = options.solver_queue;
  const auto start = [this](Lane lane, int threads) {
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this, lane](const std::stop_token& stop) { work(lane, stop); });
    }
  };
  start(Lane::kShort, options.short_threads);
  start(Lane::kLong, options.long_threads);
  start(Lane::kSolver, options.solver_threads);
}

SearchPool::~SearchPool() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

bool SearchPool::has_room(Lane lane) const {
  const std::lock_guard lock(queue(lane).mutex);
  return queue(lane).jobs.size() < queue(lane).most;
}

std::size_t SearchPool::waiting(Lane lane) const {
  const std::lock_guard lock(queue(lane).mutex);
  return queue(lane).jobs.size();
}

bool SearchPool::submit(Lane lane, Job job) {
  Queue& line = queue(lane);
  {
    const std::lock_guard lock(line.mutex);
    if (line.jobs.size() >= line.most) return false;
    line.jobs.push_back(std::move(job));
  }
  line.filled.notify_one();
  return true;
}

void SearchPool::work(Lane lane, const std::stop_token& stop) {
  // On Linux niceness belongs to a thread. It may fail without harm.
  const int niceness = kNicenessPerLane * static_cast<int>(lane);
  static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()),
                                  ::getpriority(PRIO_PROCESS, 0) + niceness));
  Tools tools;
  Queue& line = queue(lane);
  while (true) {
    Job job;
    {
      std::unique_lock lock(line.mutex);
      line.filled.wait(lock, stop, [&line] { return !line.jobs.empty(); });
      if (stop.stop_requested()) return;
      job = std::move(line.jobs.front());
      line.jobs.pop_front();
    }
    job(tools, stop);
  }
}

}  // namespace rowbot::server
