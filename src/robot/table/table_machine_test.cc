#include "robot/table/table_machine.h"

#include <array>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "base/rng.h"

namespace rowbot::table {
namespace {

using cell::CellContent;
using game::Column;
using game::Side;

constexpr std::size_t kEventKinds = std::variant_size_v<decltype(Event::what)>;

/// Events at random: plausible ones often enough that games get somewhere, absurd ones as well.
class RandomWorld {
 public:
  RandomWorld(std::uint64_t seed, const TableRules& rules) : rng_(seed), rules_(rules) {
    now_.human = chance(0.5) ? Side::kFirst : Side::kSecond;
    now_.agent = "random";
  }

  /// The next event and where it led.
  struct Moment {
    TableMemory before;
    Event event;
    Transition after;
  };
  Moment next() { return after(event()); }
  /// The same when nothing goes wrong any more: people help, play and mend.
  Moment next_when_all_is_well() { return after(calm_event()); }

 private:
  Moment after(Event event) {
    Moment moment{.before = now_, .event = std::move(event), .after = {}};
    moment.after = step(moment.before, moment.event, rules_);
    now_ = moment.after.next;
    return moment;
  }

  Event calm_event() {
    time_s_ += 0.3;
    if (now_.action == Action::kWait && now_.request > Request::kNameColumn) {
      return {.now_s = time_s_, .what = Command{.kind = Command::Kind::kResume}};
    }
    const bool asked = now_.request == Request::kPlay || now_.request == Request::kNameColumn;
    const bool felt = now_.action == Action::kWait && now_.felt.empty() &&
                      (asked || (rules_.switches && now_.robots_turn() && now_.attempt));
    if (felt && (rules_.switches || rules_.keys) && !(rules_.camera && !now_.seen && asked)) {
      const auto fell = now_.robots_turn() ? now_.attempt : now_.seen;
      return {.now_s = time_s_,
              .what = Command{
                  .kind = rules_.switches ? Command::Kind::kDropSeen : Command::Kind::kTyped,
                  .column = fell ? *fell : playable()}};
    }
    switch (now_.action) {
      case Action::kLook:
        return {.now_s = time_s_, .what = calm_look()};
      case Action::kPrepare:
        return {.now_s = time_s_, .what = HandReady{}};
      case Action::kDrop:
        return {.now_s = time_s_, .what = Dropped{}};
      case Action::kRealign:
        return {.now_s = time_s_, .what = Realigned{{}}};
      case Action::kNone:
      case Action::kThink:
      case Action::kWait:
        break;
    }
    return {.now_s = time_s_, .what = outcome(now_.action)};
  }

  Looked calm_look() {
    if (!rules_.camera) return {};
    cell::BoardReading reading{.sight = cell::Sight::kGood};
    if (now_.place_reading) reading.corners = now_.place_reading->corners;
    if (now_.game()) {
      game::Position seen = now_.game()->game.position();
      const auto fell = now_.robots_turn() ? now_.attempt
                        : now_.seen        ? now_.seen
                                           : std::optional(playable());
      if (!now_.mending && fell && seen.can_play(*fell)) seen = seen.after(*fell);
      reading.board =
          cells_of(seen, now_.human == Side::kFirst ? CellContent::kFirst : CellContent::kSecond);
    }
    return {Result<cell::BoardReading>(reading)};
  }

  bool chance(double share) { return rng_.uniform() < share; }
  Column column() { return Column(static_cast<int>(rng_.below(7))); }

  Event event() {
    time_s_ += chance(0.02) ? 200 : 0.3;
    Event event{.now_s = time_s_, .what = TimePassed{}};
    if (now_.action == Action::kNone) {
      event.what = Begin{};
      if (chance(0.3)) event.what = Begin{unfinished()};
    }
    if (chance(0.8)) event.what = outcome(now_.action);
    if (chance(0.1)) event.what = outcome(static_cast<Action>(rng_.below(7)));
    if (chance(0.15)) event.what = command();
    return event;
  }

  decltype(Event::what) outcome(Action action) {
    switch (action) {
      case Action::kNone:
        return Begin{};
      case Action::kPrepare:
        if (chance(0.1)) return HandFailed{"it does not follow"};
        return HandReady{chance(0.05) ? "42 motions" : ""};
      case Action::kLook:
        return look();
      case Action::kThink:
        return Decided{playable()};
      case Action::kDrop:
        return Dropped{
            .report = {.trouble = chance(0.7) ? cell::HandTrouble::kNone
                                              : static_cast<cell::HandTrouble>(rng_.below(6)),
                       .what = "so it was"},
            .calibration_due = ""};
      case Action::kRealign:
        if (chance(0.3)) return Realigned{Error{"it is too far away"}};
        return Realigned{{}};
      case Action::kWait:
        return TimePassed{};
    }
    return TimePassed{};
  }

  Column playable() {
    Column c = column();
    while (now_.game() && !now_.game()->over() && !now_.game()->game.position().can_play(c))
      c = column();
    return c;
  }

  Looked look() {
    if (!rules_.camera) return {};
    if (chance(0.03)) return {Result<cell::BoardReading>(Error{"unplugged"})};
    cell::BoardReading reading;
    reading.sight = chance(0.2) ? static_cast<cell::Sight>(rng_.below(4)) : cell::Sight::kGood;
    reading.corners[0].x = corner_;
    if (chance(0.01)) corner_ += 1;
    if (now_.game() && !chance(0.02)) {
      game::Position seen = now_.game()->game.position();
      const bool moves = now_.robots_turn() ? now_.attempt && chance(0.7) : chance(0.6);
      if (moves && seen.legal_moves() != 0) {
        const Column fell = now_.attempt && seen.can_play(*now_.attempt) && chance(0.8)
                                ? *now_.attempt
                                : playable();
        seen = seen.after(fell);
      }
      const bool first_is_human = now_.human == Side::kFirst;
      reading.board = cells_of(seen, first_is_human ? CellContent::kFirst : CellContent::kSecond);
      if (chance(0.05)) reading.board[rng_.below(cell::kBoardCells)] = CellContent::kFirst;
    } else if (chance(0.3)) {
      reading.board.back() = CellContent::kFirst;
    }
    return {Result<cell::BoardReading>(reading)};
  }

  Command command() {
    if (now_.request == Request::kResume || chance(0.3)) return {.kind = Command::Kind::kResume};
    if (chance(0.9)) {
      return {.kind = chance(0.5) ? Command::Kind::kDropSeen : Command::Kind::kTyped,
              .column = now_.attempt && chance(0.5) ? *now_.attempt : column()};
    }
    return {.kind = static_cast<Command::Kind>(rng_.below(7)), .column = column(), .text = "mcs"};
  }

  game::GameRecord unfinished() {
    game::GameRecord record;
    record.first.name = chance(0.5) ? "human" : "mcts";
    record.second.name = record.first.name == "human" ? "mcts" : "human";
    game::Position position;
    for (auto plies = rng_.below(43); plies > 0 && position.legal_moves() != 0; --plies) {
      Column c = column();
      while (!position.can_play(c)) c = column();
      record.moves.push_back(c);
      position = position.after(c);
    }
    return record;
  }

  Rng rng_;
  TableRules rules_;
  TableMemory now_;
  double time_s_ = 0;
  double corner_ = 0;
};

std::vector<TableRules> every_table() {
  std::vector<TableRules> tables;
  for (int bits = 0; bits < 32; ++bits) {
    const TableRules rules{.camera = (bits & 1) != 0,
                           .switches = (bits & 2) != 0,
                           .keys = (bits & 4) != 0,
                           .people_move_for = (bits & 8) != 0,
                           .realigns = (bits & 16) != 0};
    if (rules.camera || rules.switches || rules.keys) tables.push_back(rules);
  }
  return tables;
}

/// The laws that hold after every event in every state.
void expect_laws(const RandomWorld::Moment& moment) {
  const TableMemory& next = moment.after.next;
  // Somebody can always ask what comes next, and a game that has ended does nothing.
  EXPECT_EQ(next.action == Action::kNone, next.end.has_value());
  EXPECT_EQ(next.state == TableState::kOver, next.end.has_value());
  // After a stop nothing moves until a resume.
  if (next.stopped && !next.end) {
    EXPECT_EQ(next.action, Action::kWait);
    EXPECT_EQ(next.state, TableState::kStopped);
  }
  EXPECT_EQ(next.target.has_value(), next.action == Action::kDrop);
  EXPECT_TRUE(next.action != Action::kThink || next.robots_turn());
  EXPECT_TRUE(next.action != Action::kRealign || (next.place_reading && next.last_reading));
  // What needs a person names what is wanted.
  EXPECT_TRUE(next.state != TableState::kNeedsHelp || next.request != Request::kNothing);
  // Each move is recorded once, in order.
  std::size_t plies = 0;
  for (const Effect& effect : moment.after.effects) {
    if (const auto* move = std::get_if<RecordMove>(&effect)) {
      ASSERT_TRUE(next.game());
      EXPECT_EQ(next.game()->game.moves()[static_cast<std::size_t>(move->ply)], move->column);
      ++plies;
    }
    if (const auto* tell = std::get_if<Tell>(&effect)) {
      EXPECT_THAT(sentence(tell->message), testing::Not(testing::HasSubstr("{")));
    }
  }
  if (moment.before.game() && next.game() && next.number == moment.before.number &&
      !std::holds_alternative<Begin>(moment.event.what)) {
    EXPECT_EQ(next.game()->game.moves().size(), moment.before.game()->game.moves().size() + plies);
  }
}

TEST(TableMachine, TakesEveryEventInEveryStateAndKeepsItsLaws) {
  std::array<std::array<int, kEventKinds>, kTableStates> tried{};
  std::map<std::pair<TableState, TableState>, int> ways;
  std::uint64_t seed = 0;
  for (const TableRules& rules : every_table()) {
    RandomWorld world(++seed, rules);
    for (int i = 0; i < 20'000; ++i) {
      const auto moment = world.next();
      expect_laws(moment);
      if (testing::Test::HasFailure()) return;
      const TableState from = moment.before.state;
      const TableState to = moment.after.next.state;
      ++tried.at(static_cast<std::size_t>(from)).at(moment.event.what.index());
      if (from != to && !std::holds_alternative<Command>(moment.event.what)) ++ways[{from, to}];
    }
  }
  for (int state = 0; state < kTableStates; ++state) {
    for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
      EXPECT_GT(tried.at(static_cast<std::size_t>(state)).at(kind), 0)
          << state_text(static_cast<TableState>(state)) << " never met event " << kind;
    }
  }
  std::set<std::pair<TableState, TableState>> listed;
  for (const Way& way : table_ways()) {
    EXPECT_TRUE(listed.emplace(way.from, way.to).second) << "listed twice";
    EXPECT_TRUE(ways.contains({way.from, way.to}))
        << "never seen: " << state_text(way.from) << " to " << state_text(way.to);
  }
  for (const auto& [way, count] : ways) {
    // A new game may be wanted in every state; it begins with the arm, or stays stopped.
    if (way.second == TableState::kPreparing || way.second == TableState::kStopped) continue;
    EXPECT_TRUE(listed.contains(way)) << "not listed: " << state_text(way.first) << " to "
                                      << state_text(way.second) << ", " << count << " times";
  }
}

TEST(TableMachine, StopAndRestartWorkInEveryState) {
  std::set<TableState> stopped;
  std::set<TableState> restarted;
  std::uint64_t seed = 100;
  for (const TableRules& rules : every_table()) {
    RandomWorld world(++seed, rules);
    for (int i = 0; i < 2'000; ++i) {
      const TableMemory now = world.next().after.next;
      if (now.end) continue;
      const auto stop = step(now, {.what = Command{.kind = Command::Kind::kStop}}, rules);
      EXPECT_EQ(stop.next.state, TableState::kStopped);
      stopped.insert(now.state);
      const auto restart = step(now, {.what = Command{.kind = Command::Kind::kRestart}}, rules);
      EXPECT_EQ(restart.next.end, GameEnd::kRestarted);
      restarted.insert(now.state);
    }
  }
  EXPECT_EQ(stopped.size(), static_cast<std::size_t>(kTableStates) - 1);  // all but over
  EXPECT_EQ(restarted, stopped);
}

TEST(TableMachine, EveryGameEndsOnceNothingGoesWrongAnyMore) {
  std::uint64_t seed = 200;
  for (const TableRules& rules : every_table()) {
    for (int game = 0; game < 40; ++game) {
      RandomWorld world(++seed, rules);
      TableMemory now;
      for (std::uint64_t i = 0; i < 20 + seed % 300; ++i) now = world.next().after.next;
      for (int i = 0; i < 3'000 && !now.end; ++i) now = world.next_when_all_is_well().after.next;
      EXPECT_TRUE(now.end) << "stuck in " << state_text(now.state) << ", camera " << rules.camera
                           << ", switches " << rules.switches << ", keys " << rules.keys
                           << ", people move " << rules.people_move_for << ", request "
                           << static_cast<int>(now.request);
    }
  }
}

TEST(TableMachine, IsAPureFunction) {
  RandomWorld world(7, {.switches = true, .keys = true});
  for (int i = 0; i < 1'000; ++i) {
    const auto moment = world.next();
    const auto again = step(moment.before, moment.event, {.switches = true, .keys = true});
    EXPECT_EQ(again.next.state, moment.after.next.state);
    EXPECT_EQ(again.next.action, moment.after.next.action);
    EXPECT_EQ(again.effects.size(), moment.after.effects.size());
  }
}

TEST(TableMachine, TheDiagramInTheDocsIsTheTable) {
  std::ifstream file(std::string(ROWBOT_SOURCE_DIR) + "/docs/table-states.md");
  ASSERT_TRUE(file) << "docs/table-states.md";
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), testing::HasSubstr("```mermaid\n" + ways_diagram() + "```\n"))
      << "make it again with `rowbot table --states`";
}

TEST(TableMessage, EveryIdHasACodeOfItsOwnAndASentence) {
  std::set<std::string_view> codes;
  for (int id = 0; id < kMessageCount; ++id) {
    const auto message = static_cast<MessageId>(id);
    EXPECT_TRUE(codes.insert(message_code(message)).second) << message_code(message);
    EXPECT_FALSE(english(message).empty());
  }
  EXPECT_EQ(sentence({.id = MessageId::kOutOfReach, .arguments = {"3", "too far"}}),
            "I cannot reach column 3 where the board stands. Please put the board on its marks. "
            "(too far)");
  EXPECT_EQ(sentence({.id = MessageId::kMagazineEmpty, .then = MessageId::kNotMended}),
            "My magazine is empty. Please put discs in. It could not be mended; the game is given "
            "up.");
}

}  // namespace
}  // namespace rowbot::table
