// Simulated visitors of a Rowbot server, who believe nothing: every acknowledged move and result is
// looked for again.
// Thread safety: blocks its thread; no shared state.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "load_attackers.h"

namespace rowbot::app {

struct LoadOptions {
  std::string host;
  std::string port;
  int players = 100;
  int slow_clients = 0;    ///< who send a header a byte at a time
  int attackers = 0;       ///< who try everything in load_attackers.h
  bool addresses = false;  ///< each visitor names an address of its own, as a proxy would
  std::chrono::milliseconds time{30'000};
  std::chrono::milliseconds least_pause{3'000};  ///< between two moves of a player
  std::chrono::milliseconds most_pause{5'000};
  std::vector<std::string> levels;  ///< player i plays levels[i % size]
  std::uint64_t seed = 1;
};

struct LoadReport {
  std::uint64_t games = 0;
  std::uint64_t finished = 0;  ///< games with an acknowledged result
  std::uint64_t moves = 0;     ///< acknowledged moves of the players
  std::uint64_t surveys = 0;
  std::uint64_t errors = 0;  ///< answers that were neither good nor "busy", and broken connections
  std::uint64_t busy = 0;    ///< 503 and 429
  std::uint64_t lost_moves = 0;       ///< acknowledged, and not there afterwards
  std::uint64_t doubled_moves = 0;    ///< there, and made by nobody
  std::uint64_t lost_results = 0;     ///< acknowledged, and not there or another one afterwards
  std::uint64_t doubled_results = 0;  ///< counted in the statistics beyond those acknowledged
  std::uint64_t unverified = 0;       ///< games that could not be looked for at the end
  std::string first_error;
  std::map<std::string, std::vector<double>> answer_ms;  ///< by level, each move with its answer
  AttackReport attacks;

  /// Everything acknowledged was looked for and found, once.
  [[nodiscard]] bool faultless() const {
    return lost_moves + doubled_moves + lost_results + doubled_results + unverified == 0;
  }
};

/// Needs the server for itself if doubled results are to be judged.
[[nodiscard]] Result<LoadReport> run_load(const LoadOptions& options);

}  // namespace rowbot::app
