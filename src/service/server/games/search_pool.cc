#include "service/server/games/search_pool.h"

#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "engine/solver/book.h"

namespace rowbot::server {
namespace {

constexpr std::size_t kKeptAgents = 16;
constexpr int kNicenessPerLane = 3;

}  // namespace

Result<agents::Agent*> Tools::agent(const roster::AgentSpec& spec) {
  const std::string& text = spec.text();
  if (const auto found = agents_.find(text); found != agents_.end()) return found->second.get();
  auto made = spec.make(resources_);
  if (!made) return made.error();
  if (agents_.size() >= kKeptAgents) agents_.clear();  // watchers' texts are without end
  return agents_.emplace(text, *std::move(made)).first->second.get();
}

solver::Solver& Tools::solver() {
  if (!solver_) {
    solver_ = std::make_unique<solver::Solver>(solver::SolverOptions{
        .table_mb = solver::table_mb(resources_), .book = &solver::Book::built_in()});
  }
  return *solver_;
}

void Tools::clear() {
  agents_.clear();
  solver_.reset();
}

Room SearchPool::Queue::room(const std::string& client) const {
  if (size >= options.queue) return Room::kLaneFull;
  const auto found = jobs.find(client);
  const std::size_t own = found == jobs.end() ? 0 : found->second.size();
  return own >= options.per_client && client != kLocalClient ? Room::kClientFull : Room::kFree;
}

void SearchPool::Queue::push(const std::string& client, Job job) {
  std::deque<Job>& own = jobs[client];
  own.push_back(std::move(job));
  if (own.size() == 1) turns.push_back(client);
  ++size;
}

SearchPool::Job SearchPool::Queue::pop() {
  const auto found = jobs.find(turns.front());
  Job job = std::move(found->second.front());
  found->second.pop_front();
  if (found->second.empty()) {
    jobs.erase(found);
  } else {
    turns.push_back(turns.front());
  }
  turns.pop_front();
  --size;
  return job;
}

SearchPool::SearchPool(const PoolOptions& options) : resources_(options.resources) {
  const auto start = [this](Lane lane, const LaneOptions& lane_options) {
    queue(lane).options = lane_options;
    for (int i = 0; i < lane_options.threads; ++i) {
      threads_.emplace_back([this, lane](const std::stop_token& stop) { work(lane, stop); });
    }
  };
  start(Lane::kShort, options.shorts);
  start(Lane::kLong, options.longs);
  start(Lane::kSolver, options.solver);
  start(Lane::kBackground, options.background);
}

SearchPool::~SearchPool() {
  closing_.request_stop();
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

Room SearchPool::room(Lane lane, const std::string& client) const {
  const std::lock_guard lock(queue(lane).mutex);
  return queue(lane).room(client);
}

std::size_t SearchPool::waiting(Lane lane) const {
  const std::lock_guard lock(queue(lane).mutex);
  return queue(lane).size;
}

Room SearchPool::submit(Lane lane, const std::string& client, Job job) {
  Queue& line = queue(lane);
  {
    const std::lock_guard lock(line.mutex);
    if (const Room room = line.room(client); room != Room::kFree) return room;
    line.push(client, std::move(job));
  }
  line.filled.notify_one();
  return Room::kFree;
}

void SearchPool::work(Lane lane, const std::stop_token& stop) {
  // On Linux niceness belongs to a thread. It may fail without harm.
  const int niceness = kNicenessPerLane * static_cast<int>(lane);
  static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()),
                                  ::getpriority(PRIO_PROCESS, 0) + niceness));
  Tools tools(resources_);
  Queue& line = queue(lane);
  while (true) {
    Job job;
    {
      std::unique_lock lock(line.mutex);
      line.filled.wait(lock, stop, [&line] { return line.size > 0; });
      if (stop.stop_requested()) return;
      job = line.pop();
    }
    job(tools, closing_.get_token());
  }
}

}  // namespace rowbot::server
