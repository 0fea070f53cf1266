// What each client has used up: connections now, and requests and new games by token bucket.
// Thread safety: one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "service/server/options.h"

namespace rowbot::server {

/// Fills at a rate up to a brim; each use takes one.
class Bucket {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool take(double rate, double brim, Clock::time_point now);

 private:
  double used_ = 0;
  Clock::time_point when_{};
};

class RateLimiter {
 public:
  RateLimiter(const ClientLimits& remote, const ClientLimits& local)
      : remote_(remote), local_(local) {}

  /// False when the client has too many connections; else one more until closed().
  [[nodiscard]] bool opened(const std::string& client);
  void closed(const std::string& client);
  [[nodiscard]] bool may_request(const std::string& client, Bucket::Clock::time_point now);
  [[nodiscard]] bool may_begin_game(const std::string& client, Bucket::Clock::time_point now);

  [[nodiscard]] std::size_t clients() const { return entries_.size(); }

 private:
  struct Entry {
    std::size_t connections = 0;
    Bucket requests;
    Bucket games;
    Bucket::Clock::time_point seen{};
  };

  [[nodiscard]] const ClientLimits& limits_of(std::string_view client) const;
  Entry& entry(const std::string& client, Bucket::Clock::time_point now);

  ClientLimits remote_;
  ClientLimits local_;
  std::unordered_map<std::string, Entry> entries_;
  Bucket::Clock::time_point swept_{};
};

/// The key of a client: an IPv4 address as it is, the network of an IPv6 address, "local" for this
/// machine, and "unknown" for what is no address.
[[nodiscard]] std::string client_key(std::string_view address);

}  // namespace rowbot::server
