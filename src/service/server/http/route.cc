#include "service/server/http/route.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "fmt/core.h"
#include "service/server/token.h"

namespace rowbot::server {
namespace {

constexpr std::string_view kPrefix = "/api/v1/";

struct Known {
  std::string_view method;
  std::string_view path;  // after the prefix; '*' stands for a token
  Endpoint endpoint;
};

constexpr std::array<Known, 30> kKnown{{
    {"GET", "levels", Endpoint::kLevels},
    {"POST", "games", Endpoint::kNewGame},
    {"GET", "games/*", Endpoint::kGame},
    {"POST", "games/*/moves", Endpoint::kMove},
    {"POST", "games/*/undo", Endpoint::kUndo},
    {"POST", "games/*/restart", Endpoint::kRestart},
    {"POST", "games/*/resign", Endpoint::kResign},
    {"GET", "games/*/hint", Endpoint::kHint},
    {"GET", "games/*/review", Endpoint::kReview},
    {"GET", "games/*/live", Endpoint::kLive},
    {"GET", "analysis", Endpoint::kAnalysis},
    {"GET", "lab/agents", Endpoint::kLabAgents},
    {"POST", "lab/matches", Endpoint::kLabStart},
    {"GET", "lab/matches/*", Endpoint::kLabMatch},
    {"DELETE", "lab/matches/*", Endpoint::kLabStop},
    {"GET", "lab/experiments", Endpoint::kLabExperiments},
    {"GET", "statistics", Endpoint::kStatistics},
    {"GET", "survey", Endpoint::kSurveyQuestions},
    {"POST", "survey", Endpoint::kSurvey},
    {"GET", "announcement", Endpoint::kAnnouncement},
    {"POST", "operator/announcement", Endpoint::kSetAnnouncement},
    {"GET", "table", Endpoint::kTable},
    {"GET", "table/scene", Endpoint::kTableScene},
    {"GET", "table/camera", Endpoint::kTableCamera},
    {"GET", "table/live", Endpoint::kTableLive},
    {"POST", "table/join", Endpoint::kTableJoin},
    {"POST", "table/play", Endpoint::kTablePlay},
    {"POST", "table/leave", Endpoint::kTableLeave},
    {"POST", "table/stop", Endpoint::kTableStop},
    {"POST", "table/resume", Endpoint::kTableResume},
}};

std::optional<int> hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

/// Undoes %xx; nothing for a broken escape, and for control characters, which no path of ours has.
std::optional<std::string> decoded(std::string_view text, bool plus_is_blank) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const auto high = hex_value(text[i + 1]);
      const auto low = hex_value(text[i + 2]);
      if (!high || !low) return std::nullopt;
      c = static_cast<char>(*high * 16 + *low);
      i += 2;
    } else if (c == '+' && plus_is_blank) {
      c = ' ';
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return std::nullopt;
    result += c;
  }
  return result;
}

ApiError bad_target() {
  return {.status = 400, .code = "bad_target", .message = "This address is not a valid one."};
}

/// The path with its token replaced by '*'.
std::pair<std::string, std::string> without_token(std::string_view path) {
  for (const std::string_view place : {"games/", "lab/matches/"}) {
    if (!path.starts_with(place)) continue;
    const std::string_view rest = path.substr(place.size());
    const std::string_view token = rest.substr(0, rest.find('/'));
    return {fmt::format("{}*{}", place, rest.substr(token.size())), std::string(token)};
  }
  return {std::string(path), ""};
}

HttpResult<Route> api_route(std::string_view method, Route route) {
  const auto [pattern, token] = without_token(std::string_view(route.path).substr(kPrefix.size()));
  std::string allowed;
  for (const Known& known : kKnown) {
    if (known.path != pattern) continue;
    if (known.method != method) {
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", known.method);
      continue;
    }
    if (!token.empty() && !is_token(token)) break;
    route.endpoint = known.endpoint;
    route.token = token;
    return route;
  }
  if (!allowed.empty()) {
    return ApiError{.status = 405,
                    .code = "wrong_method",
                    .message = fmt::format("This address understands {} only.", allowed)};
  }
  if (pattern.starts_with("games/*")) {
    return ApiError{.status = 404, .code = "no_such_game", .message = "There is no such game."};
  }
  return ApiError{.status = 404, .code = "not_found", .message = "There is nothing here."};
}

}  // namespace

std::string_view Route::parameter(std::string_view key) const {
  const auto found =
      std::find_if(query.begin(), query.end(), [&](const auto& pair) { return pair.first == key; });
  return found == query.end() ? std::string_view() : std::string_view(found->second);
}

bool Route::has(std::string_view key) const {
  return std::any_of(query.begin(), query.end(), [&](const auto& p) { return p.first == key; });
}

HttpResult<Route> route_of(std::string_view method, std::string_view target) {
  if (target.empty() || target.front() != '/') return bad_target();
  const std::size_t question = target.find('?');
  Route route;
  auto path = decoded(target.substr(0, question), false);
  if (!path) return bad_target();
  route.path = *std::move(path);
  if (question != std::string_view::npos) {
    for (const std::string_view pair : split(target.substr(question + 1), '&')) {
      if (pair.empty()) continue;
      const std::size_t equals = std::min(pair.find('='), pair.size());
      auto key = decoded(pair.substr(0, equals), true);
      auto value = decoded(pair.substr(std::min(equals + 1, pair.size())), true);
      if (!key || !value) return bad_target();
      route.query.emplace_back(*std::move(key), *std::move(value));
    }
  }
  if (route.path.starts_with(kPrefix)) return api_route(method, std::move(route));
  if (route.path.starts_with("/api/") || route.path == "/api") {
    return ApiError{.status = 404, .code = "not_found", .message = "The API begins at /api/v1/."};
  }
  if (method != "GET" && method != "HEAD") {
    return ApiError{.status = 405,
                    .code = "wrong_method",
                    .message = "This address understands GET, HEAD only."};
  }
  if (route.path == "/healthz") route.endpoint = Endpoint::kHealth;
  if (route.path == "/metrics") route.endpoint = Endpoint::kMetrics;
  return route;
}

}  // namespace rowbot::server
