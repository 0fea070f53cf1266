#include "service/server/http/api.h"
#include "service/server/http/messages.h"

namespace rowbot::server {
namespace {

ApiAnswer lab_answer(const HttpResult<std::string>& body, int status = 200) {
  if (!body) return to_response(body.error());
  return {.status = status, .body = *body};
}

ApiError laboratory_busy() {
  return {.status = 503,
          .code = "busy",
          .message = "The laboratory is busy. Please try again in a moment.",
          .retry_after = 2};
}

}  // namespace

void Api::laboratory(const ApiRequest& request, Done done) {
  const Route& route = request.route;
  if (route.endpoint == Endpoint::kLabAgents) return done({.body = Laboratory::agents()});
  if (route.endpoint == Endpoint::kLabMatch) return done(lab_answer(laboratory_.look(route.token)));
  if (route.endpoint == Endpoint::kLabStop) return done(lab_answer(laboratory_.stop(route.token)));
  experiments_.get([this, done = std::move(done)](const Result<std::string>& read) {
    if (read) return done({.body = *read});
    health_.on_unreadable(read.error().message);
    done(to_response({.status = 500,
                      .code = "no_experiments",
                      .message = "The experiments cannot be read.",
                      .retry_after = 5}));
  });
}

void Api::lab_match(const ApiRequest& request, Done done) {
  using Message = HttpResult<LabMatchMessage>;
  if (!pays(request.client, CostKind::kLabMatch, done)) return;
  // The agents are made to see whether they can be, which takes a while.
  const bool accepted = readers_.read<Message>(
      [body = request.body]() -> Result<Message> { return parse_lab_match(body); },
      [this, client = request.client, done](const Result<Message>& message) {
        if (!message) return done(to_response(laboratory_busy()));
        if (!*message) return done(to_response(message->error()));
        done(lab_answer(laboratory_.start(**message, client), 202));
      });
  if (!accepted) done(to_response(laboratory_busy()));
}

}  // namespace rowbot::server
