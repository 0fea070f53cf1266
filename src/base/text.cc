#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>
#include <utility>

#include "fmt/core.h"

namespace rowbot {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array kTimeUnits{Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9},
                                Unit{"min", 6e10}};
constexpr std::array kByteUnits{Unit{"kB", 1024.0}, Unit{"MB", 1024.0 * 1024},
                                Unit{"GB", 1024.0 * 1024 * 1024}, Unit{"B", 1}, Unit{"", 1}};
constexpr std::array kCountUnits{Unit{"", 1}, Unit{"k", 1e3}, Unit{"M", 1e6}};

/// The plain number in front of a unit: digits with at most one point, no sign, no exponent.
std::size_t number_length(std::string_view text) {
  std::size_t n = 0;
  bool point = false;
  while (n < text.size() && ((text[n] >= '0' && text[n] <= '9') || (text[n] == '.' && !point))) {
    point = point || text[n] == '.';
    ++n;
  }
  return n;
}

/// text as number times unit, rounded; nothing when it is no such text or above limit.
std::optional<double> scaled(std::string_view text, std::span<const Unit> units, double limit) {
  const std::size_t digits = number_length(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
  if (digits == 0 || error != std::errc() || end != text.data() + digits) return std::nullopt;
  for (const Unit& unit : units) {
    if (text.substr(digits) != unit.name) continue;
    const double result = std::round(number * unit.factor);
    if (result > limit) return std::nullopt;
    return result;
  }
  return std::nullopt;
}

// Doubles hold every integer up to 2^53: enough for 104 days in nanoseconds.
constexpr double kExact = 9007199254740992.0;

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string in_quotes(char c) {
  if (c >= ' ' && c <= '~') return fmt::format("'{}'", c);
  return fmt::format("character number {}", static_cast<unsigned char>(c));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out = "'";
  for (const char c : text.substr(0, kLongest)) {
    if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  out += text.size() > kLongest ? "...'" : "'";
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

Result<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Error{in_quotes(text) + " is not a whole number"};
  }
  return value;
}

Result<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t exact = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exact);
  if (error == std::errc() && end == text.data() + text.size()) return exact;
  if (const auto value = scaled(text, kCountUnits, kExact)) {
    return static_cast<std::uint64_t>(*value);
  }
  return Error{in_quotes(text) + " is not a count; write it like 5000, 10k or 2M"};
}

Result<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return Error{in_quotes(text) + " is not a number; write it like 0.5"};
  }
  return value;
}

Result<bool> parse_switch(std::string_view text) {
  if (text == "on" || text == "true" || text == "yes" || text == "1") return true;
  if (text == "off" || text == "false" || text == "no" || text == "0") return false;
  return Error{in_quotes(text) + " is neither on nor off"};
}

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  if (const auto value = scaled(text, kTimeUnits, kExact)) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(*value));
  }
  return Error{in_quotes(text) +
               " is not a time; write it with its unit, like 250us, 100ms or 1.5s"};
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
  if (const auto value = scaled(text, kByteUnits, kExact)) {
    return static_cast<std::uint64_t>(*value);
  }
  return Error{in_quotes(text) + " is not a size; write it like 64MB"};
}

std::string duration_text(std::chrono::nanoseconds time) {
  const std::int64_t ns = time.count();
  if (ns != 0 && ns % 1'000'000'000 == 0) return fmt::format("{}s", ns / 1'000'000'000);
  if (ns % 1'000'000 == 0) return fmt::format("{}ms", ns / 1'000'000);
  if (ns % 1'000 == 0) return fmt::format("{}us", ns / 1'000);
  return fmt::format("{}ns", ns);
}

std::string bytes_text(std::uint64_t bytes) {
  for (const auto& [name, shift] :
       {std::pair("GB", 30), std::pair("MB", 20), std::pair("kB", 10)}) {
    const std::uint64_t unit = std::uint64_t{1} << shift;
    if (bytes != 0 && bytes % unit == 0) return fmt::format("{}{}", bytes / unit, name);
  }
  return fmt::format("{}B", bytes);
}

std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongestTyped = 64;  // keeps hostile input cheap; no name is longer
  if (typed.empty() || typed.size() > kLongestTyped) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string_view candidate : candidates) {
    // A beginning or an ending of a name is a better hint than the number of typing errors.
    const bool part = candidate.starts_with(typed) || typed.starts_with(candidate);
    const std::size_t distance = part ? 1 : edit_distance(typed, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  if (!best || best_distance > std::max<std::size_t>(2, best->size() / 3)) return std::nullopt;
  if (best_distance >= std::max(typed.size(), best->size())) return std::nullopt;
  return best;
}

}  // namespace rowbot
