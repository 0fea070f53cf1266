// What each client has used up: connections now, and requests and new games by token bucket.
// Thread safety: one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

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

class RateLimiter;

/// A client's right to one connection, given back when it is destroyed.
class ConnectionPlace {
 public:
  ConnectionPlace(const ConnectionPlace&) = delete;
  ConnectionPlace& operator=(const ConnectionPlace&) = delete;
  ConnectionPlace(ConnectionPlace&& other) noexcept
      : limiter_(std::exchange(other.limiter_, nullptr)), client_(std::move(other.client_)) {}
  ConnectionPlace& operator=(ConnectionPlace&& other) noexcept {
    std::swap(limiter_, other.limiter_);
    std::swap(client_, other.client_);
    return *this;
  }
  ~ConnectionPlace();

 private:
  friend RateLimiter;
  ConnectionPlace(RateLimiter& limiter, std::string client)
      : limiter_(&limiter), client_(std::move(client)) {}

  RateLimiter* limiter_;
  std::string client_;
};

class RateLimiter {
 public:
  RateLimiter(const ClientLimits& remote, const ClientLimits& local)
      : remote_(remote), local_(local) {}

  /// One of the client's connections, until the place is destroyed; nothing when it has too many.
  /// The limiter must outlive its places.
  [[nodiscard]] std::optional<ConnectionPlace> open(const std::string& client);
  [[nodiscard]] bool may_request(const std::string& client, Bucket::Clock::time_point now);
  [[nodiscard]] bool may_begin_game(const std::string& client, Bucket::Clock::time_point now);

  [[nodiscard]] std::size_t clients() const { return entries_.size(); }

 private:
  friend ConnectionPlace;
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

}  // namespace rowbot::server
