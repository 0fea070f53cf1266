// Why a request is not done, in words for the visitor and a code for the page.
// Thread safety: a plain value.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace rowbot::server {

struct Refusal {
  int status = 400;
  std::string code;
  std::string message;
  std::optional<int> retry_after;  ///< seconds
};

/// A value or a refusal, as base's Result but with what HTTP wants to know.
template <class T>
class [[nodiscard]] Granted {
 public:
  // Implicit on purpose, as for Result.
  Granted(T value) : state_(std::in_place_index<0>, std::move(value)) {}            // NOLINT
  Granted(Refusal refusal) : state_(std::in_place_index<1>, std::move(refusal)) {}  // NOLINT

  explicit operator bool() const { return state_.index() == 0; }
  [[nodiscard]] T& operator*() { return *std::get_if<0>(&state_); }
  [[nodiscard]] const T& operator*() const { return *std::get_if<0>(&state_); }
  [[nodiscard]] T* operator->() { return std::get_if<0>(&state_); }
  [[nodiscard]] const T* operator->() const { return std::get_if<0>(&state_); }
  [[nodiscard]] const Refusal& refusal() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Refusal> state_;
};

}  // namespace rowbot::server
