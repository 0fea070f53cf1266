#include "lab/matches/match_store.h"

#include <utility>

#include "fmt/core.h"

namespace rowbot::lab {

Result<std::int64_t> MatchStore::id_of(const MatchSpec& spec) {
  const std::string key = match_key(spec);
  if (last_ && last_->first == key) return last_->second;
  auto id = tables_.match_id({.key = key,
                              .a = spec.a,
                              .b = spec.b,
                              .seed = spec.seed,
                              .opening_plies = spec.opening_plies,
                              .colours = std::string(colours_text(spec.colours)),
                              .limit_ms = spec.move_limit.count(),
                              .group = spec.group});
  if (id) last_.emplace(key, *id);
  return id;
}

Result<void> MatchStore::load(const MatchSpec& spec, const Visit& visit) {
  const auto id = id_of(spec);
  if (!id) return id.error();
  return tables_.each_game({.match = *id, .below = spec.games},
                           [&visit](Result<store::StoredGame> stored) -> Result<void> {
                             if (!stored) return stored.error();
                             const auto number = static_cast<std::uint64_t>(*stored->head.number);
                             visit({.number = number, .record = std::move(stored->record)});
                             return {};
                           });
}

Result<void> MatchStore::add(const MatchSpec& spec, std::span<const PlayedGame> games) {
  const auto id = id_of(spec);
  if (!id) return id.error();
  return tables_.add(*id, games);
}

Result<void> MatchStore::forget(const MatchSpec& spec) {
  const auto id = id_of(spec);
  if (!id) return id.error();
  last_.reset();
  return tables_.forget_match(*id);
}

Result<MatchSpec> spec_of(const store::LabMatch& match) {
  MatchSpec spec{.a = match.a,
                 .b = match.b,
                 .games = match.games,
                 .seed = match.seed,
                 .opening_plies = match.opening_plies,
                 .move_limit = std::chrono::milliseconds(match.limit_ms),
                 .group = match.group};
  for (const Colours colours : {Colours::kSwapped, Colours::kAFirst, Colours::kBFirst}) {
    spec.colours = colours;
    if (match_key(spec) == match.key) return spec;
  }
  return Error{fmt::format("match {} in the database contradicts its own key", match.id)};
}

}  // namespace rowbot::lab
