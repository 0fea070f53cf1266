// The archive of matches in the project's database.
// Thread safety: one thread at a time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "lab/matches/match.h"
#include "service/store/archive.h"

namespace rowbot::lab {

class MatchStore final : public GameArchive {
 public:
  /// Borrows the tables.
  explicit MatchStore(store::Archive& tables) : tables_(tables) {}

  [[nodiscard]] Result<void> load(const MatchSpec& spec, const Visit& visit) override;
  [[nodiscard]] Result<void> add(const MatchSpec& spec, std::span<const PlayedGame> games) override;
  /// Removes the games of this match.
  [[nodiscard]] Result<void> forget(const MatchSpec& spec);

 private:
  [[nodiscard]] Result<std::int64_t> id_of(const MatchSpec& spec);

  store::Archive& tables_;
  std::optional<std::pair<std::string, std::int64_t>> last_;  // the key asked for last, its id
};

/// The specification of a stored match.
[[nodiscard]] Result<MatchSpec> spec_of(const store::LabMatch& match);

}  // namespace rowbot::lab
