#include "robot/table/robot_table.h"

#include <atomic>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "engine/agents/random_agent.h"
#include "game/bits.h"
#include "robot/table/panel_command.h"

namespace rowbot::table {
namespace {

using cell::CellContent;
using cell::HandReport;
using cell::HandTrouble;
using game::Column;
using game::EndReason;
using game::Position;
using game::Side;
using testing::HasSubstr;

/// A board made of nothing: discs fall where they are let go, and the eye sees them.
class Cell final : public cell::Hand, public cell::BoardSensor, public Pace {
 public:
  // The hand.
  Result<void> prepare() override {
    ++prepared;
    if (broken) return Error{"a joint does not follow"};
    return {};
  }
  HandReport drop(Column column) override {
    if (during_drop) during_drop();
    if (halted) {
      halted = false;
      return {.trouble = HandTrouble::kFault, .what = "halted"};
    }
    if (!troubles.empty()) {
      const HandReport report = troubles.front();
      troubles.erase(troubles.begin());
      if (report.trouble != HandTrouble::kNone) return report;
      return {};  // let go, but it fell beside
    }
    put(astray ? Column((column.index() + 1) % 7) : column, CellContent::kSecond);
    return {};
  }
  [[nodiscard]] std::string calibration_due() const override { return due; }
  void calibrated() override { due.clear(); }
  void halt() noexcept override { halted = true; }

  // The eye.
  Result<cell::BoardReading> look() override {
    if (blind_looks > 0) {
      --blind_looks;
      return cell::BoardReading{};
    }
    cell::BoardReading reading;
    reading.sight = cell::Sight::kGood;
    reading.board = cells;
    reading.corners = corners;
    return reading;
  }

  // Time, in which people act.
  void wait(double seconds) override {
    now += seconds;
    if (people) people();
  }
  [[nodiscard]] double now_s() const override { return now; }

  void put(Column column, CellContent content) {
    for (int row = cell::kBoardRows - 1; row >= 0; --row) {
      CellContent& here = cells[cell::cell_index(column.index(), row)];
      if (here != CellContent::kEmpty) continue;
      here = content;
      return;
    }
  }
  void take(Column column) {
    for (int row = 0; row < cell::kBoardRows; ++row) {
      CellContent& here = cells[cell::cell_index(column.index(), row)];
      if (here == CellContent::kEmpty) continue;
      here = CellContent::kEmpty;
      return;
    }
  }

  cell::BoardCells cells{};
  cell::BoardCorners corners = {{{0, 0}, {600, 0}, {600, 500}, {0, 500}}};
  std::vector<HandReport> troubles;
  std::string due;
  std::function<void()> during_drop;
  std::function<void()> people;
  std::atomic<bool> halted = false;
  bool broken = false;
  bool astray = false;
  int blind_looks = 0;
  int prepared = 0;
  double now = 0;
};

class TableTest : public testing::Test {
 protected:
  void open(TableOptions options = {}) {
    journal_ = *Journal::open("");
    if (!options.make_agent) {
      options.make_agent = [](std::string_view) -> Result<std::unique_ptr<agents::Agent>> {
        return std::unique_ptr<agents::Agent>(
            std::make_unique<agents::ForwardAgent>(agents::RandomOptions{}));
      };
    }
    options.robot = "none";
    auto table = RobotTable::create({.hand = cell_,
                                     .camera = camera_ ? &cell_ : nullptr,
                                     .pace = cell_,
                                     .journal = *journal_,
                                     .realign = realign_},
                                    options);
    ASSERT_TRUE(table.has_value()) << table.error().message;
    table_ = *std::move(table);
    table_->on_change([this](const TableSnapshot& now) { states_.insert(now.state); });
    cell_.people = [this] { person(); };
  }

  /// Plays the leftmost open column when asked to, and does what `helper_` does otherwise.
  void person() {
    const auto now = table_->snapshot();
    if (helper_ && helper_(*now)) return;
    switch (now->request) {
      case Request::kPlay:
        if (!lazy_ && played_ != static_cast<int>(now->record->game.moves().size())) {
          played_ = static_cast<int>(now->record->game.moves().size());
          for (const Column c : game::kAllColumns) {
            if (!now->record->game.position().can_play(c)) continue;
            cell_.put(c, CellContent::kFirst);
            break;
          }
        }
        return;
      case Request::kMendBoard:
        cell_.cells = cells_of(now->record->game.position(), CellContent::kFirst);
        played_ = -1;
        return;
      case Request::kClearBoard:
        cell_.cells = {};
        return;
      case Request::kRefillMagazine:
      case Request::kCheckArm:
      case Request::kCalibrateArm:
      case Request::kCheckColumn:
      case Request::kResume:
        cell_.broken = false;
        table_->post({.kind = Command::Kind::kResume});
        return;
      case Request::kNothing:
      case Request::kFreeView:
      case Request::kPlaceDisc:
      case Request::kNameColumn:
        return;
    }
  }

  void expect_finished() {
    const auto end = table_->play_game();
    ASSERT_TRUE(end.has_value()) << end.error().message;
    EXPECT_EQ(*end, GameEnd::kFinished);
    const auto record = table_->snapshot()->record;
    EXPECT_TRUE(record->over());
    EXPECT_EQ(cells_of(record->game.position(), CellContent::kFirst), cell_.cells);
  }
  [[nodiscard]] bool saw(TableState state) const { return states_.contains(state); }
  /// Once, when this many moves have been made and the table waits.
  auto at_ply(std::size_t ply, std::function<void()> act) {
    return [ply, act = std::move(act), done = false](const TableSnapshot& now) mutable {
      if (done || now.request != Request::kPlay || now.record->game.moves().size() < ply)
        return false;
      done = true;
      act();
      return true;
    };
  }

  Cell cell_;
  bool camera_ = true;
  bool lazy_ = false;
  std::function<Result<void>(const cell::BoardReading&, const cell::BoardReading&)> realign_;
  std::function<bool(const TableSnapshot&)> helper_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<RobotTable> table_;
  std::set<TableState> states_;
  int played_ = -1;
};

TEST_F(TableTest, PlaysAGameToItsEnd) {
  open();
  expect_finished();
  EXPECT_EQ(table_->counts().helps, 0U);
  EXPECT_EQ(table_->counts().fouls, 0U);
}

TEST_F(TableTest, TheRobotMayBegin) {
  open({.human = Side::kSecond, .human_discs = CellContent::kFirst});
  // Its discs are still the second colour of the eye.
  const auto end = table_->play_game();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, GameEnd::kFinished);
  EXPECT_EQ(cells_of(table_->snapshot()->record->game.position(), CellContent::kSecond),
            cell_.cells);
}

TEST_F(TableTest, ASecondGameWaitsForAnEmptyBoard) {
  open();
  expect_finished();
  played_ = -1;
  expect_finished();
  EXPECT_TRUE(saw(TableState::kClearing));
  EXPECT_EQ(table_->snapshot()->game, 2U);
}

TEST_F(TableTest, TwoDiscsAreAFoulUntilOneIsTakenOut) {
  open();
  helper_ = at_ply(2, [this] {
    cell_.put(Column(5), CellContent::kFirst);
    cell_.put(Column(6), CellContent::kFirst);
  });
  expect_finished();
  EXPECT_TRUE(saw(TableState::kFoul));
  EXPECT_EQ(table_->counts().fouls, 1U);
}

TEST_F(TableTest, ATakenDiscIsAskedFor) {
  open();
  std::string message;
  helper_ = [&message,
             act = at_ply(2, [this] { cell_.take(Column(0)); })](const TableSnapshot& now) mutable {
    if (now.state == TableState::kFoul) message = now.message;
    return act(now);
  };
  expect_finished();
  EXPECT_THAT(message, HasSubstr("missing in column 1"));
}

TEST_F(TableTest, ABoardThatIsEmptiedEndsTheGame) {
  open();
  helper_ = at_ply(4, [this] { cell_.cells = {}; });
  const auto end = table_->play_game();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, GameEnd::kGivenUp);
  EXPECT_THAT(table_->snapshot()->message, HasSubstr("emptied"));
}

TEST_F(TableTest, AFoulThatNobodyMendsEndsTheGameSafely) {
  open({.patience_s = 10});
  helper_ = [act = at_ply(2, [this] {
               cell_.put(Column(5), CellContent::kFirst);
               cell_.put(Column(6), CellContent::kFirst);
             })](const TableSnapshot& now) mutable {
    return act(now) || now.request == Request::kMendBoard;  // looks on
  };
  const auto end = table_->play_game();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, GameEnd::kGivenUp);
}

TEST_F(TableTest, AVisitorWhoLeavesEndsTheGame) {
  open({.leave_s = 20});
  lazy_ = true;
  const auto end = table_->play_game();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, GameEnd::kGivenUp);
  EXPECT_THAT(table_->snapshot()->message, HasSubstr("left"));
}

TEST_F(TableTest, AMissedDropIsTriedAgain) {
  open();
  cell_.troubles = {{.trouble = HandTrouble::kNone}, {.trouble = HandTrouble::kLostPiece}};
  expect_finished();
  EXPECT_EQ(table_->counts().misses, 2U);
  EXPECT_EQ(table_->counts().helps, 0U);
}

TEST_F(TableTest, ThreeMissesAskForHelp) {
  open();
  cell_.troubles.assign(3, {.trouble = HandTrouble::kNone});
  expect_finished();
  EXPECT_EQ(table_->counts().helps, 1U);
  EXPECT_TRUE(saw(TableState::kNeedsHelp));
}

TEST_F(TableTest, EmptyFingersAskForTheMagazine) {
  open();
  cell_.troubles.assign(3, {.trouble = HandTrouble::kLostPiece});
  std::string message;
  helper_ = [&message](const TableSnapshot& now) {
    if (now.request == Request::kRefillMagazine) message = now.message;
    return false;
  };
  expect_finished();
  EXPECT_THAT(message, HasSubstr("empty fingers 3 times"));
}

TEST_F(TableTest, AColumnOutOfReachAsksForTheBoard) {
  open();
  cell_.troubles = {{.trouble = HandTrouble::kNoWay, .what = "joint 3 is at its end"}};
  std::string message;
  helper_ = [&message](const TableSnapshot& now) {
    if (now.request == Request::kCheckColumn) message = now.message;
    return false;
  };
  expect_finished();
  EXPECT_THAT(message, HasSubstr("on its marks"));
  EXPECT_THAT(message, HasSubstr("joint 3"));
}

TEST_F(TableTest, WhatCannotBeMendedIsGivenUp) {
  open();
  cell_.troubles.assign(100, {.trouble = HandTrouble::kNoPiece});
  const auto end = table_->play_game();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, GameEnd::kGivenUp);
  EXPECT_THAT(table_->snapshot()->message, HasSubstr("magazine"));
}

TEST_F(TableTest, AnEmptyMagazineIsSaidAtOnce) {
  open();
  cell_.troubles = {{.trouble = HandTrouble::kNoPiece}};
  expect_finished();
  EXPECT_EQ(table_->counts().helps, 1U);
  EXPECT_EQ(table_->counts().misses, 0U);
}

TEST_F(TableTest, AFaultOfTheArmIsClearedAndTheDropRepeated) {
  open();
  cell_.troubles = {{.trouble = HandTrouble::kFault, .what = "watchdog"}};
  expect_finished();
  EXPECT_EQ(table_->counts().faults, 1U);
  EXPECT_EQ(table_->counts().helps, 0U);
  EXPECT_GE(cell_.prepared, 2);
}

TEST_F(TableTest, AnArmThatDoesNotComeUpIsAskedAbout) {
  open();
  cell_.broken = true;
  expect_finished();
  EXPECT_TRUE(saw(TableState::kNeedsHelp));
}

TEST_F(TableTest, ADiscInTheWrongColumnCountsWhereItFell) {
  open();
  cell_.astray = true;
  expect_finished();
  EXPECT_GT(table_->counts().strays, 0U);
}

TEST_F(TableTest, ACoveredCameraIsWaitedFor) {
  open();
  helper_ = at_ply(2, [this] { cell_.blind_looks = 20; });
  int said = 0;
  table_->on_change(
      [&said](const TableSnapshot& now) { said += now.state == TableState::kBlind ? 1 : 0; });
  expect_finished();
  EXPECT_EQ(said, 1) << "once is enough";
}

TEST_F(TableTest, ADiscPlayedWhileTheArmMovesCountsAsTheAnswer) {
  open();
  cell_.during_drop = [this, done = false]() mutable {
    if (std::exchange(done, true)) return;
    cell_.put(Column(6), CellContent::kFirst);
    played_ = 2;
  };
  // The robot drops elsewhere, so that both discs lie as if played in turn.
  const auto end = table_->play_game();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, GameEnd::kFinished);
}

TEST_F(TableTest, StopHoldsUntilResumed) {
  open();
  bool stopped = false;
  cell_.during_drop = [this, &stopped] {
    if (std::exchange(stopped, true)) return;
    table_->stop();
  };
  expect_finished();
  EXPECT_TRUE(saw(TableState::kStopped));
}

TEST_F(TableTest, AThousandStopsAtOnceNeedOneResume) {
  open();
  cell_.during_drop = [this, done = false]() mutable {
    if (std::exchange(done, true)) return;
    for (int i = 0; i < 1000; ++i) table_->stop();
  };
  expect_finished();
  EXPECT_TRUE(saw(TableState::kStopped));
}

TEST_F(TableTest, AStopAfterTheResumeStopsAgain) {
  open();
  int stops = 0;
  cell_.during_drop = [this, &stops] {
    if (stops++ > 0) return;
    table_->stop();
    table_->post({.kind = Command::Kind::kResume});
    table_->stop();
  };
  int resumes = 0;
  helper_ = [&resumes](const TableSnapshot& now) {
    resumes += now.request == Request::kResume ? 1 : 0;
    return false;
  };
  expect_finished();
  EXPECT_GE(resumes, 1);
}

TEST_F(TableTest, RestartEndsTheGameInTheMiddleOfAMove) {
  open();
  cell_.during_drop = [this] { table_->post({.kind = Command::Kind::kRestart}); };
  const auto end = table_->play_game();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, GameEnd::kRestarted);
  cell_.during_drop = nullptr;
  played_ = -1;
  expect_finished();
}

TEST_F(TableTest, RestartWorksWhileNothingMoves) {
  open();
  helper_ = at_ply(2, [this] { table_->post({.kind = Command::Kind::kRestart}); });
  const auto end = table_->play_game();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, GameEnd::kRestarted);
}

TEST_F(TableTest, WhoeverInterruptsTheTableIsAskedForNothingFromThenOn) {
  open();
  std::optional<Request> before;
  std::optional<Request> after;
  helper_ = at_ply(2, [&] {
    before = table_->snapshot()->request;
    table_->post({.kind = Command::Kind::kRestart});
    after = table_->snapshot()->request;
  });
  ASSERT_TRUE(table_->play_game().has_value());
  EXPECT_EQ(before, Request::kPlay);
  EXPECT_EQ(after, Request::kNothing) << "nobody answers in a game that is given up";
}

TEST_F(TableTest, AMovedBoardIsMeasuredAgain) {
  int measured = 0;
  realign_ = [&measured](const auto&, const auto&) -> Result<void> {
    ++measured;
    return {};
  };
  open();
  helper_ = at_ply(2, [this] { cell_.corners[0].x += 30; });
  expect_finished();
  EXPECT_EQ(measured, 1);
}

TEST_F(TableTest, AMovedBoardThatCannotBeMeasuredStopsTheArm) {
  open();
  helper_ = at_ply(2, [this] { cell_.corners[0].x += 30; });
  const auto end = table_->play_game();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, GameEnd::kGivenUp);  // nobody put it back
  EXPECT_TRUE(saw(TableState::kNeedsHelp));
}

TEST_F(TableTest, TheLevelChangesFromTheNextMoveOn) {
  std::vector<std::string> asked;
  open({.make_agent = [&asked](std::string_view text) -> Result<std::unique_ptr<agents::Agent>> {
    asked.emplace_back(text);
    return std::unique_ptr<agents::Agent>(
        std::make_unique<agents::ForwardAgent>(agents::RandomOptions{}));
  }});
  helper_ = at_ply(2, [this] { table_->post({.kind = Command::Kind::kAgent, .text = "random"}); });
  expect_finished();
  EXPECT_EQ(asked.back(), "random");
  EXPECT_EQ(table_->snapshot()->agent, "random");
}

TEST_F(TableTest, SensesThatDisagreeAreAskedAbout) {
  open({.switches = true, .keys = true});
  bool asked = false;
  helper_ = [this, &asked, act = at_ply(2, [this] {
                             cell_.put(Column(5), CellContent::kFirst);
                             played_ = 2;
                             table_->post({.kind = Command::Kind::kDropSeen, .column = Column(2)});
                           })](const TableSnapshot& now) mutable {
    if (now.request == Request::kNameColumn) {
      asked = true;
      table_->post({.kind = Command::Kind::kTyped, .column = Column(5)});
      return true;
    }
    return act(now);
  };
  expect_finished();
  EXPECT_TRUE(asked);
}

TEST_F(TableTest, ASwitchThatFeltWhatNobodySeesIsAskedAbout) {
  open({.switches = true});
  std::string message;
  helper_ = [&message,
             act = at_ply(2,
                          [this] {
                            played_ = 2;  // thinks for a while
                            table_->post({.kind = Command::Kind::kDropSeen, .column = Column(4)});
                          }),
             this](const TableSnapshot& now) mutable {
    if (now.state == TableState::kAsking && message.empty()) {
      message = now.message;
      played_ = -1;
    }
    return act(now);
  };
  expect_finished();
  EXPECT_THAT(message, HasSubstr("switch of column 5"));
  EXPECT_EQ(table_->counts().helps, 0U);
}

TEST_F(TableTest, WhatIsTypedOutOfTurnIsNoMove) {
  open({.keys = true});
  cell_.during_drop = [this] {
    table_->post({.kind = Command::Kind::kTyped, .column = Column(6)});
  };
  expect_finished();
  EXPECT_FALSE(saw(TableState::kAsking));
}

class BlindTableTest : public TableTest {
 protected:
  BlindTableTest() { camera_ = false; }

  /// A disc in the first open column, and its switch.
  void play_by_switch(const TableSnapshot& now) {
    if (played_ == static_cast<int>(now.record->game.moves().size())) return;
    played_ = static_cast<int>(now.record->game.moves().size());
    for (const Column c : game::kAllColumns) {
      if (!now.record->game.position().can_play(c)) continue;
      cell_.put(c, CellContent::kFirst);
      press(c);
      return;
    }
  }
  void press(Column column) { table_->post({.kind = Command::Kind::kDropSeen, .column = column}); }
  Column target() { return *table_->snapshot()->target; }

  std::optional<std::size_t> full_pressed_;  // number of moves when a full column was tried
};

TEST_F(BlindTableTest, PlaysBySwitchesAlone) {
  open({.switches = true});
  helper_ = [this](const TableSnapshot& now) {
    if (now.request == Request::kPlay) play_by_switch(now);
    return now.request == Request::kPlay;
  };
  cell_.during_drop = [this] { press(target()); };
  expect_finished();
}

TEST_F(BlindTableTest, ADiscPlayedWhileTheArmMovesIsNotTakenForTheRobots) {
  open({.switches = true});
  helper_ = [this](const TableSnapshot& now) {
    if (now.request == Request::kPlay) play_by_switch(now);
    return now.request == Request::kPlay;
  };
  bool hasty = false;
  cell_.during_drop = [this, &hasty] {
    const auto now = table_->snapshot();
    const Column early(target().index() == 6 ? 5 : 6);
    if (now->record->game.moves().size() == 3) {
      hasty = true;
      cell_.put(early, CellContent::kFirst);
      press(early);
      played_ = 4;
    }
    press(target());
  };
  expect_finished();
  EXPECT_TRUE(hasty);
  EXPECT_FALSE(saw(TableState::kAsking));
}

TEST_F(BlindTableTest, ARobotsDiscThatFellElsewhereIsAskedFor) {
  open({.switches = true, .keys = true});
  std::string message;
  helper_ = [this, &message](const TableSnapshot& now) {
    if (now.request == Request::kPlay) play_by_switch(now);
    if (now.request == Request::kNameColumn) {
      message = now.message;
      table_->post({.kind = Command::Kind::kTyped, .column = Column(5)});
    }
    return now.request == Request::kPlay || now.request == Request::kNameColumn;
  };
  cell_.during_drop = [this] {
    const bool astray = table_->snapshot()->record->game.moves().size() == 1;
    press(astray ? Column(5) : target());
    if (astray) {
      cell_.put(Column(5), CellContent::kSecond);
      cell_.troubles = {{.trouble = HandTrouble::kNone}};
    }
  };
  expect_finished();
  EXPECT_THAT(message, HasSubstr("the switch of column 6"));
}

TEST_F(BlindTableTest, ASwitchAndAPersonWhoMeanTheSameDiscAreOneMove) {
  open({.switches = true, .keys = true});
  helper_ = [this](const TableSnapshot& now) {
    if (now.request != Request::kPlay) return false;
    if (played_ != static_cast<int>(now.record->game.moves().size())) {
      play_by_switch(now);
      for (const Column c : game::kAllColumns) {
        if (!now.record->game.position().can_play(c)) continue;
        table_->post({.kind = Command::Kind::kTyped, .column = c});
        break;
      }
    }
    return true;
  };
  cell_.during_drop = [this] { press(target()); };
  expect_finished();
  EXPECT_FALSE(saw(TableState::kAsking));
}

TEST_F(BlindTableTest, ASwitchAndAPersonWhoContradictEachOtherAreAskedAbout) {
  open({.switches = true, .keys = true});
  bool asked = false;
  helper_ = [this, &asked](const TableSnapshot& now) {
    if (now.request == Request::kNameColumn) {
      asked = true;
      table_->post({.kind = Command::Kind::kTyped, .column = Column(0)});
      return true;
    }
    if (now.request != Request::kPlay) return false;
    if (now.record->game.moves().empty() && played_ != 0) {
      table_->post({.kind = Command::Kind::kTyped, .column = Column(3)});
    }
    play_by_switch(now);
    return true;
  };
  cell_.during_drop = [this] { press(target()); };
  expect_finished();
  EXPECT_TRUE(asked);
}

TEST_F(BlindTableTest, AFullColumnIsNamed) {
  open({.switches = true});
  std::string message;
  table_->on_change([&message](const TableSnapshot& now) {
    if (now.state == TableState::kBlind) message = now.message;
  });
  helper_ = [this](const TableSnapshot& now) {
    if (now.request != Request::kPlay) return false;
    for (const Column c : game::kAllColumns) {
      const bool full = !now.record->game.position().can_play(c);
      if (full && full_pressed_ != now.record->game.moves().size()) {
        full_pressed_ = now.record->game.moves().size();
        press(c);
        return true;
      }
    }
    play_by_switch(now);
    return true;
  };
  cell_.during_drop = [this] { press(target()); };
  expect_finished();
  ASSERT_TRUE(full_pressed_) << "no column was ever full";
  EXPECT_THAT(message, HasSubstr("is full"));
}

TEST_F(TableTest, AStopHoldsThroughARestart) {
  open();
  cell_.during_drop = [this, done = false]() mutable {
    if (std::exchange(done, true)) return;
    table_->stop();
  };
  helper_ = [this](const TableSnapshot& now) {
    if (now.request != Request::kResume) return false;
    table_->post({.kind = Command::Kind::kRestart});
    return true;
  };
  const auto end = table_->play_game();
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, GameEnd::kRestarted);
  const int prepared = cell_.prepared;
  bool held = false;
  helper_ = [&](const TableSnapshot& now) {
    if (now.state == TableState::kStopped) held = cell_.prepared == prepared;
    return false;
  };
  played_ = -1;
  expect_finished();
  EXPECT_TRUE(held);
}

TEST_F(TableTest, AnArmThatMayBeAdriftIsCalibratedBeforeItsNextMove) {
  open();
  cell_.due = "after 42 motions the arm may be 1.4 degrees off";
  std::string message;
  helper_ = [&message](const TableSnapshot& now) {
    if (now.request == Request::kCalibrateArm) message = now.message;
    return false;
  };
  expect_finished();
  EXPECT_THAT(message, HasSubstr("42 motions"));
  EXPECT_EQ(table_->counts().helps, 1U);
}

TEST_F(TableTest, WithoutAnArmPeoplePutItsDiscsIn) {
  open({.people_move_for = true});
  std::string message;
  helper_ = [this, &message](const TableSnapshot& now) {
    if (now.request != Request::kPlaceDisc) return false;
    message = now.message;
    const auto digit = message.find_first_of("1234567");
    cell_.put(*Column::from_digit(message.at(digit)), CellContent::kSecond);
    return true;
  };
  expect_finished();
  EXPECT_THAT(message, HasSubstr("put my disc there"));
  EXPECT_EQ(table_->counts().misses, 0U);
}

TEST(PanelCommand, TheRockerGivesTheThinkingTimesOfTheThesis) {
  const auto agent = [](cell::PanelLevel level) {
    return panel_command({.time = {}, .what = cell::LevelChanged{level}})->text;
  };
  EXPECT_EQ(agent(cell::PanelLevel::kEasy), "mcts:time=100ms");
  EXPECT_EQ(agent(cell::PanelLevel::kModerate), "mcts:time=1s");
  EXPECT_EQ(agent(cell::PanelLevel::kHard), "mcts:time=5s");
  EXPECT_FALSE(panel_command({.time = {}, .what = cell::SwitchStuck{"column 3"}}));
}

TEST_F(TableTest, NeedsASense) {
  camera_ = false;
  journal_ = *Journal::open("");
  const auto table = RobotTable::create(
      {.hand = cell_, .camera = nullptr, .pace = cell_, .journal = *journal_}, {});
  ASSERT_FALSE(table.has_value());
  EXPECT_THAT(table.error().message, HasSubstr("sense"));
}

TEST_F(TableTest, ThreadsMayStopAndRestartAtAnyMoment) {
  open();
  cell_.during_drop = [] { std::this_thread::yield(); };
  std::jthread meddler([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      table_->stop();
      table_->post({.kind = Command::Kind::kResume});
      static_cast<void>(table_->snapshot()->message.size());
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  });
  for (int i = 0; i < 3; ++i) {
    const auto end = table_->play_game();
    ASSERT_TRUE(end.has_value());
    cell_.cells = {};
    played_ = -1;
  }
}

}  // namespace
}  // namespace rowbot::table
