// Bytes from the network, as the server reads them: Beast's parser with our limits, then the route.
#include <string>

#include "boost/beast/core/flat_buffer.hpp"
#include "boost/beast/http/parser.hpp"
#include "boost/beast/http/string_body.hpp"
#include "fuzz.h"
#include "service/server/http/page.h"
#include "service/server/http/rate_limiter.h"
#include "service/server/http/route.h"
#include "service/server/token.h"

namespace http = boost::beast::http;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  http::request_parser<http::string_body> parser;
  parser.header_limit(1'000);
  parser.body_limit(200);
  parser.eager(true);
  boost::system::error_code error;
  std::size_t used = 0;
  while (!parser.is_done() && used < size && !error) {
    const std::size_t step = parser.put(boost::asio::buffer(data + used, size - used), error);
    if (step == 0) break;
    used += step;
  }
  if (error || !parser.is_header_done()) return 0;
  const auto& request = parser.get();
  const auto method = request.method_string();
  const auto target = request.target();
  const auto route =
      rowbot::server::route_of({method.data(), method.size()}, {target.data(), target.size()});
  if (!route) {
    rowbot::fuzz::require(route.refusal().status >= 400 && route.refusal().status < 500,
                          "what is wrong is the visitor's");
    return 0;
  }
  rowbot::fuzz::require(route->token.empty() || rowbot::server::is_token(route->token),
                        "a token has the form of one");
  if (route->endpoint == rowbot::server::Endpoint::kPage) {
    rowbot::fuzz::require(!rowbot::server::page_answer(route->path).gzip.empty(),
                          "there is always a page");
  }
  const auto forwarded = request["X-Forwarded-For"];
  rowbot::fuzz::require(!rowbot::server::client_key({forwarded.data(), forwarded.size()}).empty(),
                        "every client has a key");
  return 0;
}
