#include "lab/cluster/child.h"

#include "base/text.h"
#include "engine/agents/lookahead/minimax.h"
#include "fmt/core.h"

namespace rowbot::cluster {

Result<game::Column> parse_protocol_column(std::string_view line) {
  const std::string_view digits = trimmed(line);
  if (digits.size() != 1 || digits[0] < '0' || digits[0] > '6') {
    return Error{fmt::format("{} is not a column number from 0 to 6", in_quotes(line))};
  }
  return game::Column(digits[0] - '0');
}

Result<int> parse_protocol_value(std::string_view line) {
  constexpr std::size_t kLongest = 10;  // a sign and nine digits
  const std::string_view digits = trimmed(line);
  if (digits.size() <= kLongest) {
    if (const auto value = parse_integer(digits);
        value && *value > -1'000'000'000 && *value < 1'000'000'000) {
      return static_cast<int>(*value);
    }
  }
  return Error{fmt::format("{} is not the value of a move, a signed integer", in_quotes(line))};
}

Result<void> Child::play(std::string_view line, std::string_view whose) {
  const auto column = parse_protocol_column(line);
  if (!column) return Error{fmt::format("{} move: {}", whose, column.error().message)};
  if (!position_.can_play(*column)) {
    return Error{
        fmt::format("{} move: column {} is full, or the game is over", whose, column->index())};
  }
  position_ = position_.after(*column);
  return {};
}

Result<Child::Step> Child::receive(std::string_view line) {
  switch (expects_) {
    case Expects::kWhoBegins: {
      const char answer = line.empty() ? '\0' : line[0];
      expects_ = answer == 'n' || answer == 'N' ? Expects::kOpponentsMove : Expects::kSuggestion;
      return Step{};
    }
    case Expects::kOpponentsMove: {
      if (auto played = play(line, "the opponent's"); !played) return played.error();
      expects_ = Expects::kSuggestion;
      return Step{};
    }
    case Expects::kSuggestion: {
      const auto column = parse_protocol_column(line);
      if (!column) return Error{"the suggested move: " + column.error().message};
      if (!position_.can_play(*column)) {
        return Error{fmt::format("the suggested move: column {} is full, or the game is over",
                                 column->index())};
      }
      expects_ = Expects::kSelection;
      return Step{.reply = std::to_string(
                      agents::lookahead::rhodes_move_value(position_, *column, depth_))};
    }
    case Expects::kSelection: {
      if (auto played = play(line, "the selected"); !played) return played.error();
      expects_ = Expects::kGoOn;
      return Step{};
    }
    case Expects::kGoOn: {
      const bool over = line.starts_with('n');
      expects_ = over ? Expects::kNothing : Expects::kOpponentsMove;
      return Step{.finished = over};
    }
    case Expects::kNothing:
      return Error{"the game is over, and yet there is another message"};
  }
  return Error{"a child expects nothing like this"};
}

}  // namespace rowbot::cluster
