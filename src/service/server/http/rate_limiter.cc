#include "service/server/http/rate_limiter.h"

#include <algorithm>

namespace rowbot::server {
namespace {

constexpr std::string_view kLocal = "local";
/// A client that has been quiet so long has full buckets again.
constexpr std::chrono::minutes kForgetAfter{10};

}  // namespace

bool Bucket::take(double rate, double brim, Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - when_).count();
  const double used = std::max(0.0, used_ - std::max(0.0, seconds) * rate);
  when_ = now;
  used_ = used;
  if (used + 1 > brim) return false;
  used_ = used + 1;
  return true;
}

const ClientLimits& RateLimiter::limits_of(std::string_view client) const {
  return client == kLocal ? local_ : remote_;
}

RateLimiter::Entry& RateLimiter::entry(const std::string& client, Bucket::Clock::time_point now) {
  if (now - swept_ > kForgetAfter) {
    swept_ = now;
    std::erase_if(entries_, [now](const auto& item) {
      return item.second.connections == 0 && now - item.second.seen > kForgetAfter;
    });
  }
  Entry& found = entries_[client];
  found.seen = now;
  return found;
}

std::optional<ConnectionPlace> RateLimiter::open(const std::string& client) {
  Entry& found = entry(client, Bucket::Clock::now());
  if (found.connections >= limits_of(client).connections) return std::nullopt;
  ++found.connections;
  return ConnectionPlace(*this, client);
}

ConnectionPlace::~ConnectionPlace() {
  if (limiter_ == nullptr) return;
  const auto found = limiter_->entries_.find(client_);
  if (found != limiter_->entries_.end() && found->second.connections > 0) {
    --found->second.connections;
  }
}

bool RateLimiter::may_request(const std::string& client, Bucket::Clock::time_point now) {
  const ClientLimits& limits = limits_of(client);
  return entry(client, now).requests.take(limits.requests_per_second, limits.request_burst, now);
}

bool RateLimiter::may_begin_game(const std::string& client, Bucket::Clock::time_point now) {
  const ClientLimits& limits = limits_of(client);
  return entry(client, now).games.take(limits.games_per_second, limits.game_burst, now);
}

}  // namespace rowbot::server
