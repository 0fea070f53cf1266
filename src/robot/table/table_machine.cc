#include "robot/table/table_machine.h"

#include <algorithm>
#include <array>

#include "fmt/core.h"
#include "robot/table/table_step.h"

namespace rowbot::table {
namespace {

using cell::CellContent;
using game::Side;

/// Whether an event is the outcome of this action. Commands and beginnings come at any time.
bool belongs(const Event& event, Action action) {
  const auto is = [&event]<class What>(std::type_identity<What>) {
    return std::holds_alternative<What>(event.what);
  };
  if (is(std::type_identity<Command>()) || is(std::type_identity<Begin>())) return true;
  switch (action) {
    case Action::kNone:
      return false;
    case Action::kPrepare:
      return is(std::type_identity<HandReady>()) || is(std::type_identity<HandFailed>());
    case Action::kLook:
      return is(std::type_identity<Looked>());
    case Action::kThink:
      return is(std::type_identity<Decided>());
    case Action::kDrop:
      return is(std::type_identity<Dropped>());
    case Action::kRealign:
      return is(std::type_identity<Realigned>());
    case Action::kWait:
      return is(std::type_identity<TimePassed>());
  }
  return false;
}

constexpr std::array kWays{
    Way{TableState::kOver, TableState::kPreparing, "a game is wanted"},
    Way{TableState::kPreparing, TableState::kNeedsHelp, "the arm does not come up"},
    Way{TableState::kPreparing, TableState::kClearing, "the arm is ready, the board is not empty"},
    Way{TableState::kPreparing, TableState::kBlind, "the arm is ready, the board is not seen"},
    Way{TableState::kPreparing, TableState::kWaiting, "the human begins"},
    Way{TableState::kPreparing, TableState::kThinking, "the robot begins"},
    Way{TableState::kPreparing, TableState::kFoul, "a resumed game, the board has changed"},
    Way{TableState::kPreparing, TableState::kOver, "a resumed game was finished"},
    Way{TableState::kClearing, TableState::kBlind, "the board is not seen"},
    Way{TableState::kClearing, TableState::kWaiting, "empty, the human begins"},
    Way{TableState::kClearing, TableState::kThinking, "empty, the robot begins"},
    Way{TableState::kClearing, TableState::kFoul, "empty, then no legal move"},
    Way{TableState::kClearing, TableState::kNeedsHelp, "empty, the robot cannot begin"},
    Way{TableState::kClearing, TableState::kOver, "nobody empties it"},
    Way{TableState::kWaiting, TableState::kThinking, "a disc is seen"},
    Way{TableState::kWaiting, TableState::kOver, "a disc ends the game; the visitor left"},
    Way{TableState::kWaiting, TableState::kFoul, "no legal move"},
    Way{TableState::kWaiting, TableState::kBlind, "the board is not seen"},
    Way{TableState::kWaiting, TableState::kAsking, "two senses disagree"},
    Way{TableState::kWaiting, TableState::kNeedsHelp, "before the robot's move"},
    Way{TableState::kThinking, TableState::kMoving, "a column is chosen"},
    Way{TableState::kThinking, TableState::kOver, "nobody moves for the robot"},
    Way{TableState::kMoving, TableState::kVerifying, "the disc was let go"},
    Way{TableState::kMoving, TableState::kThinking, "no disc was let go: once more"},
    Way{TableState::kMoving, TableState::kNeedsHelp, "the arm cannot"},
    Way{TableState::kMoving, TableState::kWaiting, "the disc is seen"},
    Way{TableState::kMoving, TableState::kFoul, "no legal move"},
    Way{TableState::kMoving, TableState::kBlind, "the board is not seen"},
    Way{TableState::kMoving, TableState::kAsking, "two senses disagree"},
    Way{TableState::kMoving, TableState::kOver, "the disc ends the game; nobody moved it"},
    Way{TableState::kVerifying, TableState::kWaiting, "the disc is seen"},
    Way{TableState::kVerifying, TableState::kThinking, "the disc is not there: once more"},
    Way{TableState::kVerifying, TableState::kNeedsHelp, "not there for the last time"},
    Way{TableState::kVerifying, TableState::kFoul, "no legal move"},
    Way{TableState::kVerifying, TableState::kBlind, "the board is not seen"},
    Way{TableState::kVerifying, TableState::kAsking, "two senses disagree"},
    Way{TableState::kVerifying, TableState::kOver, "the disc ends the game"},
    Way{TableState::kFoul, TableState::kWaiting, "mended, the human's turn"},
    Way{TableState::kFoul, TableState::kVerifying, "mended, the robot's disc is missing"},
    Way{TableState::kFoul, TableState::kMoving, "mended, people move for the robot"},
    Way{TableState::kFoul, TableState::kThinking, "mended, the robot's turn"},
    Way{TableState::kFoul, TableState::kBlind, "mended, then not seen"},
    Way{TableState::kFoul, TableState::kNeedsHelp, "mended, but the arm cannot"},
    Way{TableState::kFoul, TableState::kAsking, "mended, two senses disagree"},
    Way{TableState::kFoul, TableState::kOver, "emptied; nobody mends it; the last disc"},
    Way{TableState::kBlind, TableState::kClearing, "seen, not empty"},
    Way{TableState::kBlind, TableState::kWaiting, "seen, the human's turn"},
    Way{TableState::kBlind, TableState::kMoving, "seen, people move for the robot"},
    Way{TableState::kBlind, TableState::kThinking, "seen, the robot's turn"},
    Way{TableState::kBlind, TableState::kNeedsHelp, "seen, but the arm cannot"},
    Way{TableState::kBlind, TableState::kFoul, "seen, no legal move"},
    Way{TableState::kBlind, TableState::kAsking, "seen, two senses disagree"},
    Way{TableState::kBlind, TableState::kOver, "not seen for too long; the last disc"},
    Way{TableState::kAsking, TableState::kWaiting, "answered, the human's turn"},
    Way{TableState::kAsking, TableState::kThinking, "answered, or a disc is seen"},
    Way{TableState::kAsking, TableState::kNeedsHelp, "answered, but the arm cannot"},
    Way{TableState::kAsking, TableState::kFoul, "no legal move"},
    Way{TableState::kAsking, TableState::kBlind, "the board is not seen"},
    Way{TableState::kAsking, TableState::kOver, "nobody answers; the last disc"},
    Way{TableState::kNeedsHelp, TableState::kClearing, "resume, before the first disc"},
    Way{TableState::kNeedsHelp, TableState::kWaiting, "resume, the human's turn"},
    Way{TableState::kNeedsHelp, TableState::kThinking, "resume, the robot's turn"},
    Way{TableState::kNeedsHelp, TableState::kVerifying, "resume, the robot's disc is missing"},
    Way{TableState::kNeedsHelp, TableState::kMoving, "resume, people move for the robot"},
    Way{TableState::kNeedsHelp, TableState::kFoul, "resume, no legal move"},
    Way{TableState::kNeedsHelp, TableState::kBlind, "resume, the board is not seen"},
    Way{TableState::kNeedsHelp, TableState::kAsking, "resume, two senses disagree"},
    Way{TableState::kNeedsHelp, TableState::kOver, "nobody helps, or help does not help"},
    Way{TableState::kStopped, TableState::kClearing, "resume, before the first disc"},
    Way{TableState::kStopped, TableState::kWaiting, "resume, the human's turn"},
    Way{TableState::kStopped, TableState::kThinking, "resume, the robot's turn"},
    Way{TableState::kStopped, TableState::kVerifying, "resume, the robot's disc is missing"},
    Way{TableState::kStopped, TableState::kMoving, "resume, people move for the robot"},
    Way{TableState::kStopped, TableState::kNeedsHelp, "resume, but the arm cannot"},
    Way{TableState::kStopped, TableState::kFoul, "resume, no legal move"},
    Way{TableState::kStopped, TableState::kBlind, "resume, the board is not seen"},
    Way{TableState::kStopped, TableState::kAsking, "resume, two senses disagree"},
    Way{TableState::kStopped, TableState::kOver, "resume, the last disc is seen"},
};

}  // namespace

std::string_view state_text(TableState state) {
  constexpr std::array<std::string_view, kTableStates> kTexts{
      "preparing", "clearing", "waiting", "thinking",   "moving",  "verifying",
      "foul",      "blind",    "asking",  "needs_help", "stopped", "over"};
  return kTexts[static_cast<std::size_t>(state)];
}

std::span<const Way> table_ways() { return kWays; }

std::string ways_diagram() {
  std::string text = "stateDiagram-v2\n  [*] --> preparing\n";
  for (const Way& way : kWays) {
    text += fmt::format("  {} --> {}: {}\n", state_text(way.from), state_text(way.to), way.when);
  }
  return text;
}

Transition step(const TableMemory& now, const Event& event, const TableRules& rules) {
  if (!belongs(event, now.action)) return {.next = now, .effects = {}};
  Step next(now, event.now_s, rules);
  std::visit([&next](const auto& what) { next.take(what); }, event.what);
  return std::move(next).finish();
}

void Step::tell(TableState state, Message message, Request request) {
  m_.state = state;
  m_.request = request;
  effects_.emplace_back(Tell{.state = state, .message = std::move(message), .request = request});
}

CellContent Step::first_is() const {
  const CellContent robots =
      rules_.human_discs == CellContent::kFirst ? CellContent::kSecond : CellContent::kFirst;
  return m_.human == Side::kFirst ? rules_.human_discs : robots;
}

// --- Commands ---

void Step::take(const Command& event) {
  if (event.kind == Command::Kind::kAgent) m_.agent = event.text;
  if (m_.end) {  // between two games only a stop and its resume count
    if (event.kind == Command::Kind::kStop) m_.stopped = true;
    if (event.kind == Command::Kind::kResume) m_.stopped = false;
    return;
  }
  switch (event.kind) {
    case Command::Kind::kDropSeen:
    case Command::Kind::kTyped:
      return hear(event);
    case Command::Kind::kAgent:
      return;
    case Command::Kind::kRestart:
      return leave(GameEnd::kRestarted, {.id = MessageId::kRestarted});
    case Command::Kind::kQuit:
      return leave(GameEnd::kQuit, {.id = MessageId::kClosed});
    case Command::Kind::kStop:
      m_.stopped = true;
      m_.mending = false;
      m_.target.reset();
      tell(TableState::kStopped, {.id = MessageId::kStopped}, Request::kResume);
      return then(Action::kWait);
    case Command::Kind::kResume:
      m_.stopped = false;
      // While the arm prepares itself there is nothing to resume.
      if (m_.action != Action::kWait) return;
      if (m_.state == TableState::kStopped || m_.state == TableState::kNeedsHelp) helped();
      return;
  }
}

/// What is typed before it is the human's turn, or before anybody asked, means something else.
void Step::hear(const Command& command) {
  if (!command.column) return;
  if (command.kind == Command::Kind::kDropSeen && rules_.switches) {
    m_.felt.add(FeltDiscs::Source::kSwitch, *command.column, now_s_);
  }
  const bool asked = m_.request == Request::kPlay || m_.request == Request::kNameColumn;
  if (command.kind == Command::Kind::kTyped && rules_.keys && asked) {
    m_.felt.add(FeltDiscs::Source::kPerson, *command.column, now_s_);
  }
}

// --- The beginning and the end of a game ---

void Step::take(const Begin& event) {
  m_.end.reset();
  m_.unfinished = event.unfinished;
  m_.session.reset();
  m_.felt.clear();
  m_.phantom.reset();
  m_.attempt.reset();
  m_.target.reset();
  m_.misses = m_.faults = m_.helps = 0;
  m_.blind_since_s.reset();
  m_.mending = false;
  if (m_.stopped) {
    tell(TableState::kStopped, {.id = MessageId::kStopped}, Request::kResume);
    return then(Action::kWait);
  }
  tell(TableState::kPreparing, {.id = MessageId::kPreparing});
  then(Action::kPrepare);
}

void Step::take(const HandReady& event) {
  m_.calibration_due = event.calibration_due;
  if (playing()) return turn();
  if (m_.unfinished) return resume_game();
  m_.trouble_began_s = now_s_;
  if (!rules_.camera) return begin_game();
  then(Action::kLook);
}

/// The power came back in the middle of a game: its record goes on where it ended, and the first
/// look tells what happened to the board meanwhile.
void Step::resume_game() {
  game::GameRecord record = *std::exchange(m_.unfinished, std::nullopt);
  m_.human = record.first.name == "human" ? Side::kFirst : Side::kSecond;
  game::settle_by_rules(record);
  auto session = Session::resume(setup(), record);
  // The journal holds only games that were checked when it was read.
  if (!session) return begin_game();
  m_.session = *std::move(session);
  effects_.emplace_back(ResumeGame{});
  m_.turn_began_s = now_s_;
  turn();
}

Setup Step::setup() const {
  Setup setup;
  (m_.human == Side::kFirst ? setup.second : setup.first).agent = m_.agent;
  return setup;
}

void Step::look_for_empty_board(const Looked& event) {
  const bool good = m_.last_reading && event.reading && event.reading->has_value() &&
                    (*event.reading)->sight == cell::Sight::kGood;
  if (good && board_is_empty()) {
    if (!m_.place_reading) m_.place_reading = m_.last_reading;
    return begin_game();
  }
  if (good) {
    tell(TableState::kClearing, {.id = MessageId::kClearBoard}, Request::kClearBoard);
  } else {
    tell(TableState::kBlind, {.id = MessageId::kFreeView}, Request::kFreeView);
  }
  if (impatient()) return leave(GameEnd::kGivenUp, {.id = MessageId::kBoardNotEmptied});
  then(Action::kWait);
}

void Step::begin_game() {
  m_.session.emplace(setup());
  ++m_.number;
  effects_.emplace_back(BeginGame{});
  m_.turn_began_s = now_s_;
  turn();
}

void Step::leave(GameEnd how, Message why) {
  m_.end = how;
  m_.target.reset();
  tell(TableState::kOver, std::move(why));
  if (playing()) effects_.emplace_back(EndGame{});
  then(Action::kNone);
}

void Step::finish_by_rules() {
  m_.end = GameEnd::kFinished;
  effects_.emplace_back(EndGame{});
  const bool draw = m_.game()->game.result() == game::GameResult::kDraw;
  const bool human_won = m_.game()->game.result() == game::win_of(m_.human);
  tell(TableState::kOver, {.id = draw        ? MessageId::kDraw
                                 : human_won ? MessageId::kVisitorWins
                                             : MessageId::kRobotWins});
  then(Action::kNone);
}

bool Step::board_is_empty() const {
  return m_.last_reading && m_.last_reading->sight == cell::Sight::kGood &&
         std::all_of(m_.last_reading->board.begin(), m_.last_reading->board.end(),
                     [](CellContent c) { return c == CellContent::kEmpty; });
}

}  // namespace rowbot::table
