// How a table gets out of trouble: each state of it has a way back, or ends the game safely.
#include <string>
#include <utility>

#include "robot/table/table_step.h"

namespace rowbot::table {
namespace {

using game::Column;
using Seen = ReadingVerdict::Kind;

}  // namespace

void Step::take(const HandFailed& event) {
  ++m_.counts.faults;
  help(Request::kCheckArm, {.id = MessageId::kArmNotReady, .arguments = {event.why}});
}

/// Until somebody says that it is mended.
void Step::help(Request request, Message message) {
  ++m_.counts.helps;
  if (++m_.helps > rules_.tries) {
    message.then = MessageId::kNotMended;
    return leave(GameEnd::kGivenUp, std::move(message));
  }
  m_.trouble_began_s = now_s_;
  tell(TableState::kNeedsHelp, std::move(message), request);
  then(Action::kWait);
}

void Step::helped() {
  if (m_.request == Request::kCalibrateArm) effects_.emplace_back(HandCalibrated{});
  m_.turn_began_s = now_s_;
  then(Action::kPrepare);
}

/// The board is not where the hand believed it. Afterwards comes another look.
void Step::take(const Realigned& event) {
  if (!event.done) {
    return help(Request::kCheckColumn,
                {.id = MessageId::kBoardMoved, .arguments = {event.done.error().message}});
  }
  m_.place_reading = m_.last_reading;
  turn();
}

/// The question is asked when there were enough tries.
void Step::missed(Request request, MessageId question) {
  ++m_.counts.misses;
  if (++m_.misses < rules_.tries) return turn();
  m_.misses = 0;
  help(request, {.id = question, .arguments = {std::to_string(rules_.tries)}});
}

void Step::foul(const ReadingVerdict& verdict) {
  ++m_.counts.fouls;
  m_.trouble_began_s = now_s_;
  m_.mending = true;
  mend(verdict);
}

void Step::mend(const ReadingVerdict& verdict) {
  if (verdict.kind == Seen::kNothingNew || verdict.kind == Seen::kMove) {
    m_.mending = false;
    m_.felt.clear();  // of discs that may be out again
    m_.turn_began_s = now_s_;
    return turn();
  }
  if (board_is_empty()) return leave(GameEnd::kGivenUp, {.id = MessageId::kBoardEmptied});
  if (impatient()) return leave(GameEnd::kGivenUp, {.id = MessageId::kBoardNotMended});
  tell(TableState::kFoul, verdict.what, Request::kMendBoard);
  then(Action::kWait);
}

void Step::blind(const ReadingVerdict& verdict) {
  constexpr double kSayAfter = 2;
  if (!m_.blind_since_s) m_.blind_since_s = now_s_;
  const double blind_s = now_s_ - *m_.blind_since_s;
  if (blind_s > rules_.patience_s) {
    return leave(GameEnd::kGivenUp, {.id = MessageId::kStillBlind});
  }
  // Without an eye nothing passes by: what was felt has to be said.
  if (!rules_.camera || blind_s > kSayAfter) {
    tell(TableState::kBlind, verdict.what, Request::kFreeView);
  }
  then(Action::kWait);
}

/// Never guesses: somebody must name the column. What an eye can see must be seen as well.
void Step::ask(Message question, std::optional<Column> seen) {
  m_.answered = m_.robots_turn() && m_.attempt && m_.felt.count(*m_.attempt) > 1;
  m_.seen = seen;
  m_.felt.clear();
  m_.trouble_began_s = now_s_;
  tell(TableState::kAsking, std::move(question), Request::kNameColumn);
  then(Action::kWait);
}

void Step::hear_answer() {
  const auto named = m_.felt.first();
  m_.felt.clear();
  if (!named || m_.game()->game.judge(*named) != Verdict::kFine) {
    if (impatient()) leave(GameEnd::kGivenUp, {.id = MessageId::kNobodyNamed});
    return;
  }
  if (rules_.camera && named != m_.seen) return turn();
  record(*named);
  // Of two discs in the robot's column, the other is the visitor's answer.
  if (m_.answered) m_.felt.add(FeltDiscs::Source::kSwitch, *named, now_s_);
}

}  // namespace rowbot::table
