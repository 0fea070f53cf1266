#include "engine/learn/q_mcts_agent.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rowbot::learn {
namespace {

using game::Column;
using game::Position;

agents::mcts::Options with_prior(agents::mcts::Options options, const QPrior& prior) {
  options.prior = &prior;
  return options;
}

}  // namespace

void QPrior::gather(Experience& experience, const Position& position, int depth) {
  states_ = ExperienceTable();
  gather_below(experience, position, depth);
}

void QPrior::gather_below(Experience& experience, const Position& position, int depth) {
  if (position.legal_moves() == 0) return;
  const State state = experience.state_of(position);
  // A state that cannot be read is one that is not known.
  if (const auto found = experience.look_up(state); found && *found) {
    ActionValues& here = states_.get_or_add(position.key());
    for (const Column column : game::kAllColumns) {
      const auto i = static_cast<std::size_t>(column.index());
      here.value.at(i) = (*found)->value.at(state.action(column));
      here.visits.at(i) = (*found)->visits.at(state.action(column));
    }
  }
  if (depth == 0) return;
  for (const Column column : game::kAllColumns) {
    if (position.can_play(column)) gather_below(experience, position.after(column), depth - 1);
  }
}

std::optional<agents::mcts::Prior::Counts> QPrior::look(game::Bits mover, game::Bits filled) const {
  const ActionValues* values = states_.find(mover + filled + game::kBottomRow);
  if (values == nullptr) return std::nullopt;
  Counts counts;
  const double range = std::max(rewards_.win - rewards_.loss, 1e-9);
  for (std::size_t i = 0; i < counts.visits.size(); ++i) {
    const auto visits = std::min<std::uint64_t>(values->visits.at(i), most_visits_);
    const double share =
        std::clamp((static_cast<double>(values->value.at(i)) - rewards_.loss) / range, 0.0, 1.0);
    counts.visits.at(i) = static_cast<std::uint32_t>(visits);
    counts.points.at(i) =
        static_cast<std::uint32_t>(std::lround(2 * share * static_cast<double>(visits)));
  }
  return counts;
}

QMctsAgent::QMctsAgent(const QMctsOptions& options, Experience experience)
    : options_(options),
      experience_(std::move(experience)),
      prior_(options.most_visits, options.rewards),
      search_(with_prior(options.search, prior_)) {}

Result<std::unique_ptr<agents::Agent>> QMctsAgent::make(const QMctsOptions& options) {
  Experience experience;
  if (!options.experience.empty()) {
    auto opened = Experience::open(options.experience, Experience::Access::kPlay);
    if (!opened) return opened.error();
    experience = *std::move(opened);
  }
  return std::unique_ptr<agents::Agent>(new QMctsAgent(options, std::move(experience)));
}

agents::Decision QMctsAgent::think(const Position& position, const agents::BudgetMeter& meter) {
  prior_.gather(experience_, position, options_.depth);
  return think_of(search_, position, meter);  // looking up has taken its part of the time
}

}  // namespace rowbot::learn
