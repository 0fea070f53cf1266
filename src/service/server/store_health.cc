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

StoreHealth::StoreHealth(Loop& loop, store::Store& store, Metrics& metrics, Log log)
    : loop_(loop), store_(store), metrics_(metrics), log_(std::move(log)) {}

void StoreHealth::log(std::string_view line) const {
  if (log_) log_(line);
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

void StoreHealth::check(Answer answer) {
  if (Clock::now() - succeeded_ < kHealthyFor && store_.write_trouble().empty()) return answer("");
  const auto once = std::make_shared<Answer>(std::move(answer));
  waiting_.push_back(once);
  loop_.after(kPatience, [once] {
    if (const Answer tell = std::exchange(*once, nullptr)) {
      tell("the database has not answered for two seconds");
    }
  });
  if (!probing_) probe();
}

void StoreHealth::probe() {
  // A real change, since an empty transaction succeeds on a full disk too.
  const std::string now = std::to_string(time_of_day().time_since_epoch().count());
  probing_ = true;
  store_.write({store::SetNote{.name = "health_check", .value = now}}, [this](Result<void> result) {
    loop_.post([this, result = std::move(result)] {
      probing_ = false;
      on_written(result);
      const std::string trouble = result ? "" : result.error().message;
      for (const auto& once : std::exchange(waiting_, {})) {
        if (const Answer tell = std::exchange(*once, nullptr)) tell(trouble);
      }
    });
  });
}

}  // namespace rowbot::server
