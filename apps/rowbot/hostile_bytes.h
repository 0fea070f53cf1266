// What hostile clients send: requests that are none, and frames of WebSockets.
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rowbot::app {

/// Requests that are none, or mean two things at once.
[[nodiscard]] const std::vector<std::string>& malformed_requests();

/// A masked WebSocket frame; the mask is zero. Requires fewer than 126 bytes.
[[nodiscard]] std::string frame(unsigned char first, std::string_view content);

}  // namespace rowbot::app
