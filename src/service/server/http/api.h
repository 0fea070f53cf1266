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
#include "service/server/http/request_costs.h"
#include "service/server/http/route.h"
#include "service/server/lab/laboratory.h"
#include "service/server/loop.h"
#include "service/server/metrics.h"
#include "service/server/options.h"
#include "service/server/read_pool.h"
#include "service/server/shared_read.h"
#include "service/server/store_health.h"
#include "service/server/table/table_service.h"
#include "service/store/store.h"

namespace rowbot::server {

/// The name under which the store keeps the operator's announcement.
inline constexpr std::string_view kAnnouncementNote = "announcement";

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

/// What the API needs of the server around it.
struct ApiParts {
  Loop& loop;
  store::Store& store;
  StoreHealth& health;
  ReadPool& readers;
  SearchPool& pool;
  GameService& games;
  TableService& table;
  RateLimiter& clients;
  RequestCosts& costs;
  Metrics& metrics;
};

class Api {
 public:
  using Done = std::function<void(ApiAnswer)>;

  Api(const ApiParts& parts, const Options& options);

  /// Calls `done` exactly once, later or at once. Not for pages and WebSockets.
  void handle(const ApiRequest& request, Done done);

 private:
  /// False when the client's budget is used up, which is answered.
  [[nodiscard]] bool pays(const std::string& client, CostKind kind, const Done& done);
  void health(Done done);
  void new_game(const ApiRequest& request, Done done);
  void analysis(const ApiRequest& request, Done done);
  void hint(const ApiRequest& request, Done done);
  void review(const ApiRequest& request, Done done);
  void review_game(const std::shared_ptr<LiveGame>& game, const std::string& client, Done done);
  void start_review(const std::string& key, const std::shared_ptr<const table::Snapshot>& game,
                    const std::string& client);
  void laboratory(const ApiRequest& request, Done done);
  void lab_match(const ApiRequest& request, Done done);
  void survey(const ApiRequest& request, Done done);
  void store_survey(store::AnswerSurvey answer, Done done);
  void set_announcement(const ApiRequest& request, Done done);
  [[nodiscard]] ApiAnswer table(const ApiRequest& request);
  [[nodiscard]] bool is_operator(const ApiRequest& request) const;
  void statistics(const ApiRequest& request, Done done);
  void announcement(Done done);
  [[nodiscard]] ApiAnswer metrics();

  /// Runs the work in the background lane and answers with its JSON; 503 when the lane is full or
  /// the work gave nothing, 429 when as much of the client waits as may. `keep` is told the JSON
  /// first.
  void solve(const std::string& client,
             std::function<std::optional<std::string>(Tools&, const std::stop_token&)> work,
             std::function<void(const std::string&)> keep, Done done);

  struct ReviewEntry {
    std::string json;           // empty while it is computed
    std::vector<Done> waiting;  // for at most a moment
  };

  Loop& loop_;
  store::Store& store_;
  StoreHealth& health_;
  ReadPool& readers_;
  SearchPool& pool_;
  GameService& games_;
  TableService& table_;
  RateLimiter& clients_;
  RequestCosts& costs_;
  Metrics& metrics_;
  const Options& options_;
  Laboratory laboratory_;
  SharedRead<std::string> statistics_;                     // JSON
  SharedRead<std::string> announcement_;                   // the text
  SharedRead<std::string> experiments_;                    // JSON
  std::unordered_map<std::string, std::string> analyses_;  // by what was asked for
  std::unordered_map<std::string, ReviewEntry> reviews_;   // by the game's own token
};

}  // namespace rowbot::server
