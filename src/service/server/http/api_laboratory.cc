#include "service/server/http/api.h"

namespace rowbot::server {

ApiAnswer Api::laboratory(const ApiRequest& request) {
  const Route& route = request.route;
  if (route.endpoint == Endpoint::kLabAgents) return {.body = Laboratory::agents()};
  const bool starts = route.endpoint == Endpoint::kLabStart;
  const auto json = starts ? laboratory_.start(request.body, request.client)
                    : route.endpoint == Endpoint::kLabMatch ? laboratory_.look(route.token)
                    : route.endpoint == Endpoint::kLabStop  ? laboratory_.stop(route.token)
                                                            : laboratory_.experiments();
  if (!json) return to_response(json.error());
  return {.status = starts ? 202 : 200, .body = *json};
}

}  // namespace rowbot::server
