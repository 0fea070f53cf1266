#include "service/server/http/request_checks.h"

#include "boost/beast/core/string.hpp"
#include "boost/beast/http/field.hpp"
#include "boost/beast/http/verb.hpp"
#include "fmt/core.h"
#include "service/server/http/client_address.h"
#include "service/server/token.h"

namespace rowbot::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

bool is_json(const HttpRequest& request) {
  std::string_view type = view_of(request[http::field::content_type]);
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ') || type.ends_with('\t')) type.remove_suffix(1);
  return request.count(http::field::content_type) == 1 &&
         beast::iequals("application/json", {type.data(), type.size()});
}

}  // namespace

std::optional<ApiError> check_origin(const HttpRequest& request) {
  // A browser says from which page a request comes; other programs need not.
  const auto origins = request.count(http::field::origin);
  if (origins == 0) return {};
  const auto origin = request[http::field::origin];
  const std::string_view host = view_of(request[http::field::host]);
  if (origins == 1 && !host.empty() &&
      (beast::iequals(fmt::format("http://{}", host), origin) ||
       beast::iequals(fmt::format("https://{}", host), origin))) {
    return {};
  }
  return ApiError{.status = 403,
                  .code = "wrong_origin",
                  .message = "This came from a page of another site. Open this site's own page."};
}

std::optional<ApiError> check_change(const HttpRequest& request) {
  if (request.method() == http::verb::get || request.method() == http::verb::head) return {};
  if (auto error = check_origin(request)) return error;
  if (!request.body().empty() && !is_json(request)) {
    return ApiError{.status = 415,
                    .code = "wrong_type",
                    .message = "Send the body as Content-Type: application/json."};
  }
  return {};
}

std::optional<std::string> forwarded_client(const HttpRequest& request) {
  const auto [begin, end] = request.equal_range("X-Forwarded-For");
  if (begin == end) return {};
  std::string_view last;
  for (auto line = begin; line != end; ++line) last = view_of(line->value());
  return forwarded_client(last);
}

std::string without_secrets(std::string_view target) {
  constexpr std::size_t kDigits = 32;
  std::string masked;
  for (std::size_t i = 0; i < target.size();) {
    if (is_token(target.substr(i, kDigits))) {
      masked += '*';
      i += kDigits;
      continue;
    }
    const char c = target[i++];
    masked += c > ' ' && c < 0x7f ? c : '?';
  }
  return masked;
}

}  // namespace rowbot::server
