#include "base/fields.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <toml++/toml.h>

#include "base/text.h"
#include "base/toml_writer.h"

namespace rowbot {

using nlohmann::json;

/// TOML is read into the same tree as JSON, with the lines beside it.
struct FieldState {
  struct Visit {
    const json* object;
    std::string path;
    std::vector<std::string> asked;
  };

  json root;
  std::map<std::string, int, std::less<>> lines;  // by path; of TOML alone
  MissingField missing = MissingField::kIsError;
  std::vector<Visit> visits;
  std::optional<Error> error;

  [[nodiscard]] std::string place(const std::string& path) const {
    const auto line = lines.find(path);
    return line == lines.end() ? path : fmt::format("line {}: {}", line->second, path);
  }
  void fail(std::string message) {
    if (!error) error = Error{std::move(message)};
  }

  json convert(const toml::node& node, const std::string& path) {
    lines.emplace(path, static_cast<int>(node.source().begin.line));
    if (const toml::table* table = node.as_table()) {
      json object = json::object();
      for (const auto& [key, value] : *table) {
        const std::string name(key.str());
        object[name] = convert(value, path.empty() ? name : path + '.' + name);
      }
      return object;
    }
    if (const toml::array* array = node.as_array()) {
      json list = json::array();
      for (const toml::node& item : *array) {
        list.push_back(convert(item, fmt::format("{}[{}]", path, list.size())));
      }
      return list;
    }
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* flag = node.as_boolean()) return flag->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* number = node.as_integer()) {
      return number->get() < 0 ? json(number->get()) : json(std::uint64_t(number->get()));
    }
    return json::binary({});  // a date or a time: nothing reads them
  }
};

namespace {

std::string range_text(const char* what, const Limits& limits) {
  if (std::isinf(limits.most)) {
    return std::isinf(limits.least) ? what : fmt::format("{} from {}", what, limits.least);
  }
  return fmt::format("{} from {} to {}", what, limits.least, limits.most);
}

bool within(double value, const Limits& limits) {
  return std::isfinite(value) && value >= limits.least && value <= limits.most;
}

/// A value as it can be shown in a message.
std::string found_text(const json& value) {
  if (value.is_object()) return "a section";
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_binary() ? "a date" : value.dump();
}

}  // namespace

std::optional<std::size_t> Fields::Node::list_size() const {
  return value->is_array() ? std::optional(value->size()) : std::nullopt;
}

Fields::Node Fields::Node::element(std::size_t i) const {
  return {.state = state, .value = &(*value)[i], .path = fmt::format("{}[{}]", path, i)};
}

const json* Fields::value(std::string_view key) const {
  if (node_.state == nullptr) return nullptr;  // fields of an absent object
  auto& asked = node_.state->visits[visit_].asked;
  if (std::ranges::find(asked, key) == asked.end()) asked.emplace_back(key);
  const auto found = node_.value->find(key);
  return found == node_.value->end() || found->is_null() ? nullptr : &*found;
}

std::optional<Fields::Node> Fields::find(std::string_view key, bool required) {
  std::string path = node_.path.empty() ? std::string(key) : fmt::format("{}.{}", node_.path, key);
  if (const json* found = value(key)) {
    return Node{.state = node_.state, .value = found, .path = std::move(path)};
  }
  if (node_.state != nullptr && (required || node_.state->missing == MissingField::kIsError)) {
    node_.state->fail(path + " is missing");
  }
  return std::nullopt;
}

bool Fields::has(std::string_view key) { return value(key) != nullptr; }

bool Fields::has_text(std::string_view key) {
  const json* found = value(key);
  return found != nullptr && found->is_string();
}

void Fields::fail(std::string_view key, const std::string& wanted) {
  if (const auto node = find(key, true)) fail(*node, wanted);
}

void Fields::fail(const Node& node, const std::string& wanted) {
  FieldState& state = *node.state;
  state.fail(fmt::format("{} must be {}, not {}", state.place(node.path), wanted,
                         found_text(*node.value)));
}

bool Fields::is_text(const Node& node, std::string_view text) {
  return node.value->is_string() && node.value->get_ref<const std::string&>() == text;
}

bool Fields::read(const Node& node, double& to, const Limits& limits) {
  if (!node.value->is_number() || !within(node.value->get<double>(), limits)) {
    return fail(node, range_text("a number", limits)), false;
  }
  to = node.value->get<double>();
  return true;
}

bool Fields::read(const Node& node, int& to, const Limits& limits) {
  constexpr Limits kInt{.least = std::numeric_limits<int>::min(),
                        .most = std::numeric_limits<int>::max()};
  if (!node.value->is_number_integer() || !within(node.value->get<double>(), limits) ||
      !within(node.value->get<double>(), kInt)) {
    return fail(node, range_text("a whole number", limits)), false;
  }
  to = node.value->get<int>();
  return true;
}

bool Fields::read(const Node& node, std::uint64_t& to, const Limits& limits) {
  if (!node.value->is_number_unsigned() || !within(node.value->get<double>(), limits)) {
    return fail(node, range_text("a whole number",
                                 {.least = std::max(0.0, limits.least), .most = limits.most})),
           false;
  }
  to = node.value->get<std::uint64_t>();
  return true;
}

bool Fields::read(const Node& node, bool& to, const Limits& /*limits*/) {
  if (!node.value->is_boolean()) return fail(node, "true or false"), false;
  to = node.value->get<bool>();
  return true;
}

bool Fields::read(const Node& node, std::string& to, const Limits& limits) {
  if (!node.value->is_string()) return fail(node, "a text in quotes"), false;
  const auto& text = node.value->get_ref<const std::string&>();
  if (!within(static_cast<double>(text.size()), limits)) {
    return fail(node,
                std::isinf(limits.most)
                    ? fmt::format("a text of {} characters or more", limits.least)
                    : fmt::format("a text of {} to {} characters", limits.least, limits.most)),
           false;
  }
  to = text;
  return true;
}

bool Fields::read(const Node& node, Fields& to, const Limits& /*limits*/) {
  if (!node.value->is_object()) return fail(node, "a section"), false;
  auto& visits = node.state->visits;
  to.node_ = node;
  to.visit_ = visits.size();
  visits.push_back({.object = node.value, .path = node.path, .asked = {}});
  return true;
}

Result<FieldReader> FieldReader::from_json(std::string_view text, MissingField missing) {
  auto state = std::make_shared<FieldState>();
  state->missing = missing;
  try {
    state->root = json::parse(text);
  } catch (const json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    return Error{fmt::format("line {}: this is not JSON", 1 + std::count(text.begin(), end, '\n'))};
  }
  if (!state->root.is_object()) return Error{"this is not a JSON object; it must begin with {"};
  return FieldReader(std::move(state));
}

Result<FieldReader> FieldReader::from_toml(std::string_view text, MissingField missing) {
  auto state = std::make_shared<FieldState>();
  state->missing = missing;
  try {
    state->root = state->convert(toml::parse(text), "");
  } catch (const toml::parse_error& error) {
    return Error{fmt::format("line {}: {}", error.source().begin.line, error.description())};
  }
  return FieldReader(std::move(state));
}

Fields FieldReader::top() {
  Fields fields;
  Fields::read({.state = state_.get(), .value = &state_->root, .path = ""}, fields, {});
  return fields;
}

const std::optional<Error>& FieldReader::error() const { return state_->error; }

Result<void> FieldReader::finish(UnknownField unknown) const {
  if (state_->error) return *state_->error;
  if (unknown == UnknownField::kIsAllowed) return {};
  for (const FieldState::Visit& visit : state_->visits) {
    for (const auto& [key, value] : visit.object->items()) {
      if (std::ranges::find(visit.asked, key) != visit.asked.end()) continue;
      const std::vector<std::string_view> known(visit.asked.begin(), visit.asked.end());
      const auto meant = nearest(key, known);
      return Error{fmt::format(
          "{} is not a known key; {}",
          state_->place(visit.path.empty() ? key : fmt::format("{}.{}", visit.path, key)),
          meant ? fmt::format("is {} meant?", in_quotes(*meant)) : "remove it")};
    }
  }
  return {};
}

std::string TomlWriter::quoted(std::string_view text) {
  std::ostringstream out;
  out << toml::toml_formatter(toml::value<std::string>(text), toml::format_flags::none);
  return out.str();
}

}  // namespace rowbot
