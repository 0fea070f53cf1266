// Where the website's games, results and survey answers are kept, whatever database is behind it.
// Thread safety: all functions from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "game/column.h"
#include "game/game_record.h"
#include "game/outcome.h"

namespace rowbot::store {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

/// Where a game was played.
enum class GameKind : std::uint8_t { kWebsite, kTable, kTerminal, kMatch };

/// "website", "table", "terminal" or "match".
[[nodiscard]] std::string_view kind_text(GameKind kind);
[[nodiscard]] std::optional<GameKind> parse_kind(std::string_view text);

/// What is known of a game beside its record. All but `ended` is fixed when it begins.
struct GameHead {
  GameKind kind = GameKind::kWebsite;
  std::string token;                   ///< on the website, the key of the game and of its maker
  std::optional<std::string> guest;    ///< the key of the second seat, for people on two screens
  std::optional<std::string> level;    ///< set when a person plays against a level
  std::optional<std::int64_t> match;   ///< the match it belongs to
  std::optional<std::int64_t> number;  ///< its number in the match, or in the log of a table
  std::string site;                    ///< at a table, the robot
  std::optional<Time> created;         ///< not known of games of matches
  std::optional<Time> ended;

  friend bool operator==(const GameHead&, const GameHead&) = default;
};

struct StoredGame {
  std::int64_t id = 0;
  GameHead head;
  game::GameRecord record;

  friend bool operator==(const StoredGame&, const StoredGame&) = default;
};

// The changes. Each names the game by its own token, never by the guest's.
/// The record names the players; its moves are those on the board when the game begins.
struct NewGame {
  GameHead head;
  game::GameRecord record;
};
/// Ply counts from 0 at the empty board, so that the same move stored twice is refused, and so is
/// one whose predecessor is not stored.
struct AddMove {
  std::string token;
  int ply = 0;
  game::Column column{0};
  game::MoveTime thinking;  ///< empty for a person
};
/// Removes the moves from this ply on and marks the game.
struct TakeBack {
  std::string token;
  int ply = 0;
};
/// Refused when the game has ended already: a result counts once. `winner` ("human", "agent",
/// "draw") adds one to the statistics of the level.
struct EndGame {
  std::string token;
  game::GameResult result = game::GameResult::kOngoing;
  game::EndReason reason = game::EndReason::kOngoing;
  Time ended{};
  std::optional<std::string> level;
  std::optional<std::string> winner;
};
/// A second answer about the same game replaces the first.
struct AnswerSurvey {
  std::optional<std::string> token;
  std::string feel;
  std::string age;
  Time answered{};
};
/// A small text of the operator's, such as an announcement. Empty removes it.
struct SetNote {
  std::string name;
  std::string value;
};
using Change = std::variant<NewGame, AddMove, TakeBack, EndGame, AnswerSurvey, SetNote>;

struct TallyRow {
  std::string level;
  std::string winner;
  std::int64_t games = 0;
};
struct SurveyRow {
  std::string feel;
  std::string age;
  std::int64_t answers = 0;
};
struct Statistics {
  std::int64_t games = 0;  ///< begun on the website
  std::vector<TallyRow> tally;
  std::vector<SurveyRow> surveys;
};

class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  Store(Store&&) = delete;
  Store& operator=(Store&&) = delete;
  /// Writes what has been handed over, and tells everybody, before it returns.
  virtual ~Store() = default;

  /// Called once, from a thread of the store's; quick, and without calling the store.
  using Done = std::function<void(Result<void>)>;

  /// Makes all of the changes or none. Does not block. `done` is told after they are safe on the
  /// disk, or why they are not; changes handed over earlier are made earlier.
  virtual void write(std::vector<Change> changes, Done done) = 0;

  // Reading blocks for a moment; it sees every change whose `done` has been told.
  /// By the game's own token or its guest's; nothing if there is no such game.
  [[nodiscard]] virtual Result<std::optional<StoredGame>> game(std::string_view token) = 0;
  [[nodiscard]] virtual Result<Statistics> statistics() = 0;
  /// Empty if it was never set.
  [[nodiscard]] virtual Result<std::string> note(std::string_view name) = 0;

  /// The reason why the last write failed; empty after one that succeeded. Thread-safe.
  [[nodiscard]] virtual std::string write_trouble() const = 0;
};

/// write() for those who can wait.
[[nodiscard]] Result<void> write_and_wait(Store& store, std::vector<Change> changes);

}  // namespace rowbot::store
