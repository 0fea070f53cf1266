// Minimax with alpha-beta and limited depth: `minimax` with the window evaluation (Dublin 2020,
// Panda project), `rhodes` with the evaluation of 1993.
// Thread safety: as Agent.
#pragma once

#include <cstdint>

#include "base/rng.h"
#include "engine/agents/agent.h"
#include "engine/agents/lookahead/root_choice.h"
#include "game/position.h"

namespace rowbot::agents::lookahead {

struct MinimaxOptions {
  int depth = 5;  ///< plies; with a time limit it deepens up to here
  Ties ties = Ties::kLeft;
  Budget budget;
  std::uint64_t seed = 1;
};

class MinimaxAgent final : public Agent {
 public:
  explicit MinimaxAgent(const MinimaxOptions& options) : options_(options), rng_(options.seed) {}

  [[nodiscard]] Budget budget() const override { return options_.budget; }
  [[nodiscard]] Claims claims() const override {
    return {.takes_wins = true, .blocks_wins = options_.depth >= 2};
  }
  void start_game(std::uint64_t seed) override { rng_ = Rng(seed); }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;

  MinimaxOptions options_;
  Rng rng_;
};

struct RhodesOptions {
  int depth = 6;
  Ties ties = Ties::kCentre;
  Budget budget;
  std::uint64_t seed = 1;
};

/// Six plies with the evaluation of 1993.
class RhodesAgent final : public Agent {
 public:
  explicit RhodesAgent(const RhodesOptions& options) : options_(options), rng_(options.seed) {}

  [[nodiscard]] Budget budget() const override { return options_.budget; }
  [[nodiscard]] Claims claims() const override {
    return {.takes_wins = true, .blocks_wins = options_.depth >= 2};
  }
  void start_game(std::uint64_t seed) override { rng_ = Rng(seed); }

 private:
  [[nodiscard]] Decision think(const game::Position& position, const BudgetMeter& meter) override;

  RhodesOptions options_;
  Rng rng_;
};

/// What a child process of 1993 answered for one move: its min-max value `depth` plies deep
/// (including the move itself), for the side that makes it. Requires can_play(move), depth >= 1.
[[nodiscard]] int rhodes_move_value(const game::Position& position, game::Column move, int depth);

/// The same with the window evaluation.
[[nodiscard]] int window_move_value(const game::Position& position, game::Column move, int depth);

}  // namespace rowbot::agents::lookahead
