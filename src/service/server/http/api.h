// Requests to answers, without any network: the HTTP side calls it, and so do the tests.
// Thread safety: the loop's thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "service/server/games/game_service.h"
#include "service/server/games/search_pool.h"
#include "service/server/http/rate_limiter.h"
#include "service/server/http/route.h"
#include "service/server/lab/laboratory.h"
#include "service/server/loop.h"
#include "service/server/metrics.h"
#include "service/server/options.h"
#include "service/server/table/table_service.h"
#include "service/store/store.h"

namespace rowbot::server {

struct ApiRequest {
  Route route;
  std::string body;
  std::string client;         ///< client_key()
  std::string authorization;  ///< the header as it came
};

struct ApiAnswer {
  int status = 200;
  std::string body;
  std::string type = "application/json";
  std::optional<int> retry_after;
  bool lasting = false;  ///< this address will always answer so
};

[[nodiscard]] ApiAnswer to_response(const ApiError& error);
[[nodiscard]] ApiAnswer require_operator();

class Api {
 public:
  using Done = std::function<void(ApiAnswer)>;

  Api(Loop& loop, store::Store& store, SearchPool& pool, GameService& games, TableService& table,
      RateLimiter& clients, Metrics& metrics, const Options& options);

  /// Calls `done` exactly once, later or at once. Not for pages and WebSockets.
  void handle(const ApiRequest& request, Done done);

 private:
  void analysis(const Route& route, Done done);
  void hint(const std::string& token, Done done);
  void review(const std::string& token, Done done);
  [[nodiscard]] ApiAnswer laboratory(const ApiRequest& request);
  void survey(const std::string& body, Done done);
  void set_announcement(const ApiRequest& request, Done done);
  [[nodiscard]] ApiAnswer table(const ApiRequest& request);
  [[nodiscard]] bool is_operator(const ApiRequest& request) const;
  [[nodiscard]] ApiAnswer statistics();
  [[nodiscard]] ApiAnswer announcement();
  [[nodiscard]] ApiAnswer metrics();

  /// Runs the work in the solver's lane and answers with its JSON; 503 when the lane is full or the
  /// work gave nothing. `keep` is told the JSON first.
  void solve(std::function<std::optional<std::string>(Tools&, const std::stop_token&)> work,
             std::function<void(const std::string&)> keep, Done done);

  struct ReviewEntry {
    std::string json;           // empty while it is computed
    std::vector<Done> waiting;  // for at most a moment
  };

  Loop& loop_;
  store::Store& store_;
  SearchPool& pool_;
  GameService& games_;
  TableService& table_;
  RateLimiter& clients_;
  Metrics& metrics_;
  const Options& options_;
  Laboratory laboratory_;
  std::unordered_map<std::string, std::string> analyses_;  // by what was asked for
  std::unordered_map<std::string, ReviewEntry> reviews_;   // by the game's own token
};

}  // namespace rowbot::server
