// A request to the API and its answer, without any network.
// Thread safety: plain values.
#pragma once

#include <optional>
#include <string>

#include "service/server/api_error.h"
#include "service/server/http/route.h"

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

[[nodiscard]] ApiAnswer to_response(const ApiError& error);

}  // namespace rowbot::server
