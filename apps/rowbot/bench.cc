// rowbot bench: how fast the engines are on this machine, in CPU seconds of one core, so that other
// programs running beside do not count.

#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"
#include "commands.h"
#include "engine/agents/mcts/agent.h"
#include "engine/agents/playout/playout.h"
#include "engine/roster/agent_spec.h"
#include "fmt/core.h"
#include "json.h"

namespace rowbot::app {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The mean of a count over `n` cases.
double per(std::uint64_t count, std::uint64_t n) {
  return static_cast<double>(count) / static_cast<double>(n);
}

struct PlayoutRow {
  std::string kernel;
  double per_second = 0;
  agents::playout::Tally tally;
};

PlayoutRow time_playouts(const agents::playout::Kernel& kernel, double seconds) {
  constexpr std::uint64_t kRound = 160'000;
  Rng rng(1);
  PlayoutRow row{.kernel = kernel.name};
  const double start = cpu_seconds();
  double used = 0;
  do {
    const auto tally = agents::playout::run(kernel, agents::playout::Policy::kUniform,
                                            game::Position(), kRound, rng);
    row.tally.playouts += tally.playouts;
    row.tally.mover_wins += tally.mover_wins;
    row.tally.draws += tally.draws;
    row.tally.plies += tally.plies;
    used = cpu_seconds() - start;
  } while (used < seconds);
  row.per_second = static_cast<double>(row.tally.playouts) / used;
  return row;
}

void bench_playouts(double seconds, bool json) {
  auto rows = Json::array();
  if (!json)
    fmt::print("{:<8} {:>14} {:>11} {:>11} {:>8}\n", "kernel", "playouts/CPU s", "mean plies",
               "first wins", "draws");
  for (const agents::playout::Kernel* kernel : agents::playout::available_kernels()) {
    const PlayoutRow row = time_playouts(*kernel, seconds);
    const std::uint64_t n = row.tally.playouts;
    if (json) {
      rows.push_back({{"kernel", row.kernel},
                      {"playouts_per_cpu_second", row.per_second},
                      {"mean_plies", per(row.tally.plies, n)},
                      {"first_wins", per(row.tally.mover_wins, n)},
                      {"draws", per(row.tally.draws, n)}});
    } else {
      fmt::print("{:<8} {:>14.3g} {:>11.3f} {:>11.4f} {:>8.4f}\n", row.kernel, row.per_second,
                 per(row.tally.plies, n), per(row.tally.mover_wins, n), per(row.tally.draws, n));
    }
  }
  if (json) fmt::print("{}\n", rows.dump(2));
}

/// Small searches are repeated until they have taken this long together.
constexpr double kLeastSeconds = 0.3;

void bench_mcts(const std::string& agent_text, const std::vector<std::uint64_t>& sizes, bool json) {
  auto rows = Json::array();
  if (!json) {
    fmt::print("{:>10} {:>12} {:>12} {:>12} {:>5}\n", "sims", "sims/CPU s", "sims/s", "bytes/sim",
               "best");
  }
  for (const std::uint64_t sims : sizes) {
    const auto agent = usage_value(roster::make_agent(agent_text, machine_resources()));
    auto* mcts = dynamic_cast<agents::mcts::MctsAgent*>(agent.get());
    if (mcts == nullptr) {
      fail_usage(
          Error{fmt::format("--agent must be an mcts agent, not {}", in_quotes(agent_text))});
    }
    std::uint64_t made = 0;
    game::Column best(0);
    const auto began = std::chrono::steady_clock::now();
    const double start = cpu_seconds();
    double used = 0;
    do {
      agent->start_game(1);
      const auto decision = agent->choose(game::Position(), {.simulations = sims}, {});
      if (!decision) fail(decision.error());
      made += decision->simulations;
      best = decision->column;
      used = cpu_seconds() - start;
    } while (used < kLeastSeconds);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
    const double rate = static_cast<double>(made) / used;
    const double wall_rate = static_cast<double>(made) / passed.count();
    const double bytes = per(mcts->tree_bytes(), sims);
    if (json) {
      rows.push_back({{"sims", sims},
                      {"sims_per_cpu_second", rate},
                      {"sims_per_second", wall_rate},  // with several threads the more telling one
                      {"bytes_per_sim", bytes},
                      {"best", best.number()}});
    } else {
      fmt::print("{:>10} {:>12.3g} {:>12.3g} {:>12.1f} {:>5}\n", sims, rate, wall_rate, bytes,
                 best.number());
    }
  }
  if (json) fmt::print("{}\n", rows.dump(2));
}

void add_playouts(CLI::App& bench) {
  struct Wishes {
    double seconds = 2;
    bool json = false;
  };
  CLI::App* command =
      bench.add_subcommand("playouts", "Random games from the empty board, for every kernel");
  auto wishes = std::make_shared<Wishes>();
  command->add_option("--seconds", wishes->seconds, "CPU seconds for each kernel")
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str();
  command->add_flag("--json", wishes->json, "Print an array of objects");
  command->callback([wishes] { bench_playouts(wishes->seconds, wishes->json); });
}

void add_mcts(CLI::App& bench) {
  struct Wishes {
    std::string sizes = "10000,100000,1000000";
    std::string agent = "mcts:preset=plain";
    bool json = false;
  };
  CLI::App* command =
      bench.add_subcommand("mcts", "Tree search from the empty board with a cold tree");
  auto wishes = std::make_shared<Wishes>();
  command->add_option("--sims", wishes->sizes, "Simulations, separated by commas")
      ->capture_default_str();
  command->add_option("--agent", wishes->agent, "An mcts agent; plain UCT unless said otherwise")
      ->capture_default_str();
  command->add_flag("--json", wishes->json, "Print an array of objects");
  command->callback([wishes] {
    std::vector<std::uint64_t> sizes;
    for (const std::string_view text : split(wishes->sizes, ',')) {
      const std::uint64_t sims = usage_value(parse_count(trimmed(text)));
      if (sims == 0) fail_usage(Error{"--sims: a search needs at least one simulation"});
      sizes.push_back(sims);
    }
    bench_mcts(wishes->agent, sizes, wishes->json);
  });
}

}  // namespace

void add_bench_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Measure the speed of the engines");
  command->require_subcommand(1);
  add_playouts(*command);
  add_mcts(*command);
}

}  // namespace rowbot::app
