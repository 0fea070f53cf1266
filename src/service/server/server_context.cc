#include "service/server/server_context.h"

#include <algorithm>
#include <new>
#include <thread>
#include <utility>

#include "boost/asio/post.hpp"
#include "boost/asio/steady_timer.hpp"

namespace rowbot::server {
namespace {

constexpr std::chrono::milliseconds kMemoryPause{10};

}  // namespace

void AsioLoop::post(std::function<void()> work) {
  while (true) {
    try {
      return boost::asio::post(io_, [this, work] { run(work); });
    } catch (const std::bad_alloc&) {
      if (io_.get_executor().running_in_this_thread()) throw;
      std::this_thread::sleep_for(kMemoryPause);
    }
  }
}

void AsioLoop::after(std::chrono::nanoseconds time, std::function<void()> work) {
  auto timer = std::make_shared<boost::asio::steady_timer>(io_, time);
  timer->async_wait([this, timer, work = std::move(work)](const boost::system::error_code& error) {
    if (!error) run(work);
  });
}

/// One piece of work that fails, for want of memory most likely, must not end the server.
void AsioLoop::run(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  try {
    work();
  } catch (const std::exception&) {
    ++metrics_.failed_handlers;
  }
  metrics_.loop_longest = std::max<std::chrono::nanoseconds>(
      metrics_.loop_longest, std::chrono::steady_clock::now() - began);
}

ServerContext::ServerContext(Options the_options, store::Store& the_store, table::TableFeed* robot)
    : options(std::move(the_options)),
      clients(options.remote, options.local),
      costs(options.remote_budgets, options.local_budgets),
      loop(*io, metrics),
      store(the_store),
      health(*io, loop, store, metrics, options.error_log),
      readers(std::make_unique<ReadPool>(loop, options.readers)),
      pool(std::make_unique<SearchPool>(options.pool)),
      laboratory(options.laboratory),
      table(loop, robot, options.table),
      games(parts(), options.games),
      advice(parts(), games),
      public_data(parts(), games, [this] { return laboratory.read_experiments(); }) {}

GameServiceParts ServerContext::parts() {
  return {.io = *io,
          .loop = loop,
          .store = store,
          .health = health,
          .readers = *readers,
          .pool = *pool,
          .costs = costs,
          .metrics = metrics};
}

/// First no thread reports to the loop any more; then the coroutines go with their loop; then what
/// they referred to.
ServerContext::~ServerContext() {
  pool.reset();
  readers.reset();
  static_cast<void>(store::write_and_wait(store, {}));  // all earlier callbacks have been called
  io.reset();
}

}  // namespace rowbot::server
