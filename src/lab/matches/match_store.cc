#include "lab/matches/match_store.h"

#include <utility>

#include "fmt/core.h"

namespace rowbot::lab {

/// Older versions stored the agents' texts as they were typed: those matches go on under the
/// canonical key.
Result<void> MatchStore::read_ids() {
  const auto matches = tables_.matches();
  if (!matches) return matches.error();
  ids_.emplace();
  for (const store::LabMatch& match : *matches) {
    const auto spec = spec_of(match);
    if (!spec) continue;  // of an agent that is no more
    const std::string key = match_key(*spec);
    if (key == match.key) {
      (*ids_)[key] = match.id;
    } else {
      ids_->emplace(key, match.id);
    }
  }
  return {};
}

Result<std::int64_t> MatchStore::id_of(const MatchSpec& spec) {
  const std::string key = match_key(spec);
  if (!ids_) {
    if (auto read = read_ids(); !read) return read.error();
  }
  if (const auto found = ids_->find(key); found != ids_->end()) return found->second;
  auto id = tables_.match_id({.key = key,
                              .a = spec.a.text(),
                              .b = spec.b.text(),
                              .seed = spec.seed,
                              .opening_plies = spec.opening_plies,
                              .colours = std::string(colours_text(spec.colours)),
                              .limit_ms = spec.move_limit.count(),
                              .group = spec.group});
  if (id) ids_->emplace(key, *id);
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
  ids_->erase(match_key(spec));
  return tables_.forget_match(*id);
}

Result<void> MatchStore::forget_group(std::string_view group) {
  ids_.reset();
  return tables_.forget_group(group);
}

Result<MatchSpec> spec_of(const store::LabMatch& match) {
  auto a = roster::AgentSpec::parse(match.a);
  if (!a) return a.error();
  auto b = roster::AgentSpec::parse(match.b);
  if (!b) return b.error();
  MatchSpec spec{.a = *std::move(a),
                 .b = *std::move(b),
                 .games = match.games,
                 .seed = match.seed,
                 .opening_plies = match.opening_plies,
                 .move_limit = std::chrono::milliseconds(match.limit_ms),
                 .group = match.group};
  for (const Colours colours : {Colours::kSwapped, Colours::kAFirst, Colours::kBFirst}) {
    spec.colours = colours;
    if (match_key(spec, match.a, match.b) == match.key) return spec;
  }
  return Error{fmt::format("match {} in the database contradicts its own key", match.id)};
}

}  // namespace rowbot::lab
