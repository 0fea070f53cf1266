// The API's part that reads and writes the store outside of games: surveys, statistics, the
// announcement, and whether all is well.
#include <chrono>
#include <utility>

#include "fmt/core.h"
#include "service/server/http/api.h"
#include "service/server/http/messages.h"
#include "service/server/http/responses.h"
#include "service/server/wall_clock.h"

namespace rowbot::server {
namespace {

constexpr int kStoreRetrySeconds = 5;

ApiError store_trouble() {
  return {.status = 500,
          .code = "not_stored",
          .message = "The database did not answer. Please try again.",
          .retry_after = kStoreRetrySeconds};
}

}  // namespace

void Api::health(Done done) {
  health_.check([done = std::move(done)](const std::string& trouble) {
    if (trouble.empty()) return done({.body = single_json("status", "ok")});
    done(to_response({.status = 503,
                      .code = "store_not_writable",
                      .message = fmt::format("Nothing can be stored: {}", trouble),
                      .retry_after = kStoreRetrySeconds}));
  });
}

void Api::survey(const ApiRequest& request, Done done) {
  const auto message = parse_survey(request.body);
  if (!message) return done(to_response(message.error()));
  store::AnswerSurvey answer{.feel = message->feel, .age = message->age, .answered = time_of_day()};
  if (!message->token) {
    if (!pays(request.client, CostKind::kSurveyWithoutGame, done)) return;
    return store_survey(std::move(answer), std::move(done));
  }
  games_.find(*message->token,
              [this, client = request.client, answer = std::move(answer),
               done = std::move(done)](const HttpResult<GameService::Game>& game) mutable {
                if (!game) return done(to_response(game.error()));
                if (!pays(client, CostKind::kSurvey, done)) return;
                answer.token = (*game)->head->token;
                store_survey(std::move(answer), std::move(done));
              });
}

void Api::store_survey(store::AnswerSurvey answer, Done done) {
  store_.write({std::move(answer)}, [this, done = std::move(done)](const Result<void>& result) {
    loop_.post([this, done, result] {
      health_.on_written(result);
      if (!result) return done(to_response(store_trouble()));
      ++metrics_.surveys;
      statistics_.expire();  // who answered finds the answer counted
      done({.status = 201, .body = single_json("status", "thank you")});
    });
  });
}

void Api::statistics(const ApiRequest& request, Done done) {
  if (!pays(request.client, CostKind::kStatistics, done)) return;
  statistics_.get([this, done = std::move(done)](const Result<std::string>& read) {
    if (read) return done({.body = *read});
    health_.on_unreadable(read.error().message);
    done(to_response(store_trouble()));
  });
}

void Api::announcement(Done done) {
  announcement_.get([this, done = std::move(done)](const Result<std::string>& text) {
    if (text) return done({.body = announcement_json(*text)});
    health_.on_unreadable(text.error().message);
    done(to_response(store_trouble()));
  });
}

void Api::set_announcement(const ApiRequest& request, Done done) {
  if (!is_operator(request)) return done(require_operator());
  const auto message = parse_announcement(request.body);
  if (!message) return done(to_response(message.error()));
  store_.write({store::SetNote{.name = std::string(kAnnouncementNote), .value = message->text}},
               [this, text = message->text, done = std::move(done)](const Result<void>& result) {
                 loop_.post([this, text, done, result] {
                   health_.on_written(result);
                   announcement_.expire();
                   if (!result) return done(to_response(store_trouble()));
                   done({.body = announcement_json(text)});
                 });
               });
}

}  // namespace rowbot::server
