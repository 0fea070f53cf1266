#include "engine/learn/q_agent.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rowbot::learn {
namespace {

using game::Column;
using game::Position;

constexpr Column kOpening(game::kColumns / 2);

/// Whether `later` can be the learner's next turn after its move in `earlier`: two discs more, and
/// none gone. Not so after an undo, or when a new game began unannounced.
bool may_follow(const Position& earlier, const Position& later) {
  return later.discs() == earlier.discs() + 2 && (earlier.mover() & ~later.mover()) == 0 &&
         (earlier.opponent() & ~later.opponent()) == 0;
}

}  // namespace

std::vector<agents::MoveEvidence> evidence_of(const Position& position, const State& state,
                                              const ActionValues& values, const Rewards& rewards) {
  const double scale = std::max({std::abs(rewards.win), std::abs(rewards.loss), 1e-9});
  std::vector<agents::MoveEvidence> moves;
  for (const Column column : game::kAllColumns) {
    const std::size_t action = state.action(column);
    if (!position.can_play(column) || values.visits.at(action) == 0) continue;
    const double value = static_cast<double>(values.value.at(action)) / scale;
    moves.push_back({.column = column,
                     .visits = values.visits.at(action),
                     .value = std::clamp(value, -1.0, 1.0)});
  }
  return moves;
}

QAgent::QAgent(const QAgentOptions& options, Experience experience)
    : options_(options),
      experience_(std::move(experience)),
      learner_(options.learner, experience_),
      rng_(options.seed) {
  learner_.start_game(options.seed);
}

Result<std::unique_ptr<agents::Agent>> QAgent::make(const QAgentOptions& options) {
  if (auto fine = check(options.learner); !fine) return fine.error();
  Experience experience;
  if (!options.experience.empty()) {
    using Access = Experience::Access;
    auto opened =
        Experience::open(options.experience, options.learn ? Access::kLearn : Access::kPlay);
    if (!opened) return opened.error();
    experience = *std::move(opened);
  }
  return std::unique_ptr<agents::Agent>(new QAgent(options, std::move(experience)));
}

void QAgent::start_game(std::uint64_t seed) {
  learner_.start_game(seed);
  rng_ = Rng(seed);
}

Result<void> QAgent::end_game(const Position& position) {
  const game::Outcome outcome = position.outcome();
  if (!options_.learn || !outcome.finished()) return {};
  learner_.end_game(outcome.result);
  return experience_.save();
}

agents::Decision QAgent::think(const Position& position, const agents::BudgetMeter& /*meter*/) {
  const State state = experience_.state_of(position);
  // What cannot be read is not known; a learner says so when the game ends.
  const auto found = experience_.look_up(state);
  const ActionValues values = found ? found->value_or(ActionValues{}) : ActionValues{};
  agents::Decision decision{
      .column = kOpening, .moves = evidence_of(position, state, values, options_.learner.rewards)};
  if (options_.learn) {
    if (learner_.waiting() && !may_follow(*learner_.waiting(), position)) {
      learner_.start_game(rng_());
    }
    decision.column = learner_.select_action(position);
  } else if (options_.learner.centre_opening && position.filled() == 0) {
    decision.column = kOpening;
  } else if (options_.learner.epsilon > 0 && rng_.uniform() < options_.learner.epsilon) {
    decision.column = any_action(position, rng_);
  } else {
    decision.column = best_action(position, state, values, rng_).column;
  }
  return decision;
}

}  // namespace rowbot::learn
