// The API's part about the robot's table.
#include "service/server/http/api.h"
#include "service/server/http/messages.h"
#include "service/server/table/table_service.h"

namespace rowbot::server {
namespace {

ApiAnswer shown(const HttpResult<std::string>& body, int status = 200) {
  if (!body) return to_response(body.error());
  return {.status = status, .body = *body};
}

}  // namespace

ApiAnswer Api::table(const ApiRequest& request) {
  switch (request.route.endpoint) {
    case Endpoint::kTable:
      return shown(table_.look(request.route.parameter("token")));
    case Endpoint::kTableScene: {
      ApiAnswer answer = shown(table_.scene());
      // Whoever asks by its name may keep it: another scene has another name.
      answer.lasting = answer.status == 200 && request.route.has("name");
      return answer;
    }
    case Endpoint::kTableCamera: {
      ApiAnswer answer = shown(table_.camera());
      if (answer.status == 200) answer.type = "image/jpeg";
      return answer;
    }
    case Endpoint::kTableJoin:
      return shown(table_.join(request.client), 201);
    case Endpoint::kTablePlay: {
      const auto message = parse_table_move(request.body);
      if (!message) return to_response(message.error());
      return shown(table_.play(message->token, message->move.column, message->move.ply));
    }
    case Endpoint::kTableLeave: {
      const auto token = parse_ticket(request.body);
      if (!token) return to_response(token.error());
      return shown(table_.leave(*token));
    }
    case Endpoint::kTableStop:
      return is_operator(request) ? shown(table_.stop()) : require_operator();
    case Endpoint::kTableResume:
      return is_operator(request) ? shown(table_.resume()) : require_operator();
    default:
      return to_response({.status = 404, .code = "not_found", .message = "There is nothing here."});
  }
}

}  // namespace rowbot::server
