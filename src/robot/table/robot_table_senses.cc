// What a table sees, feels and is told, and what to ask when that contradicts itself.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "robot/table/robot_table.h"

namespace rowbot::table {
namespace {

using cell::CellContent;
using game::Column;
using Seen = ReadingVerdict::Kind;

}  // namespace

/// Whoever types before it is his turn, or before he was asked, means something else.
void RobotTable::hear(const Command& command) {
  if (!command.column) return;
  const double now = ports_.pace.now_s();
  if (command.kind == Command::Kind::kDropSeen && options_.switches) {
    felt_.add(FeltDiscs::Source::kSwitch, *command.column, now);
  }
  const Request request = snapshot()->request;
  const bool asked = request == Request::kPlay || request == Request::kNameColumn;
  if (command.kind == Command::Kind::kTyped && options_.keys && asked) {
    felt_.add(FeltDiscs::Source::kPerson, *command.column, now);
  }
}

/// Without a camera: what switches or people told.
ReadingVerdict RobotTable::feel() {
  if (robots_turn()) {
    if (!attempt_) return {};
    // Switches feel the robot's discs too; keys cannot know better than the hand.
    if (!options_.switches) return {.kind = Seen::kMove, .column = attempt_};
    if (felt_.empty()) {
      ports_.pace.wait(1);
      if (!attend()) return {};
    }
    // A visitor may have answered already.
    if (felt_.count(*attempt_) > 0) return {.kind = Seen::kMove, .column = attempt_};
  }
  const auto column = felt_.first();
  if (!column) return {};
  if (!game().position.can_play(*column)) {
    felt_.explain(*column);
    return {.kind = Seen::kUnclear,
            .what = fmt::format("Column {} is full; please play another one.", column->number())};
  }
  return {.kind = Seen::kMove, .column = column};
}

ReadingVerdict RobotTable::see() {
  if (ports_.camera == nullptr) return feel();
  const auto reading = ports_.camera->look();
  if (!reading) {
    return {.kind = Seen::kUnclear,
            .what = fmt::format("My camera is gone: {}.", reading.error().message)};
  }
  last_reading_ = *reading;
  if (!place_reading_ && reading->sight == cell::Sight::kGood) place_reading_ = *reading;
  return judge_reading(game().position, *reading, first_is());
}

/// A switch that stays silent says nothing; one that felt another column contradicts.
std::optional<std::string> RobotTable::contradiction(const ReadingVerdict& verdict) const {
  const Column column = *verdict.column;
  if (robots_turn()) {
    // With an eye, what else was felt is the visitor's, and his turn comes next.
    if (ports_.camera != nullptr || !options_.switches || !attempt_) return std::nullopt;
    if (column != *attempt_) {
      return fmt::format(
          "I let my disc go over column {}, but the switch of column {} felt one. In which column "
          "is my disc?",
          attempt_->number(), column.number());
    }
    if (felt_.count(column) > 1) {
      return fmt::format(
          "Two discs fell into column {0}. Please see to it that mine lies below, and tell me {0}.",
          column.number());
    }
    return std::nullopt;
  }
  const auto other = felt_.other_than(column);
  if (ports_.camera == nullptr) {
    if (!other) return std::nullopt;
    return fmt::format(
        "I was told of discs in the columns {} and {}. You have one move: which one stays?",
        column.number(), other->number());
  }
  if (!other || felt_.count(column) > 0) return std::nullopt;
  return fmt::format(
      "I see a disc in column {}, but the switch of column {} felt one. Which is right?",
      column.number(), other->number());
}

/// Never guesses: somebody must name the column. What an eye can see must be seen as well.
bool RobotTable::ask_for_column(std::string question, std::optional<Column> seen) {
  // Of two discs in the robot's column, the other is the visitor's answer.
  const bool answered = robots_turn() && attempt_ && felt_.count(*attempt_) > 1;
  felt_.clear();
  const double since = ports_.pace.now_s();
  std::optional<Column> named;
  while (!named || !game().position.can_play(*named)) {
    enter(TableState::kAsking, question, Request::kNameColumn);
    if (!idle()) return false;
    if (ports_.pace.now_s() - since > options_.patience_s) {
      return leave(GameEnd::kGivenUp, "Nobody said which column is right; the game is given up.");
    }
    named = felt_.first();
    felt_.clear();
  }
  if (ports_.camera != nullptr) return named != seen || record(*named);
  if (!record(*named)) return false;
  if (answered) felt_.add(FeltDiscs::Source::kSwitch, *named, ports_.pace.now_s());
  return true;
}

bool RobotTable::board_is_empty() {
  if (ports_.camera == nullptr) return false;
  return last_reading_ && last_reading_->sight == cell::Sight::kGood &&
         std::all_of(last_reading_->board.begin(), last_reading_->board.end(),
                     [](CellContent c) { return c == CellContent::kEmpty; });
}

}  // namespace rowbot::table
