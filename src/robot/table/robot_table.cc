#include "robot/table/robot_table.h"

#include <algorithm>
#include <utility>

namespace rowbot::table {
namespace {

using game::EndReason;
using game::Side;

bool interrupts(Command::Kind kind) {
  return kind == Command::Kind::kStop || kind == Command::Kind::kRestart ||
         kind == Command::Kind::kQuit;
}

/// What people were asked for is no longer wanted, before the table has noticed itself.
std::shared_ptr<const TableSnapshot> asking_nothing(TableSnapshot now) {
  now.request = Request::kNothing;
  return std::make_shared<const TableSnapshot>(std::move(now));
}

}  // namespace

RobotTable::RobotTable(const Ports& ports, TableOptions options)
    : ports_(ports),
      options_(std::move(options)),
      rules_{.human_discs = options_.human_discs,
             .camera = ports.camera != nullptr,
             .switches = options_.switches,
             .keys = options_.keys,
             .people_move_for = options_.people_move_for,
             .realigns = ports.realign != nullptr,
             .patience_s = options_.patience_s,
             .leave_s = options_.leave_s,
             .tries = options_.tries} {
  memory_.human = options_.human;
  memory_.agent = options_.agent;
}

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

// --- From any thread ---

void RobotTable::post(Command command) {
  const bool urgent = interrupts(command.kind);
  const bool stop = command.kind == Command::Kind::kStop;
  {
    const std::scoped_lock lock(mutex_);
    commands_.push_back(std::move(command));
    if (urgent) {
      interrupted_ = true;
      thinking_.request_stop();
      now_ = asking_nothing(*now_);
    }
  }
  if (stop || (urgent && moving_)) ports_.hand.halt();
}

std::shared_ptr<const TableSnapshot> RobotTable::snapshot() const {
  const std::scoped_lock lock(mutex_);
  return now_;
}

// --- The loop, of the thread that plays ---

Result<GameEnd> RobotTable::play_game() {
  error_.reset();
  Begin begin;
  if (memory_.number == 0 && !ports_.journal.games().empty()) {
    const LoggedGame& last = ports_.journal.games().back();
    memory_.number = last.number;
    if (last.record.reason == EndReason::kOngoing) begin.unfinished = last.record;
  }
  deliver(std::move(begin));
  deliver_commands();
  while (!error_ && !memory_.end) {
    auto outcome = carry_out(memory_.action);
    if (!deliver_commands() && !error_) deliver(std::move(outcome));
  }
  if (error_) return *error_;
  return *memory_.end;
}

void RobotTable::deliver(decltype(Event::what) what) {
  Transition transition =
      step(memory_, {.now_s = ports_.pace.now_s(), .what = std::move(what)}, rules_);
  memory_ = std::move(transition.next);
  for (const Effect& effect : transition.effects) {
    std::visit([this](const auto& one) { apply(one); }, effect);
  }
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

bool RobotTable::deliver_commands() {
  bool interrupted = false;
  while (!memory_.end && !error_) {
    auto command = take_command();
    if (!command) break;
    interrupted = interrupted || interrupts(command->kind);
    if (command->kind == Command::Kind::kAgent) {
      auto agent = options_.make_agent(command->text);
      if (!agent) continue;  // the sender was told when it was parsed there
      agent_ = *std::move(agent);
      agent_->start_game(options_.seed + memory_.number);
    }
    deliver(*std::move(command));
  }
  return interrupted;
}

template <class Motion>
auto RobotTable::move_hand(Motion motion) -> decltype(motion()) {
  moving_ = true;
  auto report = interrupted_ ? decltype(motion()){} : motion();
  moving_ = false;
  return report;
}

decltype(Event::what) RobotTable::carry_out(Action action) {
  switch (action) {
    case Action::kPrepare:
      if (const auto ready = move_hand([this] { return ports_.hand.prepare(); }); !ready) {
        return HandFailed{ready.error().message};
      }
      return HandReady{ports_.hand.calibration_due()};
    case Action::kLook:
      if (ports_.camera == nullptr) return Looked{};
      return Looked{ports_.camera->look()};
    case Action::kThink:
      return think();
    case Action::kDrop: {
      auto report = move_hand([this] { return ports_.hand.drop(*memory_.target); });
      return Dropped{.report = std::move(report), .calibration_due = ports_.hand.calibration_due()};
    }
    case Action::kRealign:
      return Realigned{ports_.realign(*memory_.place_reading, *memory_.last_reading)};
    case Action::kNone:
    case Action::kWait:
      break;
  }
  ports_.pace.wait(options_.poll_s);
  return TimePassed{};
}

decltype(Event::what) RobotTable::think() {
  StopToken stop;
  {
    const std::scoped_lock lock(mutex_);
    thinking_.reset();
    stop = thinking_.get_token();
  }
  if (interrupted_) return TimePassed{};
  const auto decision = agent_->choose(memory_.game()->game.position(), agent_->budget(), stop);
  if (decision) return Decided{decision->column};
  if (!stop.stop_requested()) fail_unless(decision.error());
  return TimePassed{};
}

// --- Effects ---

void RobotTable::fail_unless(const Result<void>& done) {
  if (!done && !error_) error_ = done.error();
}

void RobotTable::apply(const Tell& effect) {
  const auto before = snapshot();
  if (before->state == effect.state && before->said == effect.message &&
      before->request == effect.request && before->record == memory_.game() &&
      before->game == memory_.number) {
    return;
  }
  auto next =
      std::make_shared<const TableSnapshot>(TableSnapshot{.state = effect.state,
                                                          .message = sentence(effect.message),
                                                          .request = effect.request,
                                                          .game = memory_.number,
                                                          .human = memory_.human,
                                                          .agent = memory_.agent,
                                                          .target = memory_.target,
                                                          .record = memory_.game(),
                                                          .said = effect.message});
  fail_unless(ports_.journal.state(state_text(next->state), next->message, ports_.pace.now_s()));
  {
    const std::scoped_lock lock(mutex_);
    now_ = interrupted_ ? asking_nothing(*next) : next;
  }
  if (watcher_) watcher_(*next);
}

void RobotTable::apply(const BeginGame& /*effect*/) {
  const bool human_first = memory_.human == Side::kFirst;
  LoggedGame game{.number = memory_.number, .robot = options_.robot, .record = {}};
  game.record.first.name = human_first ? "human" : memory_.agent;
  game.record.second.name = human_first ? memory_.agent : "human";
  fail_unless(ports_.journal.begin_game(game, ports_.pace.now_s()));
  agent_->start_game(options_.seed + memory_.number);
}

void RobotTable::apply(const ResumeGame& /*effect*/) {
  agent_->start_game(options_.seed + memory_.number);
}

void RobotTable::apply(const RecordMove& effect) {
  fail_unless(ports_.journal.move(memory_.number, effect.ply, effect.column, ports_.pace.now_s()));
}

void RobotTable::apply(const EndGame& /*effect*/) {
  game::Game last = memory_.game()->game;
  last.interrupt();  // unless it is over
  fail_unless(
      ports_.journal.end_game(memory_.number, last.result(), last.reason(), ports_.pace.now_s()));
  fail_unless(agent_->end_game(last.position()));
}

void RobotTable::apply(const HandCalibrated& /*effect*/) { ports_.hand.calibrated(); }

}  // namespace rowbot::table
