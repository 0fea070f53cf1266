// The archive of matches in the project's database.
// Thread safety: one thread at a time.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  /// Removes all matches of an experiment.
  [[nodiscard]] Result<void> forget_group(std::string_view group);

 private:
  [[nodiscard]] Result<std::int64_t> id_of(const MatchSpec& spec);
  [[nodiscard]] Result<void> read_ids();

  store::Archive& tables_;
  std::optional<std::map<std::string, std::int64_t>> ids_;  // by canonical key; read at first use
};

/// The specification of a stored match.
[[nodiscard]] Result<MatchSpec> spec_of(const store::LabMatch& match);

}  // namespace rowbot::lab
