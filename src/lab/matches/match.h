// Plays a match on all cores, writes each game down as it ends, and goes on where it was stopped.
// Thread safety: run_match blocks its caller and uses threads of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "lab/matches/game_player.h"
#include "lab/matches/ledger.h"
#include "lab/matches/match_spec.h"
#include "lab/matches/sprt.h"

namespace rowbot::lab {

/// Where the games of a match are kept. Used by one thread at a time.
class GameArchive {
 public:
  GameArchive() = default;
  GameArchive(const GameArchive&) = delete;
  GameArchive& operator=(const GameArchive&) = delete;
  GameArchive(GameArchive&&) = delete;
  GameArchive& operator=(GameArchive&&) = delete;
  virtual ~GameArchive() = default;

  /// Calls `visit` for every stored game of the match with a number below spec.games.
  using Visit = std::function<void(const PlayedGame&)>;
  [[nodiscard]] virtual Result<void> load(const MatchSpec& spec, const Visit& visit) = 0;
  /// Returns when all of them are safe. A number that is there already keeps its first game.
  [[nodiscard]] virtual Result<void> add(const MatchSpec& spec,
                                         std::span<const PlayedGame> games) = 0;
};

struct MatchProgress {
  std::uint64_t known = 0;   ///< with those of earlier runs
  std::uint64_t played = 0;  ///< by this run
  std::uint64_t games = 0;
  std::chrono::duration<double> elapsed{0};
};

struct RunOptions {
  Resources resources;  ///< a game at a time on each thread
  std::optional<SprtClaims> sprt;
  GameArchive* archive = nullptr;  ///< none: the games are forgotten
  StopToken stop;                  ///< ends the run; games in progress are dropped
  /// Told about twice a second, from the calling thread.
  std::function<void(const MatchProgress&)> progress;
  /// How long an agent that was asked to stop may take before its thread is given up.
  std::chrono::milliseconds grace{2'000};
};

struct MatchResult {
  MatchTally tally;
  SprtVerdict verdict = SprtVerdict::kUndecided;
  bool complete = false;     ///< false: stopped before its end
  std::uint64_t played = 0;  ///< games played by this run
  int given_up_threads = 0;  ///< agents that never came back; they still burn a core
  std::chrono::duration<double> elapsed{0};
};

[[nodiscard]] Result<MatchResult> run_match(const MatchSpec& spec, const RunOptions& options);

}  // namespace rowbot::lab
