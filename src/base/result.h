// A value, or the reason why there is none: for everything that can go wrong outside the program
// (input, files, devices). The names are those of std::expected, which GCC 12 lacks in C++20.
// Thread safety: as safe as T; plain values without hidden state.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace rowbot {

/// Says what was wrong, where, and what to do about it, in words for the person who can.
struct Error {
  std::string message;

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
class [[nodiscard]] Result {
 public:
  // Implicit on purpose: `return value;` and `return Error{...};` are how a Result is made.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  /// The value; requires has_value().
  [[nodiscard]] T& value() & { return *pointer(); }
  [[nodiscard]] const T& value() const& { return *pointer(); }
  [[nodiscard]] T&& value() && { return std::move(*pointer()); }
  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() { return pointer(); }
  [[nodiscard]] const T* operator->() const { return pointer(); }

  [[nodiscard]] T value_or(T fallback) const& {
    return has_value() ? value() : std::move(fallback);
  }

  /// The error; requires !has_value().
  [[nodiscard]] const Error& error() const {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }

 private:
  [[nodiscard]] T* pointer() {
    assert(has_value());
    return std::get_if<0>(&state_);
  }
  [[nodiscard]] const T* pointer() const {
    assert(has_value());
    return std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }

  /// The error; requires !has_value().
  [[nodiscard]] const Error& error() const {
    assert(!has_value());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace rowbot
