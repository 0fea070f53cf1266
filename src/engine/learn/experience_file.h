// Experience on disk: a SQLite file with one row for each state,
//
//     states  (key, q1..q7, n1..n7)   values and visit counts from the left column to the right
//     results (first, outcomes)       a letter for each episode (w, d, l), a row for each batch
//     facts   (name, value)           mirror: on or off; training: the last one, in words
//
// A batch of states, its outcomes and facts are written in one transaction. Whatever kills the
// program, the file holds whole batches only.
// Thread safety: none; open the file once more for another thread. One process may write while
// others read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/sqlite/database.h"
#include "engine/learn/action_values.h"

namespace rowbot::learn {

class ExperienceFile {
 public:
  enum class Use : std::uint8_t {
    kPlay,    ///< the file must exist; its pages are read as they are needed
    kExtend,  ///< the file must exist and is checked from end to end
    kCreate,  ///< the same, but made when there is none
  };

  /// Refuses what is not an experience, damaged, or from the future, and leaves it untouched.
  [[nodiscard]] static Result<ExperienceFile> open(const std::string& path, Use use);

  [[nodiscard]] Result<std::optional<ActionValues>> find(StateKey key);

  /// Calls for each state in ascending order of the keys until the call returns an error. Every key
  /// is that of a position, and every value a finite number.
  using Visitor = std::function<Result<void>(StateKey, const ActionValues&)>;
  [[nodiscard]] Result<void> for_each(const Visitor& visit);

  [[nodiscard]] Result<std::uint64_t> count_states();
  [[nodiscard]] Result<std::uint64_t> count_episodes();
  /// A letter for each episode.
  [[nodiscard]] Result<std::string> outcomes();
  [[nodiscard]] Result<std::optional<std::string>> fact(std::string_view name);

  struct Batch {
    std::span<const StateKey> keys;  ///< ascending, which is quickest
    std::function<const ActionValues&(StateKey)> values;
    std::uint64_t first_episode = 0;  ///< how many the file must hold already
    std::string_view outcomes;
    std::string_view training;
  };
  /// All or nothing, and on the disk when it returns. Refuses when another program has added
  /// episodes meanwhile.
  [[nodiscard]] Result<void> write(const Batch& batch);
  [[nodiscard]] Result<void> set_fact(std::string_view name, std::string_view value);

  [[nodiscard]] const std::string& path() const { return database_.path(); }

 private:
  explicit ExperienceFile(sqlite::Database database) : database_(std::move(database)) {}
  [[nodiscard]] Result<void> check_schema();
  [[nodiscard]] Error in_file(const Error& error) const;
  [[nodiscard]] Result<ActionValues> read_row(const sqlite::Statement& row) const;

  sqlite::Database database_;
};

}  // namespace rowbot::learn
