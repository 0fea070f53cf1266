#include "table/robot_table.h"

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
        if (options_.switches && command->column) felt_.push_back(*command->column);
        break;
      case Command::Kind::kTyped:
        if (options_.keys && command->column) felt_.push_back(*command->column);
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
        if (standing_) {
          stopped_again_ = true;
        } else if (!stand_still()) {
          return false;
        }
        break;
      case Command::Kind::kResume:
        resumed_ = true;
        stopped_again_ = false;
        break;
    }
  }
  return true;
}

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
  ++counts_.helps;
  if (++helps_ > options_.tries) {
    return leave(GameEnd::kGivenUp, message + " It could not be mended; the game is given up.");
  }
  enter(TableState::kNeedsHelp, std::move(message), request);
  resumed_ = false;
  const double since = ports_.pace.now_s();
  while (!resumed_) {
    if (!idle()) return false;
    if (ports_.pace.now_s() - since > options_.patience_s) {
      return leave(GameEnd::kGivenUp, "Nobody came to help; the game is given up.");
    }
  }
  resumed_ = false;
  turn_began_s_ = ports_.pace.now_s();
  return prepare_hand();
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
    ++counts_.helps;
    if (++helps_ > options_.tries) {
      return leave(GameEnd::kGivenUp, "The arm could not be mended; the game is given up.");
    }
    enter(TableState::kNeedsHelp,
          fmt::format("The arm does not come to its place: {}. Please check it.",
                      ready.error().message),
          Request::kCheckArm);
    resumed_ = false;
    const double since = ports_.pace.now_s();
    while (!resumed_) {
      if (!idle()) return false;
      if (ports_.pace.now_s() - since > options_.patience_s) {
        return leave(GameEnd::kGivenUp, "The arm was not mended; the game is given up.");
      }
    }
    resumed_ = false;
  }
}

// --- Senses ---

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
  }
  if (felt_.empty()) return {};
  const Column column = felt_.front();
  if (!game().position.can_play(column)) {
    felt_.erase(felt_.begin());
    return {.kind = Seen::kUnclear,
            .what = fmt::format("Column {} is full; please play another one.", column.number())};
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

bool RobotTable::board_is_empty() {
  if (ports_.camera == nullptr) return false;
  return last_reading_ && last_reading_->sight == cell::Sight::kGood &&
         std::all_of(last_reading_->board.begin(), last_reading_->board.end(),
                     [](CellContent c) { return c == CellContent::kEmpty; });
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
  attempt_.reset();
  misses_ = faults_ = helps_ = 0;
  blind_since_s_.reset();
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
  enter(TableState::kWaiting, "Your move.", Request::kPlay);
  const ReadingVerdict verdict = see();
  if (verdict.kind != Seen::kUnclear) blind_since_s_.reset();
  switch (verdict.kind) {
    case Seen::kNothingNew:
      if (ports_.pace.now_s() - turn_began_s_ > options_.leave_s) {
        return leave(GameEnd::kGivenUp, "The visitor has left; the game is given up.");
      }
      return idle();
    case Seen::kMove: {
      // Switches may be a moment later than the eye.
      if (!attend()) return false;
      const Column column = *verdict.column;
      if (ports_.camera != nullptr && !felt_.empty() &&
          std::find(felt_.begin(), felt_.end(), column) == felt_.end()) {
        return settle_disagreement(column, felt_.front());
      }
      return record(column);
    }
    case Seen::kFoul:
      return mend(verdict);
    case Seen::kUnclear:
      return endure_blindness(verdict);
  }
  return true;
}

bool RobotTable::robot_turn() {
  if (attempt_) enter(TableState::kVerifying, "Let me see where it fell.");
  const ReadingVerdict verdict = see();
  if (verdict.kind != Seen::kUnclear) blind_since_s_.reset();
  switch (verdict.kind) {
    case Seen::kNothingNew:
      if (std::exchange(attempt_, std::nullopt)) {
        return after_miss("No new disc is in the board.");
      }
      // The eye gives the same corners, to the bit, until it is sure that the board has moved.
      if (place_reading_ && last_reading_ && place_reading_->corners != last_reading_->corners) {
        return follow_board();
      }
      return make_move();
    case Seen::kMove:
      if (attempt_ && *attempt_ != *verdict.column) ++counts_.strays;
      return record(*verdict.column);
    case Seen::kFoul:
      return mend(verdict);
    case Seen::kUnclear:
      return endure_blindness(verdict);
  }
  return true;
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

bool RobotTable::make_move() {
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
      return after_miss("I lost the disc on the way.");
    case HandTrouble::kAdrift:
      ++counts_.faults;
      return help(Request::kCheckArm,
                  fmt::format("I must be calibrated: {}. Please set my joints on their marks, and "
                              "take the disc out of my fingers.",
                              report.what));
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

bool RobotTable::after_miss(std::string what) {
  ++counts_.misses;
  if (++misses_ < options_.tries) return true;
  misses_ = 0;
  return help(Request::kCheckColumn,
              fmt::format("{} I tried {} times. Is something stuck, or must I be calibrated?", what,
                          options_.tries));
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
  felt_.erase(std::remove(felt_.begin(), felt_.end(), column), felt_.end());
  turn_began_s_ = ports_.pace.now_s();
  return true;
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
  turn_began_s_ = ports_.pace.now_s();
  return true;
}

bool RobotTable::endure_blindness(const ReadingVerdict& verdict) {
  const double now = ports_.pace.now_s();
  if (!blind_since_s_) blind_since_s_ = now;
  constexpr double kSayAfter = 2;
  if (now - *blind_since_s_ > kSayAfter) {
    enter(TableState::kBlind, verdict.what + " Please free my view.", Request::kFreeView);
  }
  if (now - *blind_since_s_ > options_.patience_s) {
    return leave(GameEnd::kGivenUp, "I could not see the board again; the game is given up.");
  }
  return idle();
}

/// Never guesses: somebody must name the column.
bool RobotTable::settle_disagreement(Column seen, Column felt) {
  enter(TableState::kAsking,
        fmt::format("I see a disc in column {}, but the switch of column {} felt one. Which is "
                    "right?",
                    seen.number(), felt.number()),
        Request::kNameColumn);
  felt_.clear();
  const double since = ports_.pace.now_s();
  while (felt_.empty()) {
    if (!idle()) return false;
    if (ports_.pace.now_s() - since > options_.patience_s) {
      return leave(GameEnd::kGivenUp, "Nobody said which column is right; the game is given up.");
    }
  }
  const Column named = felt_.front();
  felt_.clear();
  if (named == seen) return record(named);
  return true;  // look again: what is written must be seen
}

}  // namespace rowbot::table
