// Plays visitors' matches one after the other, on a thread that yields to everything else.
// The games are counted and forgotten; who wants to keep them has `rowbot match`.
// Thread safety: all functions from any thread; none waits for a game.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "lab/matches/ledger.h"
#include "lab/matches/match_spec.h"
#include "service/server/options.h"

namespace rowbot::server {

enum class LabState : std::uint8_t {
  kWaiting,
  kPlaying,
  kFinished,
  kStopped,    ///< by a visitor, or because the server closes
  kOutOfTime,  ///< the games played so far count
  kFailed,
};

/// A match at one moment.
struct LabMatchView {
  std::string id;
  lab::MatchSpec spec;
  LabState state = LabState::kWaiting;
  std::size_t ahead = 0;  ///< matches that come first, while it waits
  lab::MatchTally tally;
  std::optional<lab::PlayedGame> last;
  std::chrono::milliseconds elapsed{0};
  std::string problem;  ///< why it failed
};

class MatchRunner {
 public:
  explicit MatchRunner(const LaboratoryOptions& options);
  /// Stops the match that is played.
  ~MatchRunner();
  MatchRunner(const MatchRunner&) = delete;
  MatchRunner& operator=(const MatchRunner&) = delete;
  MatchRunner(MatchRunner&&) = delete;
  MatchRunner& operator=(MatchRunner&&) = delete;

  /// Requires a specification that lab::check_match accepts. Nothing when too many wait.
  [[nodiscard]] std::optional<LabMatchView> start(lab::MatchSpec spec, std::string client);
  /// Matches of this client that are played or wait.
  [[nodiscard]] std::size_t open_matches(const std::string& client) const;
  /// Nothing when there is no such match, or not any more.
  [[nodiscard]] std::optional<LabMatchView> get(const std::string& id) const;
  /// Its last games may still be counted when this returns.
  [[nodiscard]] std::optional<LabMatchView> stop(const std::string& id);

 private:
  struct Match;
  class Scoreboard;
  using Shared = std::shared_ptr<Match>;

  void work(const std::stop_token& stop);
  void play(const Shared& match, const std::stop_token& stop);
  [[nodiscard]] LabMatchView view_of(const Match& match) const;  // with the mutex held
  void forget_old();                                             // with the mutex held

  LaboratoryOptions options_;
  mutable std::mutex mutex_;  // guards everything below but the thread
  std::condition_variable_any filled_;
  std::map<std::string, Shared> matches_;
  std::deque<Shared> waiting_;
  std::deque<std::string> over_;  // the longest over first
  std::jthread thread_;
};

}  // namespace rowbot::server
