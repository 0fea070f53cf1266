// Answers as HTTP messages, with the fields that every answer has.
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "boost/beast/core/span.hpp"
#include "boost/beast/http/message.hpp"
#include "boost/beast/http/span_body.hpp"
#include "boost/beast/http/string_body.hpp"
#include "service/server/http/api_request.h"
#include "service/server/http/request_reader.h"

namespace rowbot::server {

using ApiResponse = boost::beast::http::response<boost::beast::http::string_body>;
/// Its body stands in the program and is sent from there.
using PageResponse = boost::beast::http::response<boost::beast::http::span_body<const char>>;

[[nodiscard]] ApiResponse api_response(ApiAnswer answer, unsigned version);

/// The page or a file of it; without a body for HEAD and for a client that has it already.
[[nodiscard]] PageResponse page_response(const HttpRequest& request, std::string_view path);

/// All lines of a field that is a list, joined as RFC 9110 (5.3) says.
[[nodiscard]] std::string joined_field(const HttpRequest& request, boost::beast::http::field name);

}  // namespace rowbot::server
