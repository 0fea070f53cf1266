#include "robot/station/world_file.h"

#include "game/bits.h"

namespace rowbot::station {
namespace {

constexpr std::size_t kColumnText = game::kRows + 1;
constexpr std::size_t kWorldText = game::kColumns * kColumnText;

}  // namespace

std::string world_text(const sim::BoardTruth& truth) {
  std::string text;
  for (const auto& column : truth) {
    for (const auto& cell : column) {
      text += !cell ? '.' : *cell == sim::Side::kRobot ? 'r' : 'h';
    }
    text += '/';
  }
  return text;
}

Result<sim::BoardTruth> parse_world(std::string_view text) {
  const Error wrong{
      "it does not hold a simulated board; remove the file to begin with an empty one"};
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.size() != kWorldText) return wrong;
  sim::BoardTruth truth;
  for (std::size_t i = 0; i < kWorldText; ++i) {
    const std::size_t row = i % kColumnText;
    auto& column = truth[i / kColumnText];
    if (row == game::kRows) {
      if (text[i] != '/') return wrong;
    } else if (text[i] == 'r' || text[i] == 'h') {
      column[row] = text[i] == 'r' ? sim::Side::kRobot : sim::Side::kHuman;
    } else if (text[i] != '.') {
      return wrong;
    }
  }
  return truth;
}

}  // namespace rowbot::station
