#include "service/server/public_data.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "service/server/http/responses.h"
#include "service/server/wall_clock.h"

namespace rowbot::server {
namespace {

constexpr std::chrono::seconds kFreshStatistics{1};
constexpr std::chrono::seconds kFreshAnnouncement{1};
constexpr std::chrono::seconds kFreshExperiments{5};
/// The name under which the store keeps the operator's announcement.
constexpr std::string_view kAnnouncementNote = "announcement";

ApiError store_trouble() {
  return {.status = 500,
          .code = "not_stored",
          .message = "The database did not answer. Please try again.",
          .retry_after = 5};
}

}  // namespace

PublicData::PublicData(const GameServiceParts& parts, GameService& games,
                       std::function<Result<std::string>()> read_experiments)
    : health_(parts.health),
      costs_(parts.costs),
      metrics_(parts.metrics),
      games_(games),
      statistics_(parts.io, parts.readers, kFreshStatistics,
                  [&store = parts.store]() -> Result<std::string> {
                    const auto read = store.statistics();
                    if (!read) return read.error();
                    return statistics_json(*read);
                  }),
      announcement_(parts.io, parts.readers, kFreshAnnouncement,
                    [&store = parts.store]() -> Result<std::string> {
                      const auto text = store.note(kAnnouncementNote);
                      if (!text) return text.error();
                      return announcement_json(*text);
                    }),
      experiments_(parts.io, parts.readers, kFreshExperiments, std::move(read_experiments)) {}

Task<HttpResult<std::string>> PublicData::statistics() {
  auto read = co_await statistics_.get();
  if (read) co_return *std::move(read);
  health_.on_unreadable(read.error().message);
  co_return store_trouble();
}

Task<HttpResult<std::string>> PublicData::experiments() {
  auto read = co_await experiments_.get();
  if (read) co_return *std::move(read);
  health_.on_unreadable(read.error().message);
  co_return ApiError{.status = 500,
                     .code = "no_experiments",
                     .message = "The experiments cannot be read.",
                     .retry_after = 5};
}

Task<HttpResult<std::string>> PublicData::announcement() {
  auto read = co_await announcement_.get();
  if (read) co_return *std::move(read);
  health_.on_unreadable(read.error().message);
  co_return store_trouble();
}

Task<HttpResult<std::string>> PublicData::set_announcement(const AnnouncementMessage& message) {
  std::vector<store::Change> changes;
  changes.emplace_back(
      store::SetNote{.name = std::string(kAnnouncementNote), .value = message.text});
  const auto stored = co_await health_.write(changes);
  announcement_.expire();
  if (!stored) co_return store_trouble();
  co_return announcement_json(message.text);
}

Task<HttpResult<std::string>> PublicData::answer_survey(const SurveyMessage& message,
                                                        const std::string& client) {
  store::AnswerSurvey answer{.feel = message.feel, .age = message.age, .answered = time_of_day()};
  if (message.token) {
    const auto game = co_await games_.find(*message.token);
    if (!game) co_return game.error();
    answer.token = (*game)->head->token;
  }
  auto error = charge(costs_, metrics_, client,
                      message.token ? CostKind::kSurvey : CostKind::kSurveyWithoutGame);
  if (error) co_return *std::move(error);
  std::vector<store::Change> changes;
  changes.emplace_back(std::move(answer));
  const auto stored = co_await health_.write(changes);
  if (!stored) co_return store_trouble();
  ++metrics_.surveys;
  statistics_.expire();  // who answered finds the answer counted
  co_return single_json("status", "thank you");
}

}  // namespace rowbot::server
