// From method and target to what is wanted.
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/server/api_error.h"

namespace rowbot::server {

enum class Endpoint : std::uint8_t {
  kPage,  ///< not the API's: a page or a file of it
  kHealth,
  kMetrics,
  kLevels,
  kNewGame,
  kGame,
  kMove,
  kUndo,
  kRestart,
  kResign,
  kHint,
  kReview,
  kLive,
  kAnalysis,
  kLabAgents,
  kLabStart,
  kLabMatch,
  kLabStop,
  kLabExperiments,
  kStatistics,
  kSurveyQuestions,
  kSurvey,
  kAnnouncement,
  kSetAnnouncement,
  kTable,
  kTableScene,
  kTableCamera,
  kTableLive,
  kTableJoin,
  kTablePlay,
  kTableLeave,
  kTableStop,
  kTableResume,
};

struct Route {
  Endpoint endpoint = Endpoint::kPage;
  std::string token;  ///< of the game or match, for those that have one
  std::string path;   ///< decoded, without the query
  std::vector<std::pair<std::string, std::string>> query;

  /// The first value with this key; empty if there is none.
  [[nodiscard]] std::string_view parameter(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const;
};

/// 400 for a target that is none, 404 for an API path that is unknown, 405 for a method that it
/// does not have.
[[nodiscard]] HttpResult<Route> route_of(std::string_view method, std::string_view target);

}  // namespace rowbot::server
