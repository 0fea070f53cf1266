// Hostile clients beside the simulated visitors: each repeats one kind of abuse until the time is
// over. They only send what any stranger could send.
// Thread safety: blocks its thread; no shared state.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace rowbot::app {

struct AttackOptions {
  std::string host;
  std::string port;
  int attackers = 0;  ///< the kinds of abuse are shared out among them
  int slow = 0;       ///< more of those who send a header a byte at a time
  std::chrono::milliseconds time{30'000};
  std::uint64_t seed = 1;
};

/// What the attackers of one kind did, and what the server made of it.
struct AttackTally {
  std::uint64_t connections = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t answered = 0;  ///< with anything but the two below
  std::uint64_t refused = 0;   ///< 429 and 503
  std::uint64_t failed = 0;    ///< 500: an attacker found a fault
};
using AttackReport = std::map<std::string, AttackTally>;

/// Empty when nobody answers there. Each attacker has an address of its own in X-Forwarded-For,
/// which counts when the server runs with --behind-proxy.
[[nodiscard]] AttackReport run_attack(const AttackOptions& options);

/// The text of visitor `number`'s address in the network 10.0.0.0/8.
[[nodiscard]] std::string visitor_address(int number);

}  // namespace rowbot::app
