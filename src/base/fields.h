// Typed fields of JSON and TOML texts. Both give the same kind of error: where (a line of TOML, the
// path of the field), what must stand there, and what stands there instead.
//
//   auto reader = FieldReader::from_toml(text, MissingField::kKeepsDefault);
//   if (!reader) return reader.error();
//   Fields top = reader->top();
//   top("baud", config.baud, {.least = 300, .most = 115200});
//   const auto name = top.get<std::string>("name");
//   if (auto sound = reader->finish(UnknownField::kIsError); !sound) return sound.error();
//
// The reader keeps the first error; what cannot be read stays as it was, so one check at the end
// is enough. base/toml_writer.h takes the same calls: one list of fields then reads and writes.
// Thread safety: none; a reader and its Fields belong to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace rowbot {

/// The range of a number or of a text's length, both ends included.
struct Limits {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

/// The names of an enum's values in texts.
template <class Enum, std::size_t N>
using EnumNames = std::array<std::pair<Enum, const char*>, N>;

enum class MissingField { kIsError, kKeepsDefault };
enum class UnknownField { kIsError, kIsAllowed };

/// What a reader and its Fields share.
struct FieldState;

/// The fields of one JSON object or TOML table. Valid as long as its reader.
class Fields {
 public:
  /// One value somewhere in the text.
  struct Node {
    FieldState* state = nullptr;
    const nlohmann::json* value = nullptr;
    std::string path;

    [[nodiscard]] std::optional<std::size_t> list_size() const;
    [[nodiscard]] Node element(std::size_t i) const;
  };

  /// Reads a field. One that is absent or null is an error or left alone, as the reader was told.
  template <class T>
  void operator()(std::string_view key, T& value, Limits limits = {}) {
    if (const auto node = find(key, false)) read(*node, value, limits);
  }
  /// The field of an optional may always be absent.
  template <class T>
  void operator()(std::string_view key, std::optional<T>& value, Limits limits = {}) {
    if (has(key)) (*this)(key, value.emplace(), limits);
  }
  /// Reads a value that is written by its name.
  template <class Enum, std::size_t N>
  void name(std::string_view key, Enum& value, const EnumNames<Enum, N>& names) {
    const auto node = find(key, false);
    if (!node) return;
    std::string wanted;
    for (const auto& [candidate, text] : names) {
      if (is_text(*node, text)) {
        value = candidate;
        return;
      }
      wanted += std::string(wanted.empty() ? "" : " or ") + "'" + text + "'";
    }
    fail(*node, wanted);
  }
  /// A list of objects, each read by `visit` into a copy of `prototype`.
  template <class T, class Visit>
  void list(std::string_view key, std::vector<T>& values, const T& prototype, Visit visit) {
    if (!has(key)) return;
    values.clear();
    for (Fields& item : get<std::vector<Fields>>(key)) visit(item, values.emplace_back(prototype));
  }
  /// A field that must be there.
  template <class T>
  [[nodiscard]] T get(std::string_view key, Limits limits = {}) {
    T value{};
    if (const auto node = find(key, true)) read(*node, value, limits);
    return value;
  }
  /// An object. All fields of an absent one are absent.
  [[nodiscard]] Fields section(std::string_view key) {
    Fields fields;
    (*this)(key, fields);
    return fields;
  }

  [[nodiscard]] bool has(std::string_view key);
  [[nodiscard]] bool has_text(std::string_view key);
  /// Reports that a field is not what the caller wants: "a column from 1 to 7".
  void fail(std::string_view key, const std::string& wanted);

 private:
  friend class FieldReader;

  /// Notes that the key was asked for; null when it is absent.
  [[nodiscard]] const nlohmann::json* value(std::string_view key) const;
  [[nodiscard]] std::optional<Node> find(std::string_view key, bool required);
  static void fail(const Node& node, const std::string& wanted);
  static bool is_text(const Node& node, std::string_view text);

  // Each says whether the node could be read.
  static bool read(const Node& node, double& to, const Limits& limits);
  static bool read(const Node& node, int& to, const Limits& limits);
  static bool read(const Node& node, std::uint64_t& to, const Limits& limits);
  static bool read(const Node& node, bool& to, const Limits& limits);
  static bool read(const Node& node, std::string& to, const Limits& limits);
  static bool read(const Node& node, Fields& to, const Limits& limits);
  template <class T>
  static bool read(const Node& node, std::vector<T>& to, const Limits& limits) {
    const auto size = node.list_size();
    if (!size) return fail(node, "a list"), false;
    std::vector<T> items(*size);
    for (std::size_t i = 0; i < *size; ++i) {
      if (!read(node.element(i), items[i], limits)) return false;
    }
    to = std::move(items);
    return true;
  }
  template <class T, std::size_t N>
  static bool read(const Node& node, std::array<T, N>& to, const Limits& limits) {
    if (node.list_size() != N) return fail(node, "a list of " + std::to_string(N)), false;
    for (std::size_t i = 0; i < N; ++i) {
      if (!read(node.element(i), to[i], limits)) return false;
    }
    return true;
  }

  Node node_;
  std::size_t visit_ = 0;  // where the reader notes which keys were asked for
};

class FieldReader {
 public:
  [[nodiscard]] static Result<FieldReader> from_json(std::string_view text,
                                                     MissingField missing = MissingField::kIsError);
  [[nodiscard]] static Result<FieldReader> from_toml(std::string_view text,
                                                     MissingField missing = MissingField::kIsError);

  /// The fields of the whole text.
  [[nodiscard]] Fields top();
  /// The first error so far, if any.
  [[nodiscard]] const std::optional<Error>& error() const;
  /// The first error, or a key in a table that was read and that nobody asked for.
  [[nodiscard]] Result<void> finish(UnknownField unknown) const;

 private:
  explicit FieldReader(std::shared_ptr<FieldState> state) : state_(std::move(state)) {}

  // shared_ptr: the type is known in the source file alone.
  std::shared_ptr<FieldState> state_;
};

}  // namespace rowbot
