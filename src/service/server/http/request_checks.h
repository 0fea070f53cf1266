// What a request says about its sender, and what may be believed of it.
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/server/api_error.h"
#include "service/server/http/request_reader.h"

namespace rowbot::server {

/// Why this request comes from a page of another site; nothing if it does not.
[[nodiscard]] std::optional<ApiError> check_origin(const HttpRequest& request);

/// Why this request may not change anything. A page of another site can make a visitor's browser
/// send requests, but not with our origin, and JSON only after asking, which we never grant.
[[nodiscard]] std::optional<ApiError> check_change(const HttpRequest& request);

/// The client that a trusted proxy names in X-Forwarded-For, "unknown" if it names none that we
/// understand; nothing without that field. `Forwarded` is not looked at: a proxy that writes only
/// X-Forwarded-For passes on whatever `Forwarded` the client invented.
[[nodiscard]] std::optional<std::string> forwarded_client(const HttpRequest& request);

/// The target without keys of games, which are secrets.
[[nodiscard]] std::string without_secrets(std::string_view target);

}  // namespace rowbot::server
