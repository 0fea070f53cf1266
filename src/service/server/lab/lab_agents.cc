#include "service/server/lab/lab_agents.h"

#include <array>
#include <chrono>
#include <cstdint>

#include "base/text.h"
#include "engine/roster/levels.h"
#include "fmt/core.h"
#include "service/server/games/levels.h"

namespace rowbot::server {
namespace {

constexpr std::chrono::milliseconds kLongestThought{100};
constexpr std::uint64_t kMostSimulations = 20'000;
constexpr std::int64_t kDeepestInMatch = 6;

/// One of the levels, by its name.
LabAgent level(std::string_view name) {
  const roster::Level& found = *roster::find_level(name);
  return {.text = found.text, .title = found.title, .help = found.help};
}

const std::array<LabAgent, 13>& all() {
  static const std::array<LabAgent, 13> kAgents{{
      {.text = "random", .title = "Random", .help = "Any legal move."},
      {.text = "forward",
       .title = "Forward checking",
       .help = "Looks one move ahead: wins, else blocks, else avoids a gift."},
      level("beginner-3"),
      {.text = "expectimax:depth=4",
       .title = "Expectimax, 4 plies",
       .help = "Takes the mean over the opponent's moves."},
      {.text = "minimax:depth=4",
       .title = "Minimax, 4 plies",
       .help = "Alpha-beta, as in Dublin 2020."},
      {.text = "mcs:sims=2000",
       .title = "Monte Carlo, 2,000 playouts",
       .help = "Random games split evenly over the moves; no tree."},
      {.text = "mcts:preset=boehm",
       .title = "Tree search of Boehm 2016",
       .help = "Twenty playouts a move."},
      {.text = "minimax:depth=6",
       .title = "Minimax, 6 plies",
       .help = "The same, two plies deeper."},
      {.text = "rhodes", .title = "Rhodes, 1993", .help = "Six plies, stacked winning holes."},
      {.text = "mcts:sims=1000",
       .title = "Tree search, 1,000 simulations",
       .help = "UCT with this project's settings."},
      {.text = "mcts:preset=dublin,sims=5000",
       .title = "Tree search of Dublin 2020",
       .help = "5,000 simulations a move."},
      {.text = "mcts:sims=20000",
       .title = "Tree search, 20,000 simulations",
       .help = "As strong as the limits here allow a search to be."},
      level("perfect"),
  }};
  return kAgents;
}

/// What is wrong with the limits under which the agent would play; empty if nothing is.
std::string complaint(const roster::AgentSpec& agent) {
  const agents::Budget& budget = agent.budget();
  const bool quick = budget.time && *budget.time <= kLongestThought;
  const bool few = budget.simulations && *budget.simulations <= kMostSimulations;
  if (!budget.time && !budget.simulations) {
    const auto depth = agent.option("depth");
    if (!depth || *parse_integer(*depth) <= kDeepestInMatch) return "";
    return fmt::format("depth may be at most {} in the laboratory", kDeepestInMatch);
  }
  const bool fits = budget.rule == agents::Budget::Rule::kFirstReached
                        ? quick || few
                        : (quick || !budget.time) && (few || !budget.simulations);
  if (fits) return "";
  return fmt::format("in the laboratory a move may take at most {} or {} simulations",
                     duration_text(kLongestThought), kMostSimulations);
}

}  // namespace

std::span<const LabAgent> lab_agents() { return all(); }

Result<roster::AgentSpec> lab_agent(std::string_view text) {
  auto thinker = thinker_of(trimmed(text));
  if (!thinker) return thinker.error();
  if (const std::string wrong = complaint(thinker->agent); !wrong.empty()) return Error{wrong};
  return std::move(thinker->agent);
}

}  // namespace rowbot::server
