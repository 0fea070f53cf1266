// The laboratory's step in the list of migrations.
// Thread safety: constant data.
#pragma once

#include <string_view>

namespace rowbot::store {

/// A game is its match and its number, so it cannot be stored twice; moves are digits, because the
/// laboratory reads whole games by the thousand and never single moves.
inline constexpr std::string_view kLaboratoryTables = R"sql(
CREATE TABLE lab_matches (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  seed INTEGER NOT NULL,
  openings INTEGER NOT NULL,
  colours TEXT NOT NULL,
  limit_ms INTEGER NOT NULL,
  grp TEXT NOT NULL
);
CREATE INDEX lab_matches_by_group ON lab_matches (grp);
CREATE TABLE lab_games (
  match INTEGER NOT NULL REFERENCES lab_matches(id),
  number INTEGER NOT NULL,
  moves TEXT NOT NULL,
  result TEXT NOT NULL,
  reason INTEGER NOT NULL,
  a_us INTEGER NOT NULL,
  b_us INTEGER NOT NULL,
  note TEXT NOT NULL,
  PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE lab_reports (
  experiment TEXT PRIMARY KEY,
  json TEXT NOT NULL
) WITHOUT ROWID;
)sql";

}  // namespace rowbot::store
