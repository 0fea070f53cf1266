#include "lab/cluster/parent.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "engine/agents/lookahead/minimax.h"
#include "fmt/core.h"
#include "lab/cluster/child.h"

namespace rowbot::cluster {
namespace {

using ParentClock = std::chrono::steady_clock;

std::string number_of(game::Column column) { return std::to_string(column.index()); }

}  // namespace

Result<Parent> Parent::start(ParentOptions options) {
  if (options.commands.empty()) return Error{"a parent needs the command that starts a child"};
  Parent parent(std::move(options));
  for (int column = 0; column < game::kColumns; ++column) {
    if (auto launched = parent.launch(column); !launched) parent.rescue(column, launched.error());
  }
  return parent;
}

void Parent::say(int column, const std::string& text) const {
  if (options_.report) options_.report(fmt::format("child {}: {}", column, text));
}

Result<void> Parent::launch(int column) {
  const auto i = static_cast<std::size_t>(column);
  auto process = ChildProcess::start(options_.commands[i % options_.commands.size()]);
  if (!process) return process.error();
  slots_.at(i).process.emplace(*std::move(process));
  return slots_.at(i).process->send(options_.computer_first ? "y" : "n");
}

Result<void> Parent::tell_game_so_far(int column) {
  ChildProcess& process = *slots_.at(static_cast<std::size_t>(column)).process;
  const auto moves = game_.moves();
  std::size_t ply = 0;
  if (!options_.computer_first && !moves.empty()) {
    if (auto sent = process.send(number_of(moves[ply++])); !sent) return sent;
  }
  for (; ply + 1 < moves.size(); ply += 2) {  // ours, and the opponent's answer
    // The protocol has no other way to a position than through all of its questions.
    if (auto sent = process.send(std::to_string(column)); !sent) return sent;
    if (auto value = process.receive(ParentClock::now() + options_.patience); !value) {
      return value.error();
    }
    for (const std::string& line :
         {number_of(moves[ply]), std::string("y"), number_of(moves[ply + 1])}) {
      if (auto sent = process.send(line); !sent) return sent;
    }
  }
  return {};
}

void Parent::rescue(int column, const Error& trouble) {
  Slot& slot = slots_.at(static_cast<std::size_t>(column));
  slot.process.reset();
  auto again = launch(column);
  if (again) again = tell_game_so_far(column);
  if (again) {
    ++restarts_;
    say(column, trouble.message + "; started again");
    return;
  }
  slot.process.reset();
  slot.state = State::kOrphan;
  say(column, fmt::format("{}; started again: {}; the parent thinks for it from now on",
                          trouble.message, again.error().message));
}

Result<int> Parent::ask(int column, ParentClock::time_point deadline) {
  ChildProcess& process = *slots_.at(static_cast<std::size_t>(column)).process;
  auto line = process.receive(deadline);
  if (!line) return line.error();
  return parse_protocol_value(*line);
}

int Parent::value_of(int column, ParentClock::time_point deadline) {
  Slot& slot = slots_.at(static_cast<std::size_t>(column));
  for (int attempt = 0; attempt < 2 && slot.state == State::kActive; ++attempt) {
    const auto value = ask(column, deadline);
    if (value) return *value;
    if (attempt == 1) {
      slot.process.reset();
      slot.state = State::kOrphan;
      say(column, value.error().message + "; the parent thinks for it from now on");
      break;
    }
    rescue(column, value.error());
    if (slot.state != State::kActive) break;
    (void)slot.process->send(std::to_string(column));  // if it is gone again, ask() finds out
    deadline = ParentClock::now() + options_.patience;
  }
  return agents::lookahead::rhodes_move_value(game_.position(), game::Column(column),
                                              options_.depth);
}

game::Column Parent::choose() {
  assert(!game_.over());
  for (int column = 0; column < game::kColumns; ++column) {
    Slot& slot = slots_.at(static_cast<std::size_t>(column));
    if (slot.state != State::kActive) continue;
    const bool unasked = slot.process->has_unread();
    auto sent = slot.process->send(std::to_string(column));
    if (unasked || !sent) {
      rescue(column, unasked ? Error{"it speaks without being asked"} : sent.error());
      if (slot.state == State::kActive) (void)slot.process->send(std::to_string(column));
    }
  }
  const auto deadline = ParentClock::now() + options_.patience;  // they think side by side
  std::optional<std::pair<int, game::Column>> best;
  for (const game::Column column : game::kAllColumns) {
    if (game_.judge(column) != game::Verdict::kFine) continue;
    const int value = value_of(column.index(), deadline);
    // Of equal moves the one nearest to the centre: the students' own preference.
    const auto from_centre = [](game::Column c) { return std::abs(c.index() - 3); };
    if (!best || value > best->first ||
        (value == best->first && from_centre(column) < from_centre(best->second))) {
      best.emplace(value, column);
    }
  }
  const game::Column selected = best->second;
  game_.play(selected);
  for (int column = 0; column < game::kColumns; ++column) {
    Slot& slot = slots_.at(static_cast<std::size_t>(column));
    // A child that is gone is noticed, and told everything, when it is asked the next time.
    if (slot.state == State::kActive) (void)slot.process->send(number_of(selected));
  }
  if (game_.over()) end();
  return selected;
}

void Parent::opponent_plays(game::Column column) {
  [[maybe_unused]] const game::Verdict verdict = game_.play(column);
  assert(verdict == game::Verdict::kFine);
  if (game_.over()) {
    end();
  } else if (game_.moves().size() == 1) {
    for (Slot& slot : slots_) {
      if (slot.state == State::kActive) (void)slot.process->send(number_of(column));
    }
  } else {
    finish_round();
  }
}

void Parent::finish_round() {
  const game::Column theirs = game_.moves().back();
  for (int column = 0; column < game::kColumns; ++column) {
    Slot& slot = slots_.at(static_cast<std::size_t>(column));
    if (slot.state != State::kActive) continue;
    if (game_.judge(game::Column(column)) != game::Verdict::kFine) {
      (void)slot.process->send("n");
      slot.state = State::kInactive;
      slot.process->end(std::chrono::milliseconds(200));
      slot.process.reset();
      continue;
    }
    (void)slot.process->send("y");
    (void)slot.process->send(number_of(theirs));
  }
}

void Parent::end() {
  for (Slot& slot : slots_) {
    if (slot.state != State::kActive || !slot.process) continue;
    (void)slot.process->send("n");
    slot.state = State::kInactive;
  }
  for (Slot& slot : slots_) {
    if (!slot.process) continue;
    slot.process->end(std::chrono::milliseconds(500));
    slot.process.reset();
  }
}

int Parent::orphans() const {
  return static_cast<int>(std::count_if(
      slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.state == State::kOrphan; }));
}

}  // namespace rowbot::cluster
