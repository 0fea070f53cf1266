#include "service/server/http/rate_limiter.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <cstring>

#include "fmt/core.h"

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

bool RateLimiter::opened(const std::string& client) {
  Entry& found = entry(client, Bucket::Clock::now());
  if (found.connections >= limits_of(client).connections) return false;
  ++found.connections;
  return true;
}

void RateLimiter::closed(const std::string& client) {
  const auto found = entries_.find(client);
  if (found != entries_.end() && found->second.connections > 0) --found->second.connections;
}

bool RateLimiter::may_request(const std::string& client, Bucket::Clock::time_point now) {
  const ClientLimits& limits = limits_of(client);
  return entry(client, now).requests.take(limits.requests_per_second, limits.request_burst, now);
}

bool RateLimiter::may_begin_game(const std::string& client, Bucket::Clock::time_point now) {
  const ClientLimits& limits = limits_of(client);
  return entry(client, now).games.take(limits.games_per_second, limits.game_burst, now);
}

std::string client_key(std::string_view address) {
  const std::string text(address);
  in_addr four{};
  if (::inet_pton(AF_INET, text.c_str(), &four) == 1) {
    return text.starts_with("127.") ? std::string(kLocal) : text;
  }
  in6_addr six{};
  if (::inet_pton(AF_INET6, text.c_str(), &six) != 1) return "unknown";
  if (IN6_IS_ADDR_LOOPBACK(&six)) return std::string(kLocal);
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &six, bytes.size());
  if (IN6_IS_ADDR_V4MAPPED(&six)) {
    return client_key(fmt::format("{}.{}.{}.{}", bytes[12], bytes[13], bytes[14], bytes[15]));
  }
  std::string network;
  for (std::size_t i = 0; i < 8; ++i) network += fmt::format("{:02x}", bytes.at(i));
  return network;
}

}  // namespace rowbot::server
