// What the website shows and asks beside its games: statistics, the survey, past experiments, the
// operator's announcement.
// Thread safety: the loop's thread only.
#pragma once

#include <functional>
#include <string>

#include "service/server/games/game_service.h"
#include "service/server/shared_read.h"

namespace rowbot::server {

class PublicData {
 public:
  /// `read_experiments` runs on a thread of the readers. All parts must outlive it.
  PublicData(const GameServiceParts& parts, GameService& games,
             std::function<Result<std::string>()> read_experiments);

  // Answers are JSON. A client is a client_key().
  Task<HttpResult<std::string>> statistics();
  Task<HttpResult<std::string>> experiments();
  Task<HttpResult<std::string>> announcement();
  Task<HttpResult<std::string>> set_announcement(const AnnouncementMessage& message);
  Task<HttpResult<std::string>> answer_survey(const SurveyMessage& message,
                                              const std::string& client);

 private:
  StoreHealth& health_;
  RequestCosts& costs_;
  Metrics& metrics_;
  GameService& games_;
  SharedRead statistics_;
  SharedRead announcement_;
  SharedRead experiments_;
};

}  // namespace rowbot::server
