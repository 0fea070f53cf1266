#include "game/outcome.h"

#include <array>
#include <cstddef>

namespace rowbot::game {
namespace {

// In the order of their enums.
constexpr std::array<std::string_view, 4> kResults{"ongoing", "first", "second", "draw"};
constexpr std::array<std::string_view, 7> kReasons{
    "ongoing", "four_in_a_row", "board_full", "resigned", "timed_out", "failed", "interrupted"};

template <class Code, std::size_t size>
std::optional<Code> parse_code(const std::array<std::string_view, size>& codes,
                               std::string_view text) {
  for (std::size_t i = 0; i < size; ++i) {
    if (codes.at(i) == text) return static_cast<Code>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view result_text(GameResult result) {
  return kResults.at(static_cast<std::size_t>(result));
}

std::optional<GameResult> parse_result(std::string_view text) {
  return parse_code<GameResult>(kResults, text);
}

std::string_view reason_text(EndReason reason) {
  return kReasons.at(static_cast<std::size_t>(reason));
}

std::optional<EndReason> parse_reason(std::string_view text) {
  return parse_code<EndReason>(kReasons, text);
}

}  // namespace rowbot::game
