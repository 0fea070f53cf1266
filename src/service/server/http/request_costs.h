// What each client may still ask of the expensive kinds of request: one token bucket for each kind.
// Thread safety: one thread at a time.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "service/server/api_error.h"
#include "service/server/metrics.h"
#include "service/server/options.h"

namespace rowbot::server {

enum class CostKind : std::uint8_t {
  kAnalysis,     ///< of a position that was not asked for before; hints too
  kReview,       ///< the first of a game
  kPerfectMove,  ///< a move that the solver has to answer
  kLabMatch,
  kLive,  ///< a WebSocket
  kTableJoin,
  kSurvey,
  kSurveyWithoutGame,
  kStatistics,
};
inline constexpr std::size_t kCostKinds = 9;

/// 429: this client's own budget is used up for so long.
[[nodiscard]] ApiError over_budget(std::chrono::seconds wait);

class RequestCosts {
 public:
  using Clock = std::chrono::steady_clock;

  RequestCosts(const RequestBudgets& remote, const RequestBudgets& local)
      : remote_(remote), local_(local) {}

  /// Takes one of this kind from the client's budget. Otherwise the time until there is one.
  [[nodiscard]] std::optional<std::chrono::seconds> take(const std::string& client, CostKind kind,
                                                         Clock::time_point now);

  /// Those whose budgets are not full.
  [[nodiscard]] std::size_t clients() const { return clients_.size(); }

 private:
  struct Used {
    double amount = 0;
    Clock::time_point when{};
  };
  using Client = std::array<Used, kCostKinds>;

  [[nodiscard]] const RequestBudgets& budgets_of(const std::string& client) const;
  void forget_idle(Clock::time_point now);

  RequestBudgets remote_;
  RequestBudgets local_;
  std::unordered_map<std::string, Client> clients_;
  Clock::time_point swept_{};
};

/// Takes one of this kind from the client's budget; otherwise the error, which is counted.
[[nodiscard]] std::optional<ApiError> charge(RequestCosts& costs, Metrics& metrics,
                                             const std::string& client, CostKind kind);

}  // namespace rowbot::server
