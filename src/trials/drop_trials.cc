#include "trials/drop_trials.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace rowbot::trials {
namespace {

using game::Column;

int height_of(const sim::BoardTruth& board, Column column) {
  int height = 0;
  for (const auto& cell : board[static_cast<std::size_t>(column.index())]) {
    height += cell.has_value() ? 1 : 0;
  }
  return height;
}

int count_of(const sim::BoardTruth& board) {
  int count = 0;
  for (const Column column : game::kAllColumns) count += height_of(board, column);
  return count;
}

std::optional<Column> random_open_column(const sim::BoardTruth& board, Rng& rng) {
  std::vector<Column> open;
  for (const Column column : game::kAllColumns) {
    if (height_of(board, column) < 6) open.push_back(column);
  }
  if (open.empty()) return std::nullopt;
  return open[rng.below(static_cast<std::uint32_t>(open.size()))];
}

}  // namespace

Result<DropReport> run_drops(const cell::CellLayout& layout, const DropTrialOptions& options) {
  const std::clock_t begin = std::clock();
  auto created =
      sim::Twin::create(layout, {.seed = options.seed, .servo = options.servo, .watchdog_s = 0.2});
  if (!created) return created.error();
  sim::Twin& twin = **created;
  if (auto done = twin.configure(); !done) return done.error();
  if (auto done = twin.activate(); !done) return done.error();

  Rng rng(options.seed);
  std::array<std::optional<cell::DropPlan>, 7> exact_plans;
  DropReport report;
  while (report.drops < options.count) {
    const sim::BoardTruth before = twin.world().board.truth();
    const auto column = random_open_column(before, rng);
    if (!column) {
      twin.new_game();
      continue;
    }
    cell::DropOptions drop_options{.seed = options.seed + report.drops};
    auto& remembered = exact_plans[static_cast<std::size_t>(column->index())];
    if (options.noise_m > 0) {
      const auto noise = [&] { return options.noise_m * (2 * rng.uniform() - 1); };
      drop_options.offset_m =
          cell::board_pose(layout).linear() * Eigen::Vector3d(noise(), noise(), 0);
      remembered.reset();
    }
    if (!remembered) {
      auto plan = cell::plan_drop(layout, *column, arm::neutral(twin.model()), drop_options);
      if (!plan) return plan.error();
      remembered = *std::move(plan);
    }
    const auto ran = cell::run_plan(twin, *remembered);
    twin.settle(2);
    ++report.drops;
    const sim::BoardTruth after = twin.world().board.truth();
    const bool hit = ran.has_value() &&
                     height_of(after, *column) == height_of(before, *column) + 1 &&
                     count_of(after) == count_of(before) + 1;
    if (options.progress) options.progress(report.drops);
    if (!hit) {
      if (report.missed++ == 0) {
        report.first_miss = fmt::format(
            "drop {} into column {} at height {}: {}", report.drops, column->number(),
            height_of(before, *column) + 1,
            ran ? fmt::format("the column holds {} pieces, the board {} instead of {}",
                              height_of(after, *column), count_of(after), count_of(before) + 1)
                : ran.error().message);
      }
      // After a fault nothing is resumed: stop here with what is known.
      if (!ran) return Error{fmt::format("the drops ended early: {}", report.first_miss)};
      twin.new_game();
      continue;
    }
    if (const auto answer = random_open_column(after, rng)) {
      twin.human_drop(*answer);
      twin.settle(2);
    }
  }
  const sim::SafetyCounts& counters = twin.world().safety.counts();
  report.limit_violations = counters.limit_violations;
  report.unwanted_contacts = counters.unwanted_contacts;
  report.first_unwanted = counters.first_unwanted;
  report.sim_seconds = twin.world().state.time_s();
  report.cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return report;
}

OneDrop run_one_drop(station::Station& station, const cell::DropPlan& plan, Column column) {
  OneDrop drop{.ran = station.run(plan)};
  if (station.twin() == nullptr) return drop;
  sim::Twin& twin = station.twin()->twin();
  twin.settle(2);
  const auto cells = twin.world().board.truth()[static_cast<std::size_t>(column.index())];
  drop.in_twin = true;
  drop.dropped = drop.ran && std::ranges::count(cells, std::optional(sim::Side::kRobot)) == 1;
  drop.sim_seconds = twin.world().state.time_s();
  drop.safety = twin.world().safety.counts();
  return drop;
}

}  // namespace rowbot::trials
