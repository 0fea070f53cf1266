// Bytes from the network, as the server reads them: its reader with its limits, then the route. The
// same bytes in pieces must mean the same.
#include <algorithm>
#include <string>

#include "fuzz.h"
#include "service/server/http/client_address.h"
#include "service/server/http/page.h"
#include "service/server/http/request_checks.h"
#include "service/server/http/request_reader.h"
#include "service/server/http/route.h"
#include "service/server/token.h"

namespace {

constexpr rowbot::server::RequestLimits kLimits{.header_bytes = 1'000, .body_bytes = 200};

/// Reads one request in pieces of so many bytes; returns how many it took.
std::size_t read(rowbot::server::RequestReader& reader, std::string_view bytes, std::size_t step) {
  std::size_t used = 0;
  while (used < bytes.size() && !reader.done() && !reader.error()) {
    used += reader.put(bytes.substr(used, step));
    rowbot::fuzz::require(reader.held() <= 2 * (kLimits.header_bytes + kLimits.body_bytes),
                          "memory is bounded");
  }
  return used;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = rowbot::fuzz::as_text(data, size);
  rowbot::server::RequestReader reader(kLimits);
  rowbot::server::RequestReader slow(kLimits);
  const std::size_t used = read(reader, bytes, bytes.size());
  const std::size_t used_slowly = read(slow, bytes, 1);
  rowbot::fuzz::require(
      slow.done() == reader.done() && slow.error().has_value() == reader.error().has_value(),
      "pieces mean the same");
  // A body that is too large is refused at its first byte or at the one too many.
  rowbot::fuzz::require(reader.error() || used_slowly == used, "pieces end at the same byte");
  rowbot::fuzz::require(used <= kLimits.header_bytes + 2 * kLimits.body_bytes + 1,
                        "an endless request is cut");
  if (reader.error()) {
    rowbot::fuzz::require(reader.error()->status >= 400 && reader.error()->status < 500,
                          "what is wrong is the visitor's");
  }
  if (!reader.done()) return 0;
  const rowbot::server::HttpRequest request = reader.release();
  rowbot::fuzz::require(request.body().size() <= kLimits.body_bytes, "a body has a limit");
  rowbot::fuzz::require(request.body() == slow.release().body(), "pieces mean the same body");
  rowbot::fuzz::require(request.count("Content-Length") + request.count("Transfer-Encoding") <= 1,
                        "the end of the request is known");
  const auto method = request.method_string();
  const auto target = request.target();
  const auto route =
      rowbot::server::route_of({method.data(), method.size()}, {target.data(), target.size()});
  if (!route) {
    rowbot::fuzz::require(route.error().status >= 400 && route.error().status < 500,
                          "what is wrong is the visitor's");
    return 0;
  }
  rowbot::fuzz::require(route->token.empty() || rowbot::server::is_token(route->token),
                        "a token has the form of one");
  if (route->row == nullptr) {
    rowbot::fuzz::require(!rowbot::server::page_answer(
                               route->path, rowbot::server::view_of(request["Accept-Encoding"]))
                               .body.empty(),
                          "there is always a page");
  }
  static_cast<void>(rowbot::server::check_change(request));
  const auto client = rowbot::server::forwarded_client(request);
  rowbot::fuzz::require(!client || !client->empty(), "every client has a key");
  return 0;
}
