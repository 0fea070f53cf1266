// Why a request is not done, in words for the visitor and a code for the page.
// Thread safety: a plain value.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace rowbot::server {

struct ApiError {
  int status = 400;
  std::string code;
  std::string message;
  std::optional<int> retry_after;  ///< seconds
};

/// A value or a error, as base's Result but with what HTTP wants to know.
template <class T>
class [[nodiscard]] HttpResult {
 public:
  // Implicit on purpose, as for Result.
  HttpResult(T value) : state_(std::in_place_index<0>, std::move(value)) {}         // NOLINT
  HttpResult(ApiError error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  explicit operator bool() const { return state_.index() == 0; }
  [[nodiscard]] T& operator*() { return *std::get_if<0>(&state_); }
  [[nodiscard]] const T& operator*() const { return *std::get_if<0>(&state_); }
  [[nodiscard]] T* operator->() { return std::get_if<0>(&state_); }
  [[nodiscard]] const T* operator->() const { return std::get_if<0>(&state_); }
  [[nodiscard]] const ApiError& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, ApiError> state_;
};

}  // namespace rowbot::server
