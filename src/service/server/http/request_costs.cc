#include "service/server/http/request_costs.h"

#include <algorithm>
#include <cmath>

#include "fmt/core.h"

namespace rowbot::server {
namespace {

constexpr std::chrono::minutes kSweepEvery{10};

const Allowance& allowance(const RequestBudgets& budgets, CostKind kind) {
  switch (kind) {
    case CostKind::kAnalysis:
      return budgets.analysis;
    case CostKind::kReview:
      return budgets.review;
    case CostKind::kPerfectMove:
      return budgets.perfect_move;
    case CostKind::kLabMatch:
      return budgets.lab_match;
    case CostKind::kLive:
      return budgets.live;
    case CostKind::kTableJoin:
      return budgets.table_join;
    case CostKind::kSurvey:
      return budgets.survey;
    case CostKind::kSurveyWithoutGame:
      return budgets.survey_without_game;
    case CostKind::kStatistics:
      return budgets.statistics;
  }
  return budgets.analysis;
}

double left_of(double amount, RequestCosts::Clock::duration since, const Allowance& allowed) {
  return std::max(0.0, amount - std::chrono::duration<double>(since).count() * allowed.per_second);
}

}  // namespace

ApiError over_budget(std::chrono::seconds wait) {
  const auto seconds = static_cast<int>(wait.count());
  return {.status = 429,
          .code = "too_many",
          .message = seconds == 1 ? std::string("That was a lot at once. Please wait a moment.")
                                  : fmt::format("That was a lot. Please wait {} seconds.", seconds),
          .retry_after = seconds};
}

const RequestBudgets& RequestCosts::budgets_of(const std::string& client) const {
  return client == kLocalClient ? local_ : remote_;
}

std::optional<std::chrono::seconds> RequestCosts::take(const std::string& client, CostKind kind,
                                                       Clock::time_point now) {
  forget_idle(now);
  const Allowance& allowed = allowance(budgets_of(client), kind);
  Used& used = clients_[client].at(static_cast<std::size_t>(kind));
  used.amount = left_of(used.amount, now - used.when, allowed);
  used.when = now;
  const double missing = used.amount + 1 - allowed.burst;
  if (missing <= 0) {
    used.amount += 1;
    return std::nullopt;
  }
  const double seconds = allowed.per_second > 0 ? std::ceil(missing / allowed.per_second) : 86'400;
  return std::chrono::seconds(static_cast<std::int64_t>(std::clamp(seconds, 1.0, 86'400.0)));
}

void RequestCosts::forget_idle(Clock::time_point now) {
  if (now - swept_ < kSweepEvery) return;
  swept_ = now;
  std::erase_if(clients_, [this, now](const auto& entry) {
    const RequestBudgets& budgets = budgets_of(entry.first);
    for (std::size_t i = 0; i < kCostKinds; ++i) {
      const Used& used = entry.second.at(i);
      if (left_of(used.amount, now - used.when, allowance(budgets, static_cast<CostKind>(i))) > 0) {
        return false;
      }
    }
    return true;
  });
}

std::optional<ApiError> charge(RequestCosts& costs, Metrics& metrics, const std::string& client,
                               CostKind kind) {
  const auto wait = costs.take(client, kind, RequestCosts::Clock::now());
  if (!wait) return std::nullopt;
  ++metrics.over_budget;
  return over_budget(*wait);
}

}  // namespace rowbot::server
