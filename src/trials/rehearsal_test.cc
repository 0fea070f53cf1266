#include "trials/rehearsal.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <unistd.h>
#include <vector>

#include "robot/station/station.h"
#include "robot/table/journal.h"
#include "trials/interruptions.h"

namespace rowbot::trials {
namespace {

RehearsalOptions short_games(const arm::ArmModel& model) {
  RehearsalOptions options;
  options.station.layout = cell::default_layout(model);
  options.agent = "forward";
  options.visitor = "random";
  return options;
}

TEST(Mishap, EveryNameFindsItsMishap) {
  for (const station::Mishap mishap : station::all_mishaps()) {
    const auto parsed = station::parse_mishap(std::string(station::mishap_name(mishap)) + "@7");
    ASSERT_TRUE(parsed.has_value()) << station::mishap_name(mishap);
    EXPECT_EQ(*parsed, (station::PlannedMishap{.what = mishap, .ply = 7}));
  }
  for (const char* wrong :
       {"", "@", "stop", "stop@", "stop@x", "stop@-1", "stop@42", "earthquake@1"}) {
    EXPECT_FALSE(station::parse_mishap(wrong).has_value()) << wrong;
  }
}

TEST(Rehearsal, AGameIsSeenThoughtPlayedAndVerified) {
  const auto report = run_rehearsal(short_games(arm::eezybot()));
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->finished, 1U);
  EXPECT_EQ(report->wrong_records, 0U) << report->first_wrong;
  EXPECT_EQ(report->counts.helps, 0U);
  EXPECT_EQ(report->counts.fouls, 0U);
  EXPECT_GE(report->counts.moves, 7U);
  EXPECT_EQ(report->limit_violations, 0U);
}

/// What one mishap after two moves must lead to; afterwards the game goes on, or has ended so.
struct Lesson {
  station::Mishap mishap;
  std::optional<table::TableState> state = std::nullopt;  // that the table enters because of it
  const char* words = "";                                 // in what it says then
  table::GameEnd end = table::GameEnd::kQuit;             // the test quits when it has seen enough
  const arm::ArmModel* robot = &arm::eezybot();
  bool switches = false;
};

class AfterMishap : public testing::TestWithParam<Lesson> {};

TEST_P(AfterMishap, TheTableSaysWhatIsWrongAndFindsItsWayBack) {
  using table::TableState;
  const Lesson& lesson = GetParam();
  RehearsalOptions options = short_games(*lesson.robot);
  options.mishaps = {{.what = lesson.mishap, .ply = 2}};
  options.station.senses.switches = lesson.switches;
  table::RobotTable* table = nullptr;
  options.open = [&table](table::RobotTable* opened) { table = opened; };
  std::string said;
  std::size_t moves = 0;
  options.watch = [&](const table::TableSnapshot& now) {
    if (lesson.state == now.state && said.empty()) said = now.message;
    moves = now.record ? now.record->game.moves().size() : 0;
    if (now.state == TableState::kWaiting && moves >= 6) {
      table->post({.kind = table::Command::Kind::kQuit, .column = {}, .text = {}});
    }
  };
  table::GameEnd end{};
  options.progress = [&end](std::uint64_t, table::GameEnd how) { end = how; };
  const auto report = run_rehearsal(options);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->mishaps, 1U);
  EXPECT_EQ(report->wrong_records, 0U) << report->first_wrong;
  EXPECT_EQ(end, lesson.end);
  if (lesson.end == table::GameEnd::kQuit) {
    EXPECT_GE(moves, 6U);
  }
  if (lesson.state) {
    EXPECT_NE(said, "") << "never " << table::state_text(*lesson.state);
  }
  EXPECT_NE(said.find(lesson.words), std::string::npos) << said;
}

using table::GameEnd;
using table::TableState;
INSTANTIATE_TEST_SUITE_P(Rehearsal, AfterMishap,
                         testing::Values(Lesson{.mishap = station::Mishap::kSlippedPiece},
                                         Lesson{.mishap = station::Mishap::kEmptyMagazine,
                                                .state = TableState::kNeedsHelp,
                                                .words = "magazine empty"},
                                         Lesson{.mishap = station::Mishap::kPieceOnRim},
                                         Lesson{.mishap = station::Mishap::kJammedColumn,
                                                .state = TableState::kBlind,
                                                .words = "free my view"},
                                         Lesson{.mishap = station::Mishap::kDeadJoint,
                                                .state = TableState::kNeedsHelp,
                                                .words = "does not follow"},
                                         Lesson{.mishap = station::Mishap::kDriftedJoint,
                                                .robot = &arm::roboarm()},
                                         Lesson{.mishap = station::Mishap::kLateMessages},
                                         Lesson{.mishap = station::Mishap::kSilentDriver,
                                                .state = TableState::kNeedsHelp,
                                                .words = "does not answer"},
                                         Lesson{.mishap = station::Mishap::kMovedBoard,
                                                .state = TableState::kNeedsHelp,
                                                .words = "its marks"},
                                         Lesson{.mishap = station::Mishap::kCoveredCamera,
                                                .state = TableState::kBlind,
                                                .words = "free my view"},
                                         Lesson{.mishap = station::Mishap::kStrayDrop},
                                         Lesson{.mishap = station::Mishap::kOutOfTurn},
                                         Lesson{.mishap = station::Mishap::kTwoDiscs,
                                                .state = TableState::kFoul,
                                                .words = "more than one"},
                                         Lesson{.mishap = station::Mishap::kTakenDisc,
                                                .state = TableState::kFoul,
                                                .words = "put it back"},
                                         Lesson{.mishap = station::Mishap::kFullColumn},
                                         Lesson{.mishap = station::Mishap::kLeaves,
                                                .state = TableState::kOver,
                                                .words = "has left",
                                                .end = GameEnd::kGivenUp},
                                         Lesson{.mishap = station::Mishap::kStop,
                                                .state = TableState::kStopped,
                                                .words = "safe"},
                                         Lesson{.mishap = station::Mishap::kRestart,
                                                .state = TableState::kOver,
                                                .words = "new game",
                                                .end = GameEnd::kRestarted},
                                         Lesson{.mishap = station::Mishap::kPhantomPress,
                                                .state = TableState::kAsking,
                                                .words = "felt a disc",
                                                .switches = true}),
                         [](const testing::TestParamInfo<Lesson>& lesson) {
                           std::string name(station::mishap_name(lesson.param.mishap));
                           std::erase(name, '-');
                           return name;
                         });

/// A few moves with other parts than the twin's own.
RehearsalReport some_moves(RehearsalOptions options) {
  table::RobotTable* table = nullptr;
  options.open = [&table](table::RobotTable* opened) { table = opened; };
  options.watch = [&table](const table::TableSnapshot& now) {
    if (now.state == TableState::kWaiting && now.record && now.record->game.moves().size() >= 4) {
      table->post({.kind = table::Command::Kind::kQuit, .column = {}, .text = {}});
    }
  };
  const auto report = run_rehearsal(options);
  EXPECT_TRUE(report.has_value());
  return report ? *report : RehearsalReport{};
}

TEST(Rehearsal, DriversOnRehearsedWiresPlayToo) {
  for (const char* driver : {"servo:sim-i2c", "serial:sim", "rosbridge:sim"}) {
    RehearsalOptions options = short_games(arm::eezybot());
    options.station = *station::configure({.driver = driver});
    const RehearsalReport report = some_moves(options);
    EXPECT_GE(report.counts.moves, 4U) << driver;
    EXPECT_EQ(report.wrong_records, 0U) << report.first_wrong;
    EXPECT_EQ(report.counts.helps, 0U);
  }
}

TEST(Rehearsal, SwitchesOrKeysAloneAreEnough) {
  for (const bool switches : {true, false}) {
    RehearsalOptions options = short_games(arm::eezybot());
    options.station.senses = {.camera = false, .switches = switches, .keys = !switches};
    const RehearsalReport report = some_moves(options);
    EXPECT_GE(report.counts.moves, 4U);
    EXPECT_EQ(report.wrong_records, 0U) << report.first_wrong;
  }
}

TEST(Rehearsal, RefusesMishapsThatCannotHappen) {
  RehearsalOptions options = short_games(arm::eezybot());
  options.mishaps = {{.what = station::Mishap::kPhantomPress, .ply = 1}};
  EXPECT_FALSE(run_rehearsal(options).has_value()) << "there are no switches";
  options.mishaps = {{.what = station::Mishap::kSlippedPiece, .ply = 1}};
  options.station.driver = "servo:sim-i2c";
  EXPECT_FALSE(run_rehearsal(options).has_value()) << "the motors are not the twin's";
}

TEST(Rehearsal, AGameSurvivesAWholeSeriesOfMishaps) {
  RehearsalOptions options = short_games(arm::eezybot());
  options.mishaps = {{.what = station::Mishap::kSlippedPiece, .ply = 1},
                     {.what = station::Mishap::kTwoDiscs, .ply = 2},
                     {.what = station::Mishap::kStop, .ply = 3},
                     {.what = station::Mishap::kTakenDisc, .ply = 4},
                     {.what = station::Mishap::kEmptyMagazine, .ply = 5}};
  const auto report = run_rehearsal(options);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->finished, 1U);
  EXPECT_EQ(report->wrong_records, 0U) << report->first_wrong;
  EXPECT_GE(report->counts.misses, 1U);
  EXPECT_GE(report->counts.fouls, 2U);
  EXPECT_GE(report->counts.helps, 1U);
}

TEST(Rehearsal, ABoardThatWasBumpedIsMeasuredAndServedWhereItStands) {
  RehearsalOptions options = short_games(arm::panda());
  options.mishaps = {{.what = station::Mishap::kMovedBoard, .ply = 2}};
  const auto report = run_rehearsal(options);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->finished, 1U);
  EXPECT_EQ(report->counts.shifts, 1U);
  EXPECT_EQ(report->counts.helps, 0U);
  EXPECT_EQ(report->wrong_records, 0U) << report->first_wrong;
}

TEST(Rehearsal, RefusesAWorldFileThatIsNone) {
  const std::string file =
      std::filesystem::temp_directory_path() / ("rowbot_world_" + std::to_string(::getpid()));
  std::ofstream(file) << "not a board\n";
  RehearsalOptions options = short_games(arm::eezybot());
  options.station.world_file = file;
  EXPECT_FALSE(run_rehearsal(options).has_value());
  std::filesystem::remove(file);
}

TEST(Interruptions, StopAndRestartHaltTheArmAtOnce) {
  const auto report = run_interruptions(
      {.station = {.layout = cell::default_layout(arm::eezybot()), .seed = 2}, .count = 4});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->clean_starts, 4U) << report->first_wrong;
  EXPECT_LE(report->worst_ticks, 2);
  EXPECT_EQ(report->limit_violations, 0U);
  EXPECT_EQ(report->unwanted_contacts, 0U);
}

/// Drops into the fourth column after a first try that was halted once `now` said so.
class HaltedDrop {
 public:
  explicit HaltedDrop(const std::function<bool(const sim::World&)>& now) {
    auto station = station::open({.layout = cell::default_layout(arm::eezybot()), .seed = 5});
    EXPECT_TRUE(station.has_value());
    station_ = *std::move(station);
    cell::Hand& hand = station_->hand();
    EXPECT_TRUE(hand.prepare().has_value());
    station_->twin()->twin().world().magazine.set_feeding(false);
    const int stock = world().magazine.count();
    bool halted = false;
    station_->twin()->on_step([&](const sim::World& world) {
      if (halted || !now(world)) return;
      halted = true;
      hand.halt();
    });
    EXPECT_EQ(hand.drop(game::Column(3)).trouble, cell::HandTrouble::kFault);
    EXPECT_TRUE(halted);
    EXPECT_TRUE(hand.prepare().has_value());
    EXPECT_EQ(hand.drop(game::Column(3)).trouble, cell::HandTrouble::kNone);
    station_->wait(1);
    fetched_ = stock - world().magazine.count();
  }

  [[nodiscard]] const sim::World& world() const { return station_->twin()->twin().world(); }
  [[nodiscard]] int fetched() const { return fetched_; }

 private:
  std::unique_ptr<station::Station> station_;
  int fetched_ = 0;
};

TEST(Station, AHaltedDropGoesOnWithTheDiscItHas) {
  const HaltedDrop drop([](const sim::World& world) {
    const double lifted =
        world.arm.tool_pose().translation().z() - world.state.layout().magazine.pick_m.z();
    return world.safety.holds_piece() && lifted > 0.02;
  });
  EXPECT_EQ(drop.world().board.truth()[3][0], sim::Side::kRobot);
  EXPECT_EQ(drop.world().board.count(), 1);
  EXPECT_EQ(drop.fetched(), 1);
  EXPECT_EQ(drop.world().safety.counts().unwanted_contacts, 0U)
      << drop.world().safety.counts().first_unwanted;
}

TEST(Station, AHandHaltedInTheMagazineTouchesNothingOnItsWayOut) {
  const HaltedDrop drop([](const sim::World& world) { return world.safety.holds_piece(); });
  EXPECT_EQ(drop.world().board.truth()[3][0], sim::Side::kRobot);
  EXPECT_EQ(drop.world().safety.counts().unwanted_contacts, 0U)
      << drop.world().safety.counts().first_unwanted;
  EXPECT_EQ(drop.world().safety.counts().limit_violations, 0U);
}

/// Where a disc ends when the elbow slides off its marks while the arm carries it.
sim::BoardTruth drop_of_drifting_arm(const arm::ArmModel& model, bool aims) {
  auto station = station::open({.layout = cell::default_layout(model), .seed = 5});
  EXPECT_TRUE(station.has_value());
  sim::Twin& twin = (*station)->twin()->twin();
  if (!aims) (*station)->arm_hand()->watch_aim({});
  EXPECT_TRUE((*station)->sensor()->look().has_value());
  EXPECT_TRUE((*station)->hand().prepare().has_value());
  bool slid = false;
  (*station)->twin()->on_step([&](const sim::World& world) {
    const double lifted =
        world.arm.tool_pose().translation().z() - world.state.layout().magazine.pick_m.z();
    if (slid || !world.safety.holds_piece() || lifted < 0.02) return;
    slid = true;
    twin.inject(sim::Fault::kDriftedJoint, 2);
  });
  const cell::HandReport report = (*station)->hand().drop(game::Column(3));
  EXPECT_TRUE(slid);
  if (aims) {
    EXPECT_EQ(report.trouble, cell::HandTrouble::kNone) << report.what;
    EXPECT_GT(std::abs((*station)->arm_hand()->correction_m()), 0.003);
  }
  (*station)->wait(1);
  return twin.world().board.truth();
}

TEST(Station, AnArmThatDriftsAimsByItsMarker) {
  EXPECT_FALSE(drop_of_drifting_arm(arm::roboarm(), false)[3][0].has_value())
      << "the drift is too small to show anything";
  EXPECT_EQ(drop_of_drifting_arm(arm::roboarm(), true)[3][0], sim::Side::kRobot);
}

TEST(Station, TheMarkerIsSeenWhereTheHandStands) {
  for (const arm::ArmModel* model : {&arm::roboarm(), &arm::panda()}) {
    auto station = station::open({.layout = cell::default_layout(*model), .seed = 5});
    ASSERT_TRUE(station.has_value());
    ASSERT_TRUE((*station)->sensor()->look().has_value());
    ASSERT_TRUE((*station)->hand().prepare().has_value());
    std::vector<double> off;
    (*station)->arm_hand()->watch_aim([&]() -> std::optional<double> {
      const auto seen = (*station)->sensor()->gripper_column();
      const auto meant =
          cell::marker_seen_at((*station)->layout(), (*station)->twin()->twin().read().q_rad);
      if (seen && meant) off.push_back(*seen - *meant);
      return std::nullopt;  // it only looks on
    });
    for (const int column : {0, 6}) {
      ASSERT_EQ((*station)->hand().drop(game::Column(column)).trouble, cell::HandTrouble::kNone);
    }
    ASSERT_EQ(off.size(), 2U) << model->name;
    for (const double columns : off) EXPECT_LT(std::abs(columns), 0.08) << model->name;
  }
}

}  // namespace
}  // namespace rowbot::trials
