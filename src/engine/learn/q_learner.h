// Q-learning as in section 4.4.2 of Boehm 2016 (Watkins 1989).
//
// When it is to move in state s' after it played a in s, it first learns about that move,
//   Q(s, a) <- Q(s, a) + alpha (0 + gamma max_a' Q(s', a') - Q(s, a)),
// one move late because s' was not known before. At the end of the game the last move is learned
// from the reward r alone,
//   Q(s, a) <- Q(s, a) + alpha (r - Q(s, a)):
// nothing follows the end. What was never learned is 0. It then plays the best action, among equals
// any, or with probability epsilon any action at all. alpha is constant, or alpha0 / (alpha0 + t)
// after t episodes.
//
// Algorithm 2 of Boehm 2016 reads, taken by the letter, as if the last update added gamma times the
// old value to the reward; Ending::kLetter does that. Then Q grows without bound for gamma = 1.
// Thread safety: none; a learner and its experience belong to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "base/rng.h"
#include "engine/learn/action_values.h"
#include "game/outcome.h"
#include "game/position.h"

namespace rowbot::learn {

class Experience;

struct Rewards {
  double win = 100;
  double draw = 0;
  double loss = -100;

  friend bool operator==(const Rewards&, const Rewards&) = default;
};

/// What the last update of a game takes for the best value after the end.
enum class Ending : std::uint8_t {
  kZero,    ///< 0, as the rule of Q-learning demands
  kLetter,  ///< the old value, as Algorithm 2 is printed
};

struct QOptions {
  double alpha = 0.1;  ///< alpha0 if it is dynamic
  bool dynamic_alpha = false;
  double gamma = 1;
  double epsilon = 0.001;
  Rewards rewards;
  bool centre_opening = true;  ///< moving first it opens in the centre, without exploring
  Ending ending = Ending::kZero;
};

/// Refuses numbers that no learner can use, and says which.
[[nodiscard]] Result<void> check(const QOptions& options);

/// The reward of a finished game for one side.
[[nodiscard]] double reward_of(game::GameResult result, game::Side side, const Rewards& rewards);

/// The best action and its value; requires an unfinished game. Among equals any, each as likely.
struct BestAction {
  game::Column column;
  double value;
};
[[nodiscard]] BestAction best_action(const game::Position& position, const State& state,
                                     const ActionValues& values, Rng& rng);

/// Any legal move, each as likely; requires an unfinished game.
[[nodiscard]] game::Column any_action(const game::Position& position, Rng& rng);

class QLearner {
 public:
  /// Requires check(options); the experience must outlive the learner.
  QLearner(const QOptions& options, Experience& experience)
      : options_(options), experience_(experience) {}

  /// Forgets the move that waits for its update and begins its randomness anew.
  void start_game(std::uint64_t seed);

  /// The move to play in an unfinished game; learns about the one before.
  [[nodiscard]] game::Column select_action(const game::Position& position);

  /// Learns about the last move and counts the episode; requires a finished game.
  void end_game(game::GameResult result);

  [[nodiscard]] double alpha() const;
  [[nodiscard]] const QOptions& options() const { return options_; }
  /// Whether a move waits for its update, and where it was made.
  [[nodiscard]] const std::optional<game::Position>& waiting() const { return waiting_; }

 private:
  void update(double best_value, double reward);

  QOptions options_;
  Experience& experience_;
  Rng rng_{1};
  // lastStateActionValue of Boehm 2016; the value is looked up again when it is needed.
  std::optional<game::Position> waiting_;
  State state_;
  std::size_t action_ = 0;
};

}  // namespace rowbot::learn
