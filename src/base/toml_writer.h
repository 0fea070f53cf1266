// Writes TOML through the calls that Fields offers for reading it, so that one list of fields
// serves both ways:
//
//   template <class Archive> void describe(Archive& section, Pulses& pulses) {
//     section("min_us", pulses.min_us);
//     section("max_us", pulses.max_us);
//   }
//
// Keys come before the sections of the same table, as TOML demands.
// Thread safety: none; the text belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"

namespace rowbot {

class TomlWriter {
 public:
  /// Appends to `text`, which must outlive the writer.
  explicit TomlWriter(std::string& text) : text_(text) {}

  void operator()(std::string_view key, const std::string& value, Limits /*limits*/ = {}) {
    line(key, quoted(value));
  }
  template <class T>
  void operator()(std::string_view key, const T& value, Limits /*limits*/ = {}) {
    line(key, fmt::format("{}", value));
  }
  template <class T>
  void operator()(std::string_view key, const std::optional<T>& value, Limits /*limits*/ = {}) {
    if (value) (*this)(key, *value);
  }
  template <class Enum, std::size_t N>
  void name(std::string_view key, Enum value, const EnumNames<Enum, N>& names) {
    for (const auto& [candidate, text] : names) {
      if (candidate == value) line(key, quoted(text));
    }
  }
  template <class T, class Visit>
  void list(std::string_view key, std::vector<T>& values, const T& /*prototype*/, Visit visit) {
    for (T& value : values) {
      text_ += fmt::format("\n[[{}{}]]\n", path_, key);
      TomlWriter item(text_, fmt::format("{}{}.", path_, key));
      visit(item, value);
    }
  }
  [[nodiscard]] TomlWriter section(std::string_view key) {
    text_ += fmt::format("\n[{}{}]\n", path_, key);
    return {text_, fmt::format("{}{}.", path_, key)};
  }

 private:
  TomlWriter(std::string& text, std::string path) : text_(text), path_(std::move(path)) {}

  [[nodiscard]] static std::string quoted(std::string_view text);
  void line(std::string_view key, std::string_view value) {
    text_ += fmt::format("{} = {}\n", key, value);
  }

  std::string& text_;
  std::string path_;  // with a point at its end
};

}  // namespace rowbot
