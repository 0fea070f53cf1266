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

/// What is fixed when a game begins.
struct GameHead {
  std::string token;                 ///< the key of the game and of whoever made it
  std::optional<std::string> guest;  ///< the key of the second seat, for two people on two screens
  std::string kind;                  ///< who plays whom, in the words of the JSON API
  std::optional<std::string> level;  ///< set when a person plays against a level
  std::string first;                 ///< "human" or the agent's text
  std::string second;
  std::string start;  ///< moves, as digits, that were on the board when the game began
  Time created{};

  friend bool operator==(const GameHead&, const GameHead&) = default;
};

struct StoredMove {
  game::Column column{0};
  std::optional<std::chrono::microseconds> thinking;  ///< none for a person

  friend bool operator==(const StoredMove&, const StoredMove&) = default;
};

/// A database of an older Rowbot may lack a move in the middle of a game, because a write had
/// failed. The moves before the gap are true and are given; those behind it belong to no position
/// that is known, are left out, and go when the next move is stored. So the game can be played on.
struct StoredGame {
  GameHead head;
  std::vector<StoredMove> moves;  ///< those after head.start, up to the gap if there is one
  std::optional<int> gap;         ///< the ply of the first move that is missing
  bool helped = false;            ///< a move was taken back: the result says little about strength
  game::GameResult result = game::GameResult::kOngoing;
  game::EndReason reason = game::EndReason::kOngoing;
};

// The changes. Each names the game by its own token, never by the guest's.
struct NewGame {
  GameHead head;
};
/// Ply counts from 0 at the empty board, so that the same move stored twice is refused, and so is
/// one whose predecessor is not stored.
struct AddMove {
  std::string token;
  int ply = 0;
  StoredMove move;
};
/// Removes the moves from this ply on and marks the game as helped.
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
  std::int64_t games = 0;  ///< begun, of every kind
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
