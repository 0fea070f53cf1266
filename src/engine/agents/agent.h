// What every player made of software looks like to the rest of the program.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "base/result.h"
#include "base/rng.h"
#include "base/stop.h"
#include "engine/agents/budget.h"
#include "engine/agents/decision.h"
#include "game/position.h"

namespace rowbot::agents {

/// What an agent promises beyond legal moves. The conformance suite holds it to its word.
struct Claims {
  bool takes_wins = false;                ///< plays a move that wins at once whenever there is one
  bool blocks_wins = false;               ///< else stops the opponent's only immediate win
  bool repeatable = true;                 ///< same seed, same position, same simulations: same move
  std::chrono::milliseconds overrun{50};  ///< how far it may exceed its time
};

/// Thread safety: one thread at a time. Stopping through the token works from any thread.
class Agent {
 public:
  Agent() = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  Agent(Agent&&) = delete;
  Agent& operator=(Agent&&) = delete;
  virtual ~Agent() = default;

  /// The budget its text asked for, to pass to choose() unless the caller knows better.
  [[nodiscard]] virtual Budget budget() const = 0;
  [[nodiscard]] virtual Claims claims() const = 0;

  /// Forgets the game before and begins its randomness anew.
  virtual void start_game(std::uint64_t seed) = 0;

  /// Tells how the game went, finished or not, for those who learn from it. Fails when what was
  /// learned could not be kept.
  [[nodiscard]] virtual Result<void> end_game(const game::Position& /*position*/) { return {}; }

  /// Blocks until the budget is spent or a stop is requested; then answers at once with the best
  /// it knows. Refuses a finished game.
  [[nodiscard]] Result<Decision> choose(const game::Position& position, const Budget& budget,
                                        StopToken stop, const Clock& clock = real_clock());

 protected:
  /// For agents made of others: the other's thought, on the same meter.
  [[nodiscard]] static Decision think_of(Agent& other, const game::Position& position,
                                         const BudgetMeter& meter) {
    return other.think(position, meter);
  }

 private:
  /// Called with an unfinished game only.
  [[nodiscard]] virtual Decision think(const game::Position& position,
                                       const BudgetMeter& meter) = 0;
};

/// An agent with options, of which it has its budget and the seed of its own randomness.
template <class OptionsOfAgent>
class SeededAgent : public Agent {
 public:
  explicit SeededAgent(const OptionsOfAgent& options) : options_(options), rng_(options.seed) {}

  [[nodiscard]] Budget budget() const override {
    if constexpr (requires { options_.budget; }) return options_.budget;
    return {};
  }
  void start_game(std::uint64_t seed) override { rng_ = Rng(seed); }

 protected:
  OptionsOfAgent options_;
  Rng rng_;
};

}  // namespace rowbot::agents
