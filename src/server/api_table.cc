// The API's part about the robot's table.
#include "server/api.h"
#include "server/messages.h"
#include "server/table_desk.h"

namespace rowbot::server {
namespace {

ApiAnswer shown(const Granted<std::string>& json, int status = 200) {
  if (!json) return answer_of(json.refusal());
  return {.status = status, .body = *json};
}

}  // namespace

ApiAnswer Api::table(const ApiRequest& request) {
  switch (request.route.endpoint) {
    case Endpoint::kTable:
      return shown(desk_.look(request.route.parameter("token")));
    case Endpoint::kTableScene: {
      ApiAnswer answer = shown(desk_.scene());
      // Whoever asks by its name may keep it: another scene has another name.
      answer.lasting = answer.status == 200 && request.route.has("name");
      return answer;
    }
    case Endpoint::kTableCamera: {
      ApiAnswer answer = shown(desk_.camera());
      if (answer.status == 200) answer.type = "image/jpeg";
      return answer;
    }
    case Endpoint::kTableJoin:
      return shown(desk_.join(request.client), 201);
    case Endpoint::kTablePlay: {
      const auto message = parse_table_move(request.body);
      if (!message) return answer_of(message.refusal());
      return shown(desk_.play(message->token, message->move.column, message->move.ply));
    }
    case Endpoint::kTableLeave: {
      const auto token = parse_ticket(request.body);
      if (!token) return answer_of(token.refusal());
      return shown(desk_.leave(*token));
    }
    case Endpoint::kTableStop:
      return is_operator(request) ? shown(desk_.stop()) : operators_only();
    case Endpoint::kTableResume:
      return is_operator(request) ? shown(desk_.resume()) : operators_only();
    default:
      return answer_of({.status = 404, .code = "not_found", .message = "There is nothing here."});
  }
}

}  // namespace rowbot::server
