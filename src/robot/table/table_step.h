// The inside of step(): the memory on its way from one event to the next. Commands, the beginning
// and the end of a game are in table_machine.cc, turns in table_turns.cc, and ways out of trouble
// in table_trouble.cc.
// Thread safety: none; lives for one step.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "robot/table/table_machine.h"

namespace rowbot::table {

class Step {
 public:
  Step(const TableMemory& now, double now_s, const TableRules& rules)
      : m_(now), now_s_(now_s), rules_(rules) {}

  void take(const Begin& event);
  void take(const HandReady& event);
  void take(const HandFailed& event);
  void take(const Looked& event);
  void take(const Decided& event);
  void take(const Dropped& event);
  void take(const Realigned& event);
  void take(const TimePassed& event);
  void take(const Command& event);

  [[nodiscard]] Transition finish() && {
    return {.next = std::move(m_), .effects = std::move(effects_)};
  }

 private:
  // The beginning and the end of a game.
  void resume_game();
  [[nodiscard]] Setup setup() const;
  void look_for_empty_board(const Looked& event);
  void begin_game();
  void finish_by_rules();
  void leave(GameEnd how, Message why);
  void hear(const Command& command);

  // Turns.
  void turn();
  void human_sees(const ReadingVerdict& verdict);
  void robot_sees(const ReadingVerdict& verdict);
  void think();
  void wait_for_people_to_move();
  void record(game::Column column);
  [[nodiscard]] ReadingVerdict judge(const Looked& event);
  [[nodiscard]] ReadingVerdict judge_felt();
  [[nodiscard]] std::optional<Message> contradiction(game::Column column) const;

  // Trouble.
  void foul(const ReadingVerdict& verdict);
  void mend(const ReadingVerdict& verdict);
  void blind(const ReadingVerdict& verdict);
  void ask(Message question, std::optional<game::Column> seen);
  void hear_answer();
  void missed(Request request, MessageId question);
  void help(Request request, Message message);
  void helped();

  void tell(TableState state, Message message, Request request = Request::kNothing);
  void then(Action action) { m_.action = action; }
  [[nodiscard]] bool playing() const { return m_.session.has_value(); }
  [[nodiscard]] bool impatient() const { return now_s_ - m_.trouble_began_s > rules_.patience_s; }
  [[nodiscard]] bool board_is_empty() const;
  [[nodiscard]] cell::CellContent first_is() const;

  TableMemory m_;
  const double now_s_;
  const TableRules& rules_;
  std::vector<Effect> effects_;
};

}  // namespace rowbot::table
