// What visitors ask the solver: analyses, hints and reviews, each computed once in the background.
// Thread safety: the loop's thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "service/server/games/game_service.h"
#include "service/server/games/search_pool.h"
#include "service/server/http/request_costs.h"
#include "service/server/metrics.h"
#include "service/server/task.h"

namespace rowbot::server {

class AdviceService {
 public:
  /// What it needs is the same as for games. All must outlive it.
  AdviceService(const GameServiceParts& parts, GameService& games);

  // Answers are JSON. A client is a client_key().
  /// `moves` as the client gave them; empty when it gave the position.
  Task<HttpResult<std::string>> analysis(const game::Position& position, const std::string& moves,
                                         const std::string& client);
  Task<HttpResult<std::string>> hint(const std::string& token, const std::string& client);
  /// Nothing when it takes longer than a request should; to be asked for again.
  Task<HttpResult<std::optional<std::string>>> review(const std::string& token,
                                                      const std::string& client);

 private:
  using Json = std::optional<std::string>;
  using Snapshot = std::shared_ptr<const table::Snapshot>;

  /// 503 when the background lane is full or the work gave nothing, 429 when as much of the client
  /// waits as may.
  Task<HttpResult<std::string>> solve(const std::string& client,
                                      const SearchPool::Work<Json>& work);
  Task<void> compute_review(Snapshot game, std::string key, std::string client);

  Loop& loop_;
  SearchPool& pool_;
  RequestCosts& costs_;
  Metrics& metrics_;
  GameService& games_;
  std::unordered_map<std::string, std::string> analyses_;  // by what was asked for
  std::unordered_map<std::string, Json> reviews_;  // by the game's own token; none: being computed
  Event reviewed_;
};

}  // namespace rowbot::server
