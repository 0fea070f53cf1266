#include "service/server/http/http_response.h"

#include <string>
#include <utility>

#include "boost/beast/http/field.hpp"
#include "boost/beast/http/status.hpp"
#include "service/server/http/page.h"

namespace rowbot::server {
namespace {

namespace http = boost::beast::http;

/// Only our own scripts, styles and addresses; nobody may frame the page or learn where a visitor
/// came from, since addresses hold the keys of games.
constexpr boost::beast::string_view kContentPolicy =
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'";

boost::beast::string_view beast_view(std::string_view text) { return {text.data(), text.size()}; }

void set_common_fields(http::fields& response) {
  response.set(http::field::server, "rowbot");
  response.set("Content-Security-Policy", kContentPolicy);
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.set("Permissions-Policy", "camera=(), microphone=(), geolocation=()");
}

}  // namespace

ApiResponse api_response(ApiAnswer answer, unsigned version) {
  ApiResponse response(http::int_to_status(static_cast<unsigned>(answer.status)), version);
  set_common_fields(response);
  response.set(http::field::content_type, answer.type);
  response.set(http::field::cache_control,
               answer.lasting ? "public, max-age=31536000, immutable" : "no-store");
  if (answer.retry_after) {
    response.set(http::field::retry_after, std::to_string(*answer.retry_after));
  }
  if (answer.status == 401) response.set(http::field::www_authenticate, "Bearer");
  response.body() = std::move(answer.body);
  return response;
}

std::string joined_field(const HttpRequest& request, http::field name) {
  std::string joined;
  const auto [begin, end] = request.equal_range(name);
  for (auto line = begin; line != end; ++line) {
    if (line != begin) joined += ", ";
    joined += view_of(line->value());
  }
  return joined;
}

PageResponse page_response(const HttpRequest& request, std::string_view path) {
  const PageAnswer page = page_answer(path, joined_field(request, http::field::accept_encoding));
  PageResponse response(http::int_to_status(static_cast<unsigned>(page.status)), request.version());
  set_common_fields(response);
  response.set(http::field::cache_control,
               page.immutable ? "public, max-age=31536000, immutable" : "no-cache");
  response.set(http::field::etag, beast_view(page.etag));
  response.set(http::field::vary, "Accept-Encoding");
  if (page.status == 200 &&
      matches_etag(joined_field(request, http::field::if_none_match), page.etag)) {
    response.result(http::status::not_modified);
    return response;
  }
  response.set(http::field::content_type, beast_view(page.type));
  if (!page.coding.empty()) response.set(http::field::content_encoding, beast_view(page.coding));
  response.body() = {page.body.data(), page.body.size()};
  return response;
}

}  // namespace rowbot::server
