#include "engine/learn/q_learner.h"

#include <cassert>
#include <cmath>

#include "engine/learn/experience.h"
#include "fmt/core.h"

namespace rowbot::learn {
namespace {

using game::Bits;
using game::Column;
using game::Position;

constexpr Column kCentre(game::kColumns / 2);
/// Far beyond any sensible reward, and small enough that sums of it stay exact enough.
constexpr double kLargestReward = 1e6;

/// One of the squares' columns, each as likely; requires at least one, at most one in a column.
Column pick_column(Bits squares, Rng& rng) {
  assert(squares != 0);
  if ((squares & (squares - 1)) != 0) {
    std::uint32_t skip = rng.below(static_cast<std::uint32_t>(game::count(squares)));
    while (skip-- > 0) squares &= squares - 1;
  }
  return Column(game::lowest_column(squares));
}

}  // namespace

Result<void> check(const QOptions& options) {
  const auto within = [](double x, double low, double high) { return x >= low && x <= high; };
  if (options.dynamic_alpha) {
    if (!within(options.alpha, 1e-9, 1e12)) {
      return Error{fmt::format("alpha0 is {}; with dynamic alpha it is above 0, such as 1000",
                               options.alpha)};
    }
  } else if (!within(options.alpha, 0, 1)) {
    return Error{
        fmt::format("alpha is {}; a constant alpha is from 0 to 1; for alpha0 / (alpha0 + "
                    "t) ask for dynamic alpha",
                    options.alpha)};
  }
  if (!within(options.gamma, 0, 1)) {
    return Error{fmt::format("gamma is {}; it is from 0 to 1", options.gamma)};
  }
  if (!within(options.epsilon, 0, 1)) {
    return Error{fmt::format("epsilon is {}; it is from 0 to 1", options.epsilon)};
  }
  for (const double reward : {options.rewards.win, options.rewards.draw, options.rewards.loss}) {
    if (!within(reward, -kLargestReward, kLargestReward)) {
      return Error{fmt::format("a reward is {}; it is from -{} to {}", reward, kLargestReward,
                               kLargestReward)};
    }
  }
  return {};
}

double reward_of(game::GameResult result, game::Side side, const Rewards& rewards) {
  if (result == game::GameResult::kDraw) return rewards.draw;
  return result == game::win_of(side) ? rewards.win : rewards.loss;
}

BestAction best_action(const Position& position, const State& state, const ActionValues& values,
                       Rng& rng) {
  Bits best = 0;
  float most = -HUGE_VALF;
  for (Bits open = position.legal_moves(); open != 0; open &= open - 1) {
    const Column column(game::lowest_column(open));
    const float value = values.value[state.action(column)];
    if (value > most) {
      most = value;
      best = 0;
    }
    if (value == most) best |= open & (~open + 1);
  }
  return {.column = pick_column(best, rng), .value = static_cast<double>(most)};
}

Column any_action(const Position& position, Rng& rng) {
  return pick_column(position.legal_moves(), rng);
}

void QLearner::start_game(std::uint64_t seed) {
  waiting_.reset();
  rng_ = Rng(seed);
}

double QLearner::alpha() const {
  if (!options_.dynamic_alpha) return options_.alpha;
  return options_.alpha / (options_.alpha + static_cast<double>(experience_.episodes()));
}

void QLearner::update(double best_value, double reward) {
  const double rate = alpha();
  experience_.learn(state_, action_, [&](double old) {
    return old + rate * (reward + options_.gamma * best_value - old);
  });
}

Column QLearner::select_action(const Position& position) {
  const State state = experience_.state_of(position);
  BestAction chosen = best_action(position, state, experience_.recall(state), rng_);
  if (waiting_) update(chosen.value, 0);
  if (options_.centre_opening && position.filled() == 0) {
    chosen.column = kCentre;
  } else if (options_.epsilon > 0 && rng_.uniform() < options_.epsilon) {
    chosen.column = any_action(position, rng_);
  }
  waiting_ = position;
  state_ = state;
  action_ = state.action(chosen.column);
  return chosen.column;
}

void QLearner::end_game(game::GameResult result) {
  assert(result != game::GameResult::kOngoing);
  if (!waiting_) return;  // it never moved: there is nothing to learn from
  const game::Side side = waiting_->to_move();
  double after_the_end = 0;
  if (options_.ending == Ending::kLetter) {
    after_the_end = static_cast<double>(experience_.recall(state_).value[action_]);
  }
  update(after_the_end, reward_of(result, side, options_.rewards));
  experience_.end_episode(result == game::GameResult::kDraw ? Experience::kDrawn
                          : result == game::win_of(side)    ? Experience::kWon
                                                            : Experience::kLost);
  waiting_.reset();
}

}  // namespace rowbot::learn
