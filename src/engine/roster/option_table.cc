#include "engine/roster/option_table.h"

#include <algorithm>
#include <cstddef>

#include "base/text.h"
#include "fmt/core.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace rowbot::roster {
namespace {

/// A setter that parses and, if that worked, stores.
template <class Parse, class Field>
auto parsed_into(Parse parse, Field& field) {
  return [parse, &field](std::string_view text) -> Result<void> {
    const auto value = parse(text);
    if (!value) return value.error();
    field = *value;
    return {};
  };
}

/// The same within a range.
template <class Number, class Parse, class Field>
auto parsed_between(Parse parse, Number low, Number high, Field& field) {
  return [=, &field](std::string_view text) -> Result<void> {
    const auto value = parse(text);
    if (!value) return value.error();
    if (*value < low || *value > high) {
      return Error{fmt::format("{} is out of range; it must be from {} to {}", *value, low, high)};
    }
    field = static_cast<Field>(*value);
    return {};
  };
}

}  // namespace

void OptionTable::add(std::string_view name, std::string values, std::string_view help, Set set,
                      Print print) {
  options_.push_back({.info = {.name = std::string(name),
                               .values = std::move(values),
                               .default_value = print ? print() : "",
                               .help = std::string(help)},
                      .set = std::move(set),
                      .print = std::move(print)});
}

void OptionTable::count(std::string_view name, std::uint64_t& field, std::string_view help) {
  add(name, "count", help, parsed_into(parse_count, field),
      [&field] { return std::to_string(field); });
}

void OptionTable::count(std::string_view name, std::optional<std::uint64_t>& field,
                        std::string_view help) {
  add(name, "count", help, parsed_into(parse_count, field),
      [&field] { return field ? std::to_string(*field) : ""; });
}

void OptionTable::integer(std::string_view name, int& field, int low, int high,
                          std::string_view help) {
  add(name, fmt::format("{}..{}", low, high), help,
      parsed_between<std::int64_t>(parse_integer, low, high, field),
      [&field] { return std::to_string(field); });
}

void OptionTable::number(std::string_view name, double& field, double low, double high,
                         std::string_view help) {
  add(name, fmt::format("{}..{}", low, high), help,
      parsed_between<double>(parse_number, low, high, field),
      [&field] { return fmt::format("{}", field); });
}

void OptionTable::toggle(std::string_view name, bool& field, std::string_view help) {
  add(name, "on|off", help, parsed_into(parse_switch, field),
      [&field] { return field ? "on" : "off"; });
}

void OptionTable::time(std::string_view name, std::optional<std::chrono::nanoseconds>& field,
                       std::string_view help) {
  add(name, "time", help, parsed_into(parse_duration, field),
      [&field] { return field ? duration_text(*field) : ""; });
}

void OptionTable::bytes(std::string_view name, std::optional<std::uint64_t>& field,
                        std::string_view help) {
  add(name, "size", help, parsed_into(parse_bytes, field),
      [&field] { return field ? bytes_text(*field) : ""; });
}

void OptionTable::text(std::string_view name, std::string& field, std::string_view help) {
  add(
      name, "text", help,
      [&field](std::string_view value) -> Result<void> {
        field = value;
        return {};
      },
      [&field] { return field; });
}

void OptionTable::preset(std::string_view name, std::vector<Preset> presets,
                         std::string_view help) {
  std::vector<std::string_view> words;
  for (const Preset& p : presets) words.push_back(p.name);
  add_words(name, words, "", help,
            [presets = std::move(presets)](std::size_t i) { presets[i].apply(); });
  options_.back().is_preset = true;
}

void OptionTable::spelled_out(std::string_view name, const std::vector<std::string>& words,
                              std::string_view help) {
  add(
      name, fmt::format("{}", fmt::join(words, "|")), help,
      [](std::string_view) -> Result<void> { return Error{"it is given twice"}; }, nullptr);
}

void OptionTable::add_words(std::string_view name, const std::vector<std::string_view>& words,
                            std::string_view current, std::string_view help,
                            std::function<void(std::size_t)> set) {
  add(
      name, fmt::format("{}", fmt::join(words, "|")), help,
      [words, set = std::move(set)](std::string_view text) -> Result<void> {
        const auto found = std::find(words.begin(), words.end(), text);
        if (found == words.end()) {
          return Error{fmt::format("{} is not one of {}", in_quotes(text), fmt::join(words, ", "))};
        }
        set(static_cast<std::size_t>(found - words.begin()));
        return {};
      },
      nullptr);
  options_.back().info.default_value = current;
}

const OptionTable::Option* OptionTable::find(std::string_view name) const {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const Option& o) { return o.info.name == name; });
  return found == options_.end() ? nullptr : &*found;
}

Result<void> OptionTable::assign(std::span<const OptionValue> values) const {
  std::vector<std::string_view> names;
  for (const Option& o : options_) names.emplace_back(o.info.name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view key = values[i].key;
    if (find(key) == nullptr) {
      const auto meant = nearest(key, names);
      const std::string advice = meant           ? fmt::format("did you mean '{}'?", *meant)
                                 : names.empty() ? "it has no options"
                                                 : fmt::format("it has {}", fmt::join(names, ", "));
      return Error{fmt::format("there is no option {}; {}", in_quotes(key), advice)};
    }
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      if (values[earlier].key == key) {
        return Error{fmt::format("option '{}' is given twice", key)};
      }
    }
  }
  // In the table's order, presets first, so that the order of the text does not matter.
  for (const bool presets : {true, false}) {
    for (const Option& option : options_) {
      if (option.is_preset != presets) continue;
      const auto given = std::ranges::find(values, option.info.name, &OptionValue::key);
      if (given == values.end()) continue;
      if (const auto set = option.set(given->value); !set) {
        return Error{fmt::format("option '{}': {}", given->key, set.error().message)};
      }
    }
  }
  return {};
}

std::vector<OptionValue> OptionTable::canonical(std::span<const OptionValue> values) const {
  std::vector<OptionValue> all;
  for (const Option& option : options_) {
    const auto given = std::ranges::find(values, option.info.name, &OptionValue::key);
    if (given == values.end()) continue;
    all.push_back({.key = option.info.name, .value = option.print ? option.print() : given->value});
  }
  return all;
}

std::vector<OptionInfo> OptionTable::describe() const {
  std::vector<OptionInfo> infos;
  for (const Option& o : options_) infos.push_back(o.info);
  return infos;
}

}  // namespace rowbot::roster
