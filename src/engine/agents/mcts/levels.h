// How strong an opponent to be, from a beginner's to the levels of Carlo 2020.
// Thread safety: pure functions.
#pragma once

#include <array>
#include <string_view>

#include "engine/agents/mcts/options.h"

namespace rowbot::agents::mcts {

struct Level {
  std::string_view name;
  Budget budget;
  double blunders = 0;  ///< Options::blunders
};

/// From the weakest to the strongest.
///  - beginner1..3: a few simulations, and now and then a move without a look.
///  - pi-easy, pi-moderate, pi-hard: the simulations the website of Carlo 2020 got from a
///    Raspberry Pi 3, and so its strength, on any machine.
///  - easy, moderate, hard: that website's rule, at least the time AND at least the simulations
///    (section 6.7). On a machine faster than the Pi they are stronger than they were.
///  - table1..3: the rocker switch of the table, 100, 1000 and 5000 ms.
[[nodiscard]] const std::array<Level, 12>& levels();

/// The options with a level's limits and blunders.
[[nodiscard]] Options at_level(Options options, const Level& level);

}  // namespace rowbot::agents::mcts
