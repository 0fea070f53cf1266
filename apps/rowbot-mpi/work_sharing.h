// Games handed out to MPI processes as they become free: rank 0 keeps the books and the database,
// the others play.
// Thread safety: MPI calls from the main thread only.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "lab/matches/match.h"

namespace rowbot::mpi {

struct SharingOptions {
  lab::GameArchive* archive = nullptr;
  std::function<void(const lab::MatchProgress&)> progress;
};

/// For rank 0: plays all matches on the other ranks and returns their tallies. All ranks must have
/// the same list of matches. With one process alone it plays them itself.
[[nodiscard]] Result<std::vector<lab::MatchTally>> hand_out_games(
    const std::vector<lab::MatchSpec>& matches, const SharingOptions& options);

/// For the other ranks: plays what it is given until there is no more.
[[nodiscard]] Result<void> play_given_games(const std::vector<lab::MatchSpec>& matches);

/// For rank 0, where the matches are not known beforehand: tells the other ranks which comes next
/// and plays it on them. Afterwards end_matches().
[[nodiscard]] Result<lab::MatchTally> share_match(const lab::MatchSpec& match,
                                                  const SharingOptions& options);
void end_matches();

/// For the other ranks: plays matches as they are announced.
[[nodiscard]] Result<void> play_announced_matches();

}  // namespace rowbot::mpi
