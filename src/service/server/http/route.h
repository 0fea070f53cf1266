// From method and target to the row of the route table that answers it.
// Thread safety: pure functions over constant data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/server/api_error.h"
#include "service/server/http/request_costs.h"
#include "service/server/task.h"

namespace rowbot::server {

struct ApiAnswer;
struct ApiRequest;
struct ServerContext;

enum class Caller : std::uint8_t {
  kAnyone,
  kTokenHolder,  ///< the path has the token of a game or match, which is its key
  kOperator,
};

/// One address of the server. A new one is a row in routes.cc, and nothing else.
struct RouteRow {
  std::string_view method;
  std::string_view path;  ///< with {token} in place of a token
  Caller caller = Caller::kAnyone;
  /// Reads the body, if the address has one, and answers. Null: for WebSockets only.
  Task<ApiAnswer> (*handler)(ServerContext&, const ApiRequest&) = nullptr;
  /// Taken from the client's budget before the handler. What is given again for nothing once it is
  /// known (analyses, reviews), or depends on the game, is charged by the service.
  std::optional<CostKind> cost{};
  bool begins_game = false;  ///< counts among the games that a client may begin
};

/// Every address but those of the page.
[[nodiscard]] std::span<const RouteRow> routes();

struct Route {
  const RouteRow* row = nullptr;  ///< null: a page or a file of it
  std::string token;              ///< of the game or match, for those that have one
  std::string path;               ///< decoded, without the query
  std::vector<std::pair<std::string, std::string>> query;

  /// The first value with this key; empty if there is none.
  [[nodiscard]] std::string_view parameter(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const;
  /// Answered by an upgrade only.
  [[nodiscard]] bool websocket() const { return row != nullptr && row->handler == nullptr; }
};

/// 400 for a target that is none, 404 for an API path that is unknown, 405 for a method that it
/// does not have.
[[nodiscard]] HttpResult<Route> route_of(std::string_view method, std::string_view target);

/// Checks what the row asks for, then lets its handler answer. Requires a row.
[[nodiscard]] Task<ApiAnswer> answer_request(ServerContext& context, const ApiRequest& request);

}  // namespace rowbot::server
