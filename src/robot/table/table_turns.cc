// Whose turn it is, what a look at the board means then, and what follows.
#include <memory>
#include <string>
#include <utility>

#include "robot/table/table_step.h"

namespace rowbot::table {
namespace {

using cell::HandTrouble;
using game::Column;
using Seen = ReadingVerdict::Kind;

/// A disc takes a moment from the switch to its place.
constexpr double kFallTime = 3;
/// So long may a switch be later than the hand's report.
constexpr double kSwitchTime = 1;

std::string text_of(Column column) { return std::to_string(column.number()); }

}  // namespace

void Step::turn() {
  if (m_.game()->over()) return finish_by_rules();
  if (m_.robots_turn()) {
    if (m_.attempt && !rules_.people_move_for && !m_.blind_since_s) {
      tell(TableState::kVerifying, {.id = MessageId::kVerifying});
    }
  } else if (m_.phantom) {
    tell(TableState::kAsking, {.id = MessageId::kFeltNotSeen, .arguments = {text_of(*m_.phantom)}},
         Request::kPlay);
  } else if (!m_.blind_since_s) {
    tell(TableState::kWaiting, {.id = MessageId::kYourMove}, Request::kPlay);
  }
  then(Action::kLook);
}

void Step::take(const TimePassed& /*event*/) {
  switch (m_.state) {
    case TableState::kStopped:
      return;  // until somebody says that all is safe
    case TableState::kNeedsHelp:
      if (impatient()) leave(GameEnd::kGivenUp, {.id = MessageId::kNobodyHelped});
      return;
    case TableState::kAsking:
      if (m_.request == Request::kNameColumn) return hear_answer();
      return turn();
    case TableState::kFoul:
      return then(Action::kLook);
    case TableState::kPreparing:
    case TableState::kClearing:
    case TableState::kWaiting:
    case TableState::kThinking:
    case TableState::kMoving:
    case TableState::kVerifying:
    case TableState::kBlind:
    case TableState::kOver:
      if (playing()) return turn();
      return then(Action::kLook);
  }
}

void Step::take(const Looked& event) {
  if (event.reading && event.reading->has_value()) m_.last_reading = **event.reading;
  if (!playing()) return look_for_empty_board(event);
  const ReadingVerdict verdict = judge(event);
  if (m_.mending) return mend(verdict);
  if (verdict.kind == Seen::kUnclear) return blind(verdict);
  m_.blind_since_s.reset();
  if (verdict.kind == Seen::kFoul) return foul(verdict);
  if (m_.robots_turn()) return robot_sees(verdict);
  human_sees(verdict);
}

void Step::human_sees(const ReadingVerdict& verdict) {
  if (verdict.kind == Seen::kMove) {
    if (auto question = contradiction(*verdict.column)) {
      return ask(*std::move(question), verdict.column);
    }
    return record(*verdict.column);
  }
  if (now_s_ - m_.turn_began_s > rules_.leave_s) {
    return leave(GameEnd::kGivenUp, {.id = MessageId::kVisitorLeft});
  }
  if (const auto felt = m_.felt.overdue(now_s_, kFallTime)) {
    m_.phantom = felt;
    m_.felt.clear();
  }
  then(Action::kWait);
}

void Step::robot_sees(const ReadingVerdict& verdict) {
  if (verdict.kind == Seen::kMove) {
    if (auto question = contradiction(*verdict.column)) {
      return ask(*std::move(question), std::nullopt);
    }
    if (m_.attempt && *m_.attempt != *verdict.column) ++m_.counts.strays;
    return record(*verdict.column);
  }
  if (m_.attempt && rules_.people_move_for) return wait_for_people_to_move();
  if (m_.attempt) {
    const bool late = now_s_ - m_.attempt_s < kSwitchTime;
    if (!rules_.camera && rules_.switches && late) return then(Action::kWait);
    m_.attempt.reset();
    return missed(Request::kCheckColumn, MessageId::kDroppedInVain);
  }
  // The eye gives the same corners, to the bit, until it is sure that the board has moved.
  if (m_.place_reading && m_.last_reading &&
      m_.place_reading->corners != m_.last_reading->corners) {
    ++m_.counts.shifts;
    if (rules_.realigns) return then(Action::kRealign);
    return take(Realigned{Error{"I cannot measure its place"}});
  }
  think();
}

void Step::think() {
  if (!m_.calibration_due.empty()) {
    return help(Request::kCalibrateArm,
                {.id = MessageId::kCalibrateFirst, .arguments = {m_.calibration_due}});
  }
  tell(TableState::kThinking, {.id = MessageId::kThinking});
  then(Action::kThink);
}

void Step::take(const Decided& event) {
  if (rules_.people_move_for) {
    m_.attempt = event.column;
    return wait_for_people_to_move();
  }
  m_.target = event.column;
  tell(TableState::kMoving, {.id = MessageId::kMoving, .arguments = {text_of(event.column)}});
  then(Action::kDrop);
}

/// Without an arm people are as quick as they like.
void Step::wait_for_people_to_move() {
  tell(TableState::kMoving, {.id = MessageId::kPlaceMyDisc, .arguments = {text_of(*m_.attempt)}},
       Request::kPlaceDisc);
  if (now_s_ - m_.turn_began_s > rules_.leave_s) {
    return leave(GameEnd::kGivenUp, {.id = MessageId::kNobodyMoved});
  }
  then(Action::kWait);
}

void Step::take(const Dropped& event) {
  m_.calibration_due = event.calibration_due;
  const Column column = *std::exchange(m_.target, std::nullopt);
  const std::string& what = event.report.what;
  switch (event.report.trouble) {
    case HandTrouble::kNone:
      m_.attempt = column;
      m_.attempt_s = now_s_;
      return turn();
    case HandTrouble::kNoPiece:
      return help(Request::kRefillMagazine, {.id = MessageId::kMagazineEmpty});
    case HandTrouble::kLostPiece:
      return missed(Request::kRefillMagazine, MessageId::kEmptyFingers);
    case HandTrouble::kAdrift:
      ++m_.counts.faults;
      return help(Request::kCalibrateArm, {.id = MessageId::kCalibrate, .arguments = {what}});
    case HandTrouble::kNoWay:
      return help(Request::kCheckColumn,
                  {.id = MessageId::kOutOfReach, .arguments = {text_of(column), what}});
    case HandTrouble::kFault:
      ++m_.counts.faults;
      if (++m_.faults < rules_.tries) return then(Action::kPrepare);
      m_.faults = 0;
      return help(Request::kCheckArm, {.id = MessageId::kArmStopped, .arguments = {what}});
  }
}

void Step::record(Column column) {
  const int ply = static_cast<int>(m_.game()->game.moves().size());
  // Judged legal before: by the reading, or because the column can be played.
  static_cast<void>(m_.session->play({.side = *m_.game()->turn(), .column = column, .ply = ply}));
  effects_.emplace_back(RecordMove{.ply = ply, .column = column});
  ++m_.counts.moves;
  m_.attempt.reset();
  m_.misses = m_.faults = m_.helps = 0;
  m_.felt.explain(column);
  m_.phantom.reset();
  m_.turn_began_s = now_s_;
  turn();
}

// --- Senses ---

ReadingVerdict Step::judge(const Looked& event) {
  if (!event.reading) return judge_felt();
  const auto& reading = *event.reading;
  if (!reading) {
    return {.kind = Seen::kUnclear,
            .what = {.id = MessageId::kCameraGone, .arguments = {reading.error().message}}};
  }
  if (!m_.place_reading && reading->sight == cell::Sight::kGood) m_.place_reading = *reading;
  return judge_reading(m_.game()->game.position(), *reading, first_is());
}

/// Without a camera: what switches or people told.
ReadingVerdict Step::judge_felt() {
  if (m_.robots_turn()) {
    if (!m_.attempt) return {};
    // Switches feel the robot's discs too; keys cannot know better than the hand.
    const bool felt = m_.felt.count(*m_.attempt) > 0;  // a visitor may have answered already
    if (felt || !rules_.switches) {
      return {.kind = Seen::kMove, .column = m_.attempt};
    }
  }
  const auto column = m_.felt.first();
  if (!column) return {};
  if (m_.game()->game.judge(*column) == Verdict::kFine) {
    return {.kind = Seen::kMove, .column = column};
  }
  m_.felt.explain(*column);
  return {.kind = Seen::kUnclear,
          .what = {.id = MessageId::kColumnFull, .arguments = {text_of(*column)}}};
}

/// A switch that stays silent says nothing; one that felt another column contradicts.
std::optional<Message> Step::contradiction(Column column) const {
  if (m_.robots_turn()) {
    // With an eye, what else was felt is the visitor's, whose turn comes next.
    if (rules_.camera || !rules_.switches || !m_.attempt) return std::nullopt;
    if (column != *m_.attempt) {
      return Message{.id = MessageId::kFeltElsewhere,
                     .arguments = {text_of(*m_.attempt), text_of(column)}};
    }
    if (m_.felt.count(column) > 1) {
      return Message{.id = MessageId::kTwoInColumn, .arguments = {text_of(column)}};
    }
    return std::nullopt;
  }
  const auto other = m_.felt.other_than(column);
  if (!other || (rules_.camera && m_.felt.count(column) > 0)) return std::nullopt;
  return Message{.id = rules_.camera ? MessageId::kSeenAgainstFelt : MessageId::kTwoColumns,
                 .arguments = {text_of(column), text_of(*other)}};
}

}  // namespace rowbot::table
