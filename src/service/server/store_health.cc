#include "service/server/store_health.h"

#include <utility>

#include "fmt/core.h"
#include "service/server/wall_clock.h"

namespace rowbot::server {
namespace {

/// A write that succeeded so lately needs no other to prove it.
constexpr std::chrono::seconds kHealthyFor{5};
/// Then a health check says that the database does not answer.
constexpr std::chrono::seconds kPatience{2};

}  // namespace

StoreHealth::StoreHealth(boost::asio::io_context& io, Loop& loop, store::Store& store,
                         Metrics& metrics, Log log)
    : loop_(loop), store_(store), metrics_(metrics), log_(std::move(log)), probe_ended_(io) {}

void StoreHealth::log(std::string_view line) const {
  if (log_) log_(line);
}

Task<Result<void>> StoreHealth::write(std::vector<store::Change>& changes) {
  auto writing = from_thread<Result<void>>(
      loop_, [this, &changes](store::Store::Done done) { store_.write(std::move(changes), done); });
  Result<void> result = co_await writing;
  on_written(result);
  co_return result;
}

void StoreHealth::on_written(const Result<void>& result) {
  if (result) {
    succeeded_ = Clock::now();
    if (!std::exchange(trouble_, {}).empty()) log("the database can be written again");
  } else {
    ++metrics_.store_failures;
    succeeded_ = {};
    // Other games are concerned only by what the store itself says; but any reason is news.
    if (trouble_ != result.error().message) {
      trouble_ = result.error().message;
      log(fmt::format("a change could not be stored and was refused: {}", trouble_));
    }
  }
  metrics_.store_writable = trouble_.empty();
}

void StoreHealth::on_unreadable(const std::string& reason) {
  ++metrics_.store_failures;
  if (std::exchange(unreadable_, reason) == reason) return;
  log(fmt::format("something stored could not be read: {}", reason));
}

Task<std::string> StoreHealth::check() {
  if (Clock::now() - succeeded_ < kHealthyFor && store_.write_trouble().empty()) {
    co_return std::string();
  }
  if (!probing_) spawn(probe());
  const auto limit = Clock::now() + kPatience;
  while (probing_ && Clock::now() < limit) co_await probe_ended_.wait_until(limit);
  if (probing_) co_return std::string("the database has not answered for two seconds");
  co_return probed_;
}

Task<void> StoreHealth::probe() {
  probing_ = true;
  const Finally ended([this] {
    probing_ = false;
    probe_ended_.notify_all();
  });
  probed_ = "out of memory";  // unless it comes further
  // A real change, since an empty transaction succeeds on a full disk too.
  std::vector<store::Change> changes;
  const auto now = time_of_day().time_since_epoch().count();
  changes.emplace_back(store::SetNote{.name = "health_check", .value = std::to_string(now)});
  const Result<void> result = co_await write(changes);
  probed_ = result ? std::string() : result.error().message;
}

}  // namespace rowbot::server
