// The agent `q-mcts`: tree search that begins with what an experience knows, the combination the
// Boehm 2016 hopes for in its outlook (6.2).
//
// Where a state is known, each of its tried actions enters the tree as if it had been visited
// before (Gelly, Silver 2007): as often as it was learned, but `most_visits` times at most, with
// the value it was learned to have. Where nothing is known the search decides alone. Thread safety:
// as Agent; the search's threads only read the prior.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/agents/agent.h"
#include "engine/agents/mcts/agent.h"
#include "engine/agents/mcts/options.h"
#include "engine/agents/mcts/prior.h"
#include "engine/learn/experience.h"
#include "engine/learn/q_learner.h"

namespace rowbot::learn {

struct QMctsOptions {
  agents::mcts::Options search;
  std::string experience;  ///< path of a file that exists; empty: nothing is known
  std::uint64_t most_visits = 50;
  int depth = 2;    ///< plies below the root whose states are looked up
  Rewards rewards;  ///< those of the training: what the values mean
};

/// The states of an experience around one position, in memory.
class QPrior final : public agents::mcts::Prior {
 public:
  QPrior(std::uint64_t most_visits, const Rewards& rewards)
      : most_visits_(most_visits), rewards_(rewards) {}

  /// Looks up the position and all up to `depth` plies after it; forgets the others.
  void gather(Experience& experience, const game::Position& position, int depth);

  [[nodiscard]] std::optional<Counts> look(game::Bits mover, game::Bits filled) const override;
  [[nodiscard]] std::size_t states() const { return states_.size(); }

 private:
  void gather_below(Experience& experience, const game::Position& position, int depth);

  std::uint64_t most_visits_;
  Rewards rewards_;
  ExperienceTable states_;  // by the key of the position itself, mirrored or not
};

class QMctsAgent final : public agents::Agent {
 public:
  [[nodiscard]] static Result<std::unique_ptr<agents::Agent>> make(const QMctsOptions& options);

  [[nodiscard]] agents::Budget budget() const override { return search_.budget(); }
  [[nodiscard]] agents::Claims claims() const override { return search_.claims(); }
  void start_game(std::uint64_t seed) override { search_.start_game(seed); }

 private:
  QMctsAgent(const QMctsOptions& options, Experience experience);
  [[nodiscard]] agents::Decision think(const game::Position& position,
                                       const agents::BudgetMeter& meter) override;

  QMctsOptions options_;
  Experience experience_;
  QPrior prior_;
  agents::mcts::MctsAgent search_;
};

}  // namespace rowbot::learn
