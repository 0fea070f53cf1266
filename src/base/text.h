// Reading small values from text people type, and helping them when they mistype.
// Thread safety: pure functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rowbot {

/// A character as it can be shown in a message: 'a', or its number when it cannot be printed.
[[nodiscard]] std::string in_quotes(char c);
/// A text as it can be shown in a message: quoted, shortened, control characters escaped.
[[nodiscard]] std::string in_quotes(std::string_view text);

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::string_view trimmed(std::string_view text);

[[nodiscard]] Result<std::int64_t> parse_integer(std::string_view text);
/// A count such as 5000, 10k or 2M.
[[nodiscard]] Result<std::uint64_t> parse_count(std::string_view text);
[[nodiscard]] Result<double> parse_number(std::string_view text);
/// on/off, true/false, yes/no, 1/0.
[[nodiscard]] Result<bool> parse_switch(std::string_view text);
/// A time with its unit: 250us, 100ms, 1.5s, 2min.
[[nodiscard]] Result<std::chrono::nanoseconds> parse_duration(std::string_view text);
/// A size with its unit: 512kB, 64MB, 1GB (powers of 1024), or plain bytes.
[[nodiscard]] Result<std::uint64_t> parse_bytes(std::string_view text);

/// The shortest text that parse_duration reads back as the same time.
[[nodiscard]] std::string duration_text(std::chrono::nanoseconds time);
/// The same for parse_bytes.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// The candidate that was probably meant, if one is close enough to be worth suggesting.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view typed,
                                                      std::span<const std::string_view> candidates);

}  // namespace rowbot
