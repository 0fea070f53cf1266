// Options by name: binds the fields of an options struct to the `key=value` texts people write, so
// that each option's name, default, range and help stand in one place.
// Thread safety: none; a table lives for one parse on one thread. It refers to the fields it
// binds and must not outlive them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace rowbot::roster {

struct OptionInfo {
  std::string name;
  std::string values;         ///< what may be written, for people: "count", "0..1", "on|off"
  std::string default_value;  ///< as it would be written; empty when the option is off by default
  std::string help;
};

struct OptionValue {
  std::string key;
  std::string value;

  friend bool operator==(const OptionValue&, const OptionValue&) = default;
};

class OptionTable {
 public:
  /// A named bundle of settings, applied before all other options so that those can refine it.
  struct Preset {
    std::string_view name;
    std::function<void()> apply;
  };
  template <class Enum>
  using Name = std::pair<std::string_view, Enum>;

  void count(std::string_view name, std::uint64_t& field, std::string_view help);
  void count(std::string_view name, std::optional<std::uint64_t>& field, std::string_view help);
  void integer(std::string_view name, int& field, int low, int high, std::string_view help);
  void number(std::string_view name, double& field, double low, double high, std::string_view help);
  void toggle(std::string_view name, bool& field, std::string_view help);
  void time(std::string_view name, std::optional<std::chrono::nanoseconds>& field,
            std::string_view help);
  void bytes(std::string_view name, std::optional<std::uint64_t>& field, std::string_view help);
  void text(std::string_view name, std::string& field, std::string_view help);
  void preset(std::string_view name, std::vector<Preset> presets, std::string_view help);
  /// One of the words that others have replaced by what it stands for before assign() sees it.
  void spelled_out(std::string_view name, const std::vector<std::string>& words,
                   std::string_view help);

  template <class Enum>
  void choice(std::string_view name, Enum& field, std::span<const Name<Enum>> names,
              std::string_view help) {
    std::vector<std::string_view> words;
    std::string_view current;
    for (const auto& [word, value] : names) {
      words.push_back(word);
      if (value == field) current = word;
    }
    add_words(name, words, current, help,
              [&field, names](std::size_t i) { field = names[i].second; });
  }

  /// Sets the bound fields. An unknown key or a value out of range is an error that says what
  /// would have been right; the fields may then be half set.
  [[nodiscard]] Result<void> assign(std::span<const OptionValue> values) const;

  /// The same values in the order of the table, each in the spelling that stands for its field;
  /// requires that they were assigned.
  [[nodiscard]] std::vector<OptionValue> canonical(std::span<const OptionValue> values) const;

  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] std::vector<OptionInfo> describe() const;

 private:
  using Set = std::function<Result<void>(std::string_view)>;
  using Print = std::function<std::string()>;
  struct Option {
    OptionInfo info;
    Set set;
    Print print;  // the field as text; none: as it was written
    bool is_preset = false;
  };

  void add(std::string_view name, std::string values, std::string_view help, Set set, Print print);
  void add_words(std::string_view name, const std::vector<std::string_view>& words,
                 std::string_view current, std::string_view help,
                 std::function<void(std::size_t)> set);
  [[nodiscard]] const Option* find(std::string_view name) const;

  std::vector<Option> options_;
};

}  // namespace rowbot::roster
