#include "service/server/http/route.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "fmt/core.h"
#include "service/server/token.h"

namespace rowbot::server {
namespace {

constexpr std::string_view kToken = "{token}";

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

ApiError not_found(std::string_view message) {
  return {.status = 404, .code = "not_found", .message = std::string(message)};
}

/// What stands for {token} in this path, nothing if the path is not one of the pattern's; empty for
/// a pattern without a token.
std::optional<std::string_view> match(std::string_view pattern, std::string_view path) {
  const std::size_t at = pattern.find(kToken);
  if (at == std::string_view::npos) {
    return pattern == path ? std::optional<std::string_view>("") : std::nullopt;
  }
  const std::string_view after = pattern.substr(at + kToken.size());
  if (!path.starts_with(pattern.substr(0, at))) return std::nullopt;
  const std::string_view rest = path.substr(at);
  const std::string_view token = rest.substr(0, rest.find('/'));
  return rest.substr(token.size()) == after ? std::optional(token) : std::nullopt;
}

HttpResult<Route> api_route(std::string_view method, Route route) {
  std::string allowed;
  for (const RouteRow& row : routes()) {
    const auto token = match(row.path, route.path);
    if (!token) continue;
    if (row.method != method) {
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", row.method);
      continue;
    }
    if (row.caller == Caller::kTokenHolder && !is_token(*token)) {
      allowed.clear();
      break;
    }
    route.row = &row;
    route.token = *token;
    return route;
  }
  if (!allowed.empty()) {
    return ApiError{.status = 405,
                    .code = "wrong_method",
                    .message = fmt::format("This address understands {} only.", allowed)};
  }
  if (route.path.starts_with("/api/v1/games/")) {
    return ApiError{.status = 404, .code = "no_such_game", .message = "There is no such game."};
  }
  return not_found("There is nothing here.");
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
  if (route.path.starts_with("/api/v1/")) return api_route(method, std::move(route));
  if (route.path.starts_with("/api/") || route.path == "/api") {
    return not_found("The API begins at /api/v1/.");
  }
  if (method != "GET" && method != "HEAD") {
    return ApiError{.status = 405,
                    .code = "wrong_method",
                    .message = "This address understands GET, HEAD only."};
  }
  for (const RouteRow& row : routes()) {
    if (row.path == route.path) route.row = &row;
  }
  return route;
}

}  // namespace rowbot::server
