// The database for programs that wait for it: finished games of every kind, matches with their
// settings, the reports of experiments.
// Thread safety: as Database; one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sqlite/database.h"
#include "game/game_record.h"
#include "service/store/store.h"

namespace rowbot::store {

/// What the games of a match have in common.
struct LabMatch {
  std::int64_t id = 0;
  std::string key;  ///< everything a game's course depends on; one match has one key
  std::string a;
  std::string b;
  std::uint64_t seed = 0;
  int opening_plies = 0;
  std::string colours;  ///< who moves first: "swapped", "a" or "b"
  std::int64_t limit_ms = 0;
  std::string group;        ///< the experiment it belongs to, or empty
  std::uint64_t games = 0;  ///< stored so far; only matches() sets it
};

/// Which games are wanted: those that fit all that is set.
struct GameFilter {
  std::optional<std::int64_t> id;
  std::optional<GameKind> kind;
  std::optional<std::int64_t> match;
  bool outside_matches = false;
  std::optional<std::uint64_t> number;
  std::uint64_t below = INT64_MAX;  ///< of their numbers
};

class Archive {
 public:
  /// Opens or makes the file; see Database::open for what is refused.
  [[nodiscard]] static Result<Archive> open(const std::string& path,
                                            const sqlite::OpenOptions& options = {});

  /// The id of the match with this key, made if it is new.
  [[nodiscard]] Result<std::int64_t> match_id(const LabMatch& match);
  [[nodiscard]] Result<std::vector<LabMatch>> matches();
  /// Removes the matches of a group with all their games.
  [[nodiscard]] Result<void> forget_group(std::string_view group);
  [[nodiscard]] Result<void> forget_match(std::int64_t match);

  /// On the disk when it returns: all of them, or none. A number that is there keeps its game.
  [[nodiscard]] Result<void> add(std::int64_t match, std::span<const game::NumberedGame> games);
  /// A game of no match, on the disk when it returns.
  [[nodiscard]] Result<void> add(const GameHead& head, const game::GameRecord& record);
  /// Matches in the order of their games' numbers, others in the order they were stored. A game
  /// that contradicts itself is given as an error; a visitor's failure ends the reading.
  using Visit = std::function<Result<void>(Result<StoredGame>)>;
  [[nodiscard]] Result<void> each_game(const GameFilter& filter, const Visit& visit);

  /// The last report of an experiment replaces the one before.
  [[nodiscard]] Result<void> keep_report(std::string_view experiment, std::string_view json);
  [[nodiscard]] Result<std::optional<std::string>> report(std::string_view experiment);

 private:
  explicit Archive(sqlite::Database database) : database_(std::move(database)) {}

  sqlite::Database database_;
};

/// $XDG_DATA_HOME/rowbot/rowbot.db, or ~/.local/share/rowbot/rowbot.db: the file of website and
/// laboratory both. Fails when neither variable is set.
[[nodiscard]] Result<std::string> default_database_path();

}  // namespace rowbot::store
