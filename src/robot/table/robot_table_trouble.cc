// How a table gets out of trouble: each state of it has a way back, or ends the game safely.
#include <fmt/format.h>
#include <utility>

#include "robot/table/robot_table.h"

namespace rowbot::table {
namespace {

using Seen = ReadingVerdict::Kind;

}  // namespace

/// After an emergency stop nothing moves until somebody says so.
bool RobotTable::stand_still() {
  standing_ = true;
  bool going = true;
  do {
    stopped_again_ = resumed_ = false;
    enter(TableState::kStopped, "Stopped. Resume when everything is safe.", Request::kResume);
    while (going && !resumed_) {
      ports_.pace.wait(options_.poll_s);
      going = attend();
    }
    resumed_ = false;
    going = going && prepare_hand();
  } while (going && stopped_again_);
  standing_ = false;
  turn_began_s_ = ports_.pace.now_s();
  return going;
}

bool RobotTable::help(Request request, std::string message) {
  return wait_for_help(request, std::move(message)) && prepare_hand();
}

/// Until somebody says that it is mended.
bool RobotTable::wait_for_help(Request request, std::string message) {
  ++counts_.helps;
  if (++helps_ > options_.tries) {
    return leave(GameEnd::kGivenUp, message + " It could not be mended; the game is given up.");
  }
  resumed_ = false;
  const double since = ports_.pace.now_s();
  while (!resumed_) {
    enter(TableState::kNeedsHelp, message, request);
    if (!idle()) return false;
    if (ports_.pace.now_s() - since > options_.patience_s) {
      return leave(GameEnd::kGivenUp, "Nobody came to help; the game is given up.");
    }
  }
  resumed_ = false;
  turn_began_s_ = ports_.pace.now_s();
  if (request == Request::kCalibrateArm) ports_.hand.calibrated();
  return true;
}

bool RobotTable::prepare_hand() {
  while (true) {
    moving_ = true;
    const auto ready = interrupted_ ? Result<void>() : ports_.hand.prepare();
    moving_ = false;
    if (interrupted_) {
      if (!attend()) return false;
      if (stopped_again_) return true;  // to stand_still()
      continue;
    }
    if (ready) return true;
    ++counts_.faults;
    if (!wait_for_help(Request::kCheckArm,
                       fmt::format("The arm does not come to its place: {}. Please check it.",
                                   ready.error().message))) {
      return false;
    }
  }
}

/// The board is not where the hand believes it. Afterwards comes another look.
bool RobotTable::follow_board() {
  ++counts_.shifts;
  Result<void> done = Error{"I cannot measure its place"};
  if (ports_.realign) done = ports_.realign(*place_reading_, *last_reading_);
  if (done) {
    place_reading_ = last_reading_;
    return true;
  }
  return help(Request::kCheckColumn,
              fmt::format("The board was moved, and {}. Please put it back on its marks.",
                          done.error().message));
}

/// The question, with the number of tries in its braces, is asked when there were enough of them.
bool RobotTable::after_miss(Request request, std::string_view question) {
  ++counts_.misses;
  if (++misses_ < options_.tries) return true;
  misses_ = 0;
  return help(request, fmt::format(fmt::runtime(question), options_.tries));
}

bool RobotTable::mend(const ReadingVerdict& verdict) {
  ++counts_.fouls;
  ReadingVerdict wrong = verdict;
  const double since = ports_.pace.now_s();
  while (wrong.kind == Seen::kFoul || wrong.kind == Seen::kUnclear) {
    if (board_is_empty()) {
      return leave(GameEnd::kGivenUp, "The board was emptied; the game is given up.");
    }
    enter(TableState::kFoul, wrong.what, Request::kMendBoard);
    if (!idle()) return false;
    if (ports_.pace.now_s() - since > options_.patience_s) {
      return leave(GameEnd::kGivenUp, "The board was not put right; the game is given up.");
    }
    wrong = see();
  }
  felt_.clear();  // of discs that may be out again
  turn_began_s_ = ports_.pace.now_s();
  return true;
}

bool RobotTable::endure_blindness(const ReadingVerdict& verdict) {
  const double now = ports_.pace.now_s();
  if (!blind_since_s_) blind_since_s_ = now;
  constexpr double kSayAfter = 2;
  // Without an eye nothing passes by: what was felt has to be said.
  if (ports_.camera == nullptr || now - *blind_since_s_ > kSayAfter) {
    enter(TableState::kBlind,
          ports_.camera == nullptr ? verdict.what : verdict.what + " Please free my view.",
          Request::kFreeView);
  }
  if (now - *blind_since_s_ > options_.patience_s) {
    return leave(GameEnd::kGivenUp, "I could not see the board again; the game is given up.");
  }
  return idle();
}

}  // namespace rowbot::table
