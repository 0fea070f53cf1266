// What learners have learned: states in memory, and a file behind them that keeps them.
//
// A player only looks up the states it meets and never loads the file. A learner at a table fetches
// the states it meets. A training run holds all states in memory. Nothing reaches the disk before
// save(), which writes everything since the last one as one batch.
// Thread safety: none; an experience belongs to one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/learn/action_values.h"
#include "engine/learn/experience_file.h"
#include "engine/learn/experience_table.h"

namespace rowbot::learn {

class Experience {
 public:
  // The letters of outcomes().
  static constexpr char kWon = 'w';
  static constexpr char kDrawn = 'd';
  static constexpr char kLost = 'l';

  enum class Access : std::uint8_t {
    kPlay,   ///< reads single states of an existing file
    kLearn,  ///< the same, and learns
    kTrain,  ///< learns with all states in memory; makes the file when there is none
  };

  /// In memory only. With mirror symmetry, a position and its image are one state.
  explicit Experience(bool mirror = false) : mirror_(mirror) {}

  /// `mirror` is for a new file; one that exists keeps its own, and a wish against it is refused.
  [[nodiscard]] static Result<Experience> open(const std::string& path, Access access,
                                               std::optional<bool> mirror = std::nullopt);

  [[nodiscard]] bool mirror() const { return mirror_; }
  [[nodiscard]] State state_of(const game::Position& position) const {
    return learn::state_of(position, mirror_);
  }

  /// What is known about a state, without keeping it in memory: for players.
  [[nodiscard]] Result<std::optional<ActionValues>> look_up(const State& state);

  /// The values of a state that is being played, fetched or added. Valid until the next call.
  [[nodiscard]] const ActionValues& recall(const State& state) {
    if (fetches_ && table_.find(state.key) == nullptr) fetch(state.key);
    return table_.get_or_add(state.key);
  }

  /// Replaces a value by change(old value) and counts a visit.
  template <class Change>
  void learn(const State& state, std::size_t action, Change change) {
    ActionValues& values = table_.change(state.key);
    values.value[action] = static_cast<float>(change(static_cast<double>(values.value[action])));
    values.visits[action] += values.visits[action] < UINT32_MAX ? 1U : 0U;
  }

  void end_episode(char outcome) { outcomes_.push_back(outcome); }

  /// Adds another's states, means weighted by visits, and its episodes.
  [[nodiscard]] Result<void> merge(ExperienceFile& other);

  /// Not for Access::kPlay.
  [[nodiscard]] std::uint64_t episodes() const { return outcomes_.size(); }
  /// A letter for each episode, from the first ever.
  [[nodiscard]] const std::string& outcomes() const { return outcomes_; }
  /// Share of wins over the last episodes, at most that many; 0 if there are none.
  [[nodiscard]] double win_rate(std::uint64_t last) const;
  /// States in memory: all of them unless they are fetched one by one.
  [[nodiscard]] const ExperienceTable& table() const { return table_; }
  [[nodiscard]] std::size_t unsaved_states() const { return table_.changed(); }

  /// The training the next batch is part of, in words.
  void describe_training(std::string text) { training_ = std::move(text); }

  /// Blocks until everything learned is on the disk; does nothing without a file. Also reports what
  /// could not be read since the last call.
  [[nodiscard]] Result<void> save();
  /// Makes a new file of everything in memory, and keeps it as the file of this experience.
  [[nodiscard]] Result<void> save_as(const std::string& path);

 private:
  void fetch(StateKey key);
  [[nodiscard]] Result<void> load_all();

  bool mirror_ = false;
  bool fetches_ = false;
  ExperienceTable table_;
  std::string outcomes_;
  std::size_t saved_episodes_ = 0;
  std::string training_;
  std::optional<ExperienceFile> file_;
  std::optional<Error> trouble_;  // a state that could not be read
};

}  // namespace rowbot::learn
