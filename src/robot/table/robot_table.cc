#include "robot/table/robot_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace rowbot::table {
namespace {

using cell::CellContent;
using cell::HandReport;
using cell::HandTrouble;
using game::Column;
using game::EndReason;
using game::GameResult;
using game::Side;
using Seen = ReadingVerdict::Kind;

constexpr double kFallTime = 3;

bool interrupts(Command::Kind kind) {
  return kind == Command::Kind::kStop || kind == Command::Kind::kRestart ||
         kind == Command::Kind::kQuit;
}

}  // namespace

std::string_view state_text(TableState state) {
  switch (state) {
    case TableState::kPreparing:
      return "preparing";
    case TableState::kClearing:
      return "clearing";
    case TableState::kWaiting:
      return "waiting";
    case TableState::kThinking:
      return "thinking";
    case TableState::kMoving:
      return "moving";
    case TableState::kVerifying:
      return "verifying";
    case TableState::kFoul:
      return "foul";
    case TableState::kBlind:
      return "blind";
    case TableState::kAsking:
      return "asking";
    case TableState::kNeedsHelp:
      return "needs_help";
    case TableState::kStopped:
      return "stopped";
    case TableState::kOver:
      return "over";
  }
  return "over";
}

RobotTable::RobotTable(const Ports& ports, TableOptions options)
    : ports_(ports), options_(std::move(options)) {}

Result<std::unique_ptr<RobotTable>> RobotTable::create(const Ports& ports, TableOptions options) {
  if (ports.camera == nullptr && !options.switches && !options.keys) {
    return Error{"a table needs at least one sense: camera, switches or keys"};
  }
  auto agent = options.make_agent(options.agent);
  if (!agent) return agent.error();
  std::unique_ptr<RobotTable> table(new RobotTable(ports, std::move(options)));
  table->agent_ = *std::move(agent);
  return table;
}

// --- What others may do, from any thread ---

void RobotTable::post(Command command) {
  const bool urgent = interrupts(command.kind);
  const bool stop = command.kind == Command::Kind::kStop;
  {
    const std::scoped_lock lock(mutex_);
    commands_.push_back(std::move(command));
    if (urgent) {
      interrupted_ = true;
      thinking_.request_stop();
    }
  }
  if (stop || (urgent && moving_)) ports_.hand.halt();
}

std::shared_ptr<const TableSnapshot> RobotTable::snapshot() const {
  const std::scoped_lock lock(mutex_);
  return now_;
}

// --- Small helpers of the thread that plays ---

void RobotTable::enter(TableState state, std::string message, Request request) {
  const auto before = snapshot();
  const auto record = session_ ? session_->snapshot() : nullptr;
  if (before->state == state && before->message == message && before->record == record) return;
  TableSnapshot next{.state = state,
                     .message = std::move(message),
                     .request = request,
                     .game = number_,
                     .human = options_.human,
                     .agent = options_.agent,
                     .target = target_,
                     .record = record};
  if (auto written = ports_.journal.state(state_text(state), next.message, ports_.pace.now_s());
      !written) {
    broken(written.error());
  }
  auto shared = std::make_shared<const TableSnapshot>(std::move(next));
  {
    const std::scoped_lock lock(mutex_);
    now_ = shared;
  }
  if (watcher_) watcher_(*shared);
}

std::optional<Command> RobotTable::take_command() {
  const std::scoped_lock lock(mutex_);
  if (commands_.empty()) return std::nullopt;
  Command command = std::move(commands_.front());
  commands_.pop_front();
  interrupted_ = std::any_of(commands_.begin(), commands_.end(),
                             [](const Command& c) { return interrupts(c.kind); });
  return command;
}

bool RobotTable::robots_turn() const { return game().turn() != options_.human; }

CellContent RobotTable::first_is() const {
  const bool humans = options_.human == Side::kFirst;
  const CellContent robots =
      options_.human_discs == CellContent::kFirst ? CellContent::kSecond : CellContent::kFirst;
  return humans ? options_.human_discs : robots;
}

bool RobotTable::leave(GameEnd how, std::string why) {
  end_ = how;
  enter(TableState::kOver, std::move(why));
  return false;
}

bool RobotTable::broken(const Error& error) {
  if (!error_) error_ = error;
  return false;
}

bool RobotTable::idle() {
  ports_.pace.wait(options_.poll_s);
  return attend();
}

/// Carries out what was asked for since the last time.
bool RobotTable::attend() {
  if (error_) return false;
  while (auto command = take_command()) {
    switch (command->kind) {
      case Command::Kind::kDropSeen:
      case Command::Kind::kTyped:
        hear(*command);
        break;
      case Command::Kind::kAgent: {
        auto agent = options_.make_agent(command->text);
        if (!agent) break;  // whoever posted it was told when it was parsed there
        agent_ = *std::move(agent);
        agent_->start_game(options_.seed + number_);
        options_.agent = command->text;
        break;
      }
      case Command::Kind::kRestart:
        return leave(GameEnd::kRestarted, "A new game was asked for.");
      case Command::Kind::kQuit:
        return leave(GameEnd::kQuit, "The table is closed.");
      case Command::Kind::kStop:
        resumed_ = false;
        stopped_ = true;
        if (standing_) {
          stopped_again_ = true;
        } else if (!stand_still()) {
          return false;
        }
        break;
      case Command::Kind::kResume:
        resumed_ = true;
        stopped_ = stopped_again_ = false;
        break;
    }
  }
  return true;
}

// --- The game ---

Result<GameEnd> RobotTable::play_game() {
  end_ = GameEnd::kFinished;
  error_.reset();
  const bool begun = begin();
  while (begun && !error_ && !game().over()) {
    if (!attend()) break;
    if (!(robots_turn() ? robot_turn() : human_turn())) break;
  }
  if (begun) {
    const Snapshot& last = game();
    const auto written = ports_.journal.end_game(
        number_, last.result, last.over() ? last.reason : EndReason::kInterrupted,
        ports_.pace.now_s());
    if (!written) broken(written.error());
    if (auto kept = agent_->end_game(last.position); !kept) broken(kept.error());
  }
  if (error_) return *error_;
  if (begun && game().over()) {
    end_ = GameEnd::kFinished;
    const bool draw = game().result == GameResult::kDraw;
    enter(TableState::kOver, draw                                            ? "A draw."
                             : game().result == game::win_of(options_.human) ? "You win!"
                                                                             : "I win.");
  }
  return end_;
}

bool RobotTable::begin() {
  felt_.clear();
  phantom_.reset();
  attempt_.reset();
  misses_ = faults_ = helps_ = 0;
  blind_since_s_.reset();
  if (stopped_ && !stand_still()) return false;
  enter(TableState::kPreparing, "One moment, please.");
  if (!prepare_hand() || !attend()) return false;
  if (number_ == 0 && !ports_.journal.games().empty()) {
    const LoggedGame& last = ports_.journal.games().back();
    number_ = last.number;
    if (last.record.reason == EndReason::kOngoing) return resume_or_begin();
  }
  if (!clear_board()) return false;

  const bool human_first = options_.human == Side::kFirst;
  const Seat robot{.agent = options_.agent};
  session_.emplace(Setup{.first = human_first ? Seat{} : robot,
                         .second = human_first ? robot : Seat{},
                         .start = {}},
                   std::make_unique<EchoBoard>());
  ++number_;
  LoggedGame game{.number = number_, .robot = options_.robot, .record = {}};
  game.record.first.name = human_first ? "human" : options_.agent;
  game.record.second.name = human_first ? options_.agent : "human";
  if (auto written = ports_.journal.begin_game(game, ports_.pace.now_s()); !written) {
    return broken(written.error());
  }
  agent_->start_game(options_.seed + number_);
  turn_began_s_ = ports_.pace.now_s();
  return true;
}

/// The power came back in the middle of a game: its record goes on where it ended, and the first
/// look tells what happened to the board meanwhile.
bool RobotTable::resume_or_begin() {
  const LoggedGame& last = ports_.journal.games().back();
  options_.human = last.record.first.name == "human" ? Side::kFirst : Side::kSecond;
  game::GameRecord record = last.record;
  game::settle_by_rules(record);
  auto session = Session::resume(
      Setup{.first = {.agent = options_.human == Side::kFirst ? std::nullopt
                                                              : std::optional(options_.agent)},
            .second = {.agent = options_.human == Side::kFirst ? std::optional(options_.agent)
                                                               : std::nullopt},
            .start = {}},
      std::make_unique<EchoBoard>(), record.moves, record.result, record.reason, false);
  if (!session) return broken(session.error());
  session_ = *std::move(session);
  agent_->start_game(options_.seed + number_);
  turn_began_s_ = ports_.pace.now_s();
  return true;
}

bool RobotTable::clear_board() {
  if (ports_.camera == nullptr) return true;
  session_.reset();
  const double since = ports_.pace.now_s();
  while (true) {
    const auto reading = ports_.camera->look();
    if (reading) last_reading_ = *reading;
    if (reading && board_is_empty()) {
      if (!place_reading_) place_reading_ = last_reading_;
      return true;
    }
    if (!reading || reading->sight != cell::Sight::kGood) {
      enter(TableState::kBlind, "I do not see the whole board. Please free my view.",
            Request::kFreeView);
    } else {
      enter(TableState::kClearing, "Please take all discs out of the board.", Request::kClearBoard);
    }
    if (!idle()) return false;
    if (ports_.pace.now_s() - since > options_.patience_s) {
      return leave(GameEnd::kGivenUp, "The board was not emptied; no game was begun.");
    }
  }
}

bool RobotTable::human_turn() {
  if (phantom_) {
    enter(TableState::kAsking,
          fmt::format("The switch of column {} felt a disc, but I see none there. If you have "
                      "played, help the disc down; if not, just play.",
                      phantom_->number()),
          Request::kPlay);
  } else if (!blind_since_s_) {
    enter(TableState::kWaiting, "Your move.", Request::kPlay);
  }
  const ReadingVerdict verdict = see();
  if (verdict.kind != Seen::kUnclear) blind_since_s_.reset();
  switch (verdict.kind) {
    case Seen::kNothingNew:
      if (ports_.pace.now_s() - turn_began_s_ > options_.leave_s) {
        return leave(GameEnd::kGivenUp, "The visitor has left; the game is given up.");
      }
      // A disc takes a moment from the switch to its place.
      if (const auto felt = felt_.overdue(ports_.pace.now_s(), kFallTime)) {
        phantom_ = felt;
        felt_.clear();
      }
      return idle();
    case Seen::kMove: {
      // Switches may be a moment later than the eye.
      if (!attend()) return false;
      if (auto question = contradiction(verdict)) {
        return ask_for_column(*std::move(question), verdict.column);
      }
      return record(*verdict.column);
    }
    case Seen::kFoul:
      return mend(verdict);
    case Seen::kUnclear:
      return endure_blindness(verdict);
  }
  return true;
}

bool RobotTable::robot_turn() {
  if (attempt_ && !options_.people_move_for && !blind_since_s_) {
    enter(TableState::kVerifying, "Let me see where it fell.");
  }
  const ReadingVerdict verdict = see();
  if (verdict.kind != Seen::kUnclear) blind_since_s_.reset();
  switch (verdict.kind) {
    case Seen::kNothingNew:
      if (attempt_ && options_.people_move_for) return wait_for_disc();
      if (std::exchange(attempt_, std::nullopt)) {
        return after_miss(
            Request::kCheckColumn,
            "I dropped a disc {} times, and none is in the board. Is something stuck, "
            "or must I be calibrated?");
      }
      // The eye gives the same corners, to the bit, until it is sure that the board has moved.
      if (place_reading_ && last_reading_ && place_reading_->corners != last_reading_->corners) {
        return follow_board();
      }
      return make_move();
    case Seen::kMove:
      if (auto question = contradiction(verdict)) {
        return ask_for_column(*std::move(question), std::nullopt);
      }
      if (attempt_ && *attempt_ != *verdict.column) ++counts_.strays;
      return record(*verdict.column);
    case Seen::kFoul:
      return mend(verdict);
    case Seen::kUnclear:
      return endure_blindness(verdict);
  }
  return true;
}

void RobotTable::ask_for_disc() {
  enter(TableState::kMoving,
        fmt::format("I play column {}. Please put my disc there.", attempt_->number()),
        Request::kPlaceDisc);
}

/// Without an arm somebody else is as quick as he likes.
bool RobotTable::wait_for_disc() {
  ask_for_disc();
  if (ports_.pace.now_s() - turn_began_s_ > options_.leave_s) {
    return leave(GameEnd::kGivenUp, "Nobody moved for me; the game is given up.");
  }
  return idle();
}

bool RobotTable::make_move() {
  if (const std::string why = ports_.hand.calibration_due(); !why.empty()) {
    return help(Request::kCalibrateArm, fmt::format("Before I move on: {}.", why));
  }
  enter(TableState::kThinking, "I am thinking.");
  std::stop_token stop;
  {
    const std::scoped_lock lock(mutex_);
    thinking_ = std::stop_source();
    stop = thinking_.get_token();
  }
  if (interrupted_) return attend();
  const auto decision = agent_->choose(game().position, agent_->budget(), stop);
  if (!attend()) return false;
  if (!decision) return broken(decision.error());
  if (stop.stop_requested()) return true;  // stopped and resumed: think again

  if (options_.people_move_for) {
    attempt_ = decision->column;
    ask_for_disc();
    return true;
  }
  target_ = decision->column;
  enter(TableState::kMoving,
        fmt::format("I play column {}. Please keep your hands away.", decision->column.number()));
  moving_ = true;
  const HandReport report = interrupted_ ? HandReport{} : ports_.hand.drop(decision->column);
  moving_ = false;
  target_.reset();
  // Whatever became of it, the next look tells whether a disc fell.
  if (interrupted_) return attend() && prepare_hand();
  switch (report.trouble) {
    case HandTrouble::kNone:
      attempt_ = decision->column;
      return true;
    case HandTrouble::kNoPiece:
      return help(Request::kRefillMagazine, "My magazine is empty. Please put discs in.");
    case HandTrouble::kLostPiece:
      return after_miss(Request::kRefillMagazine,
                        "I came to the board with empty fingers {} times. Is my magazine empty, or "
                        "is a disc stuck in it?");
    case HandTrouble::kAdrift:
      ++counts_.faults;
      return help(Request::kCalibrateArm,
                  fmt::format("I must be calibrated: {}. Please set my joints on their marks, and "
                              "take the disc out of my fingers.",
                              report.what));
    case HandTrouble::kNoWay:
      return help(Request::kCheckColumn,
                  fmt::format("I cannot reach column {} where the board stands. Please put the "
                              "board on its marks. ({})",
                              decision->column.number(), report.what));
    case HandTrouble::kFault:
      ++counts_.faults;
      if (++faults_ >= options_.tries) {
        faults_ = 0;
        return help(Request::kCheckArm,
                    fmt::format("My arm stopped: {}. Please check it.", report.what));
      }
      return prepare_hand();
  }
  return true;
}

bool RobotTable::record(Column column) {
  const int ply = static_cast<int>(game().moves.size());
  const Side side = game().position.to_move();
  if (session_->play({.side = side, .column = column, .ply = ply}).verdict != Verdict::kFine) {
    return broken(
        Error{fmt::format("the referee refuses column {} that was seen", column.number())});
  }
  if (auto written = ports_.journal.move(number_, ply, column, ports_.pace.now_s()); !written) {
    return broken(written.error());
  }
  ++counts_.moves;
  attempt_.reset();
  misses_ = faults_ = helps_ = 0;
  felt_.explain(column);
  phantom_.reset();
  turn_began_s_ = ports_.pace.now_s();
  return true;
}

}  // namespace rowbot::table
