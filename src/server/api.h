// Requests to answers, without any network: the HTTP side calls it, and so do the tests.
// Thread safety: the loop's thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "server/client_book.h"
#include "server/hall.h"
#include "server/laboratory.h"
#include "server/loop.h"
#include "server/metrics.h"
#include "server/options.h"
#include "server/route.h"
#include "server/search_pool.h"
#include "server/table_desk.h"
#include "store/store.h"

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

[[nodiscard]] ApiAnswer answer_of(const Refusal& refusal);
[[nodiscard]] ApiAnswer operators_only();

class Api {
 public:
  using Done = std::function<void(ApiAnswer)>;

  Api(Loop& loop, store::Store& store, SearchPool& pool, Hall& hall, TableDesk& desk,
      ClientBook& clients, Metrics& metrics, const Options& options);

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
  Hall& hall_;
  TableDesk& desk_;
  ClientBook& clients_;
  Metrics& metrics_;
  const Options& options_;
  Laboratory laboratory_;
  std::unordered_map<std::string, std::string> analyses_;  // by what was asked for
  std::unordered_map<std::string, ReviewEntry> reviews_;   // by the game's own token
};

}  // namespace rowbot::server
