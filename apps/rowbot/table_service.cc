#include "table_service.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "fmt/format.h"
#include "service_notify.h"

namespace rowbot::app {
namespace {

// Written by the signal handler, which may do little else.
std::atomic<bool> told_to_end = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

bool runs_as_service() { return std::getenv("NOTIFY_SOCKET") != nullptr; }

TableService::TableService(bool narrates) : narrates_(narrates) {
  std::signal(SIGINT, [](int) { told_to_end = true; });
  std::signal(SIGTERM, [](int) { told_to_end = true; });
  signals_ = std::jthread([this](const std::stop_token& done) { heed_signals(done); });
}

void TableService::attach(table::RobotTable* table) {
  {
    const std::scoped_lock lock(mutex_);
    table_ = table;
  }
  notify_service(table != nullptr ? "READY=1" : "STOPPING=1");
}

void TableService::tell(const table::TableSnapshot& now) {
  if (narrates_) {
    narrator_.tell(now);
    std::fflush(stdout);
  }
  notify_service(fmt::format("STATUS={}: {}", state_text(now.state), now.message));
}

void TableService::alive() { notify_service("WATCHDOG=1"); }

void TableService::heed_signals(const std::stop_token& done) {
  while (!done.stop_requested()) {
    {
      const std::scoped_lock lock(mutex_);
      if (table_ != nullptr && told_to_end.exchange(false)) {
        table_->post({.kind = table::Command::Kind::kQuit, .column = {}, .text = {}});
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace rowbot::app
