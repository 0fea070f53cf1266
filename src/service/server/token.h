// The keys of games: 128 random bits as 32 lower-case hexadecimal digits.
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace rowbot::server {

/// From the operating system's generator; nobody can guess the next one.
[[nodiscard]] std::string new_token();
[[nodiscard]] bool is_token(std::string_view text);
/// Compares in a time that does not tell how much was right.
[[nodiscard]] bool same_secret(std::string_view a, std::string_view b);

}  // namespace rowbot::server
