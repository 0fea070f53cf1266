#include "robot/station/live_table.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

#include "game/moves_text.h"

namespace rowbot::station {
namespace {

using game::Column;
using table::Request;
using table::TableState;
using table::TableView;
using table::Verdict;

constexpr std::chrono::seconds kPatience{120};  // on a busy machine, under sanitizers

LiveTableOptions hasty() {
  LiveTableOptions options{.agent = "forward", .views_per_s = 200, .result_shown_s = 0.5};
  options.station = *configure({.robot = "eezybot"});
  options.station.speed = 1000;
  return options;
}

std::unique_ptr<LiveTable> opened(const LiveTableOptions& options) {
  auto table = LiveTable::open(options);
  EXPECT_TRUE(table) << table.error().message;
  return *std::move(table);
}

/// Looks until the view is as wanted; the last look either way.
TableView look_until(LiveTable& table, const std::function<bool(const TableView&)>& wanted) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  TableView view = table.look();
  while (!wanted(view) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    view = table.look();
  }
  EXPECT_TRUE(wanted(view)) << table::state_text(view.table->state) << ": " << view.table->message
                            << view.trouble;
  return view;
}

bool waits_for_move(const TableView& view, std::size_t ply) {
  return view.table->request == Request::kPlay && view.table->record &&
         view.table->record->game.moves().size() == ply;
}

/// Simulated time passes; in all until then.
double pass(LiveTable& table, double seconds) {
  const double until_s = table.poses().time_s + seconds;
  look_until(table, [&](const TableView&) { return table.poses().time_s > until_s; });
  return table.poses().time_s;
}

std::size_t humans_of(const LiveTable& table) {
  const auto pieces = table.poses().pieces;
  return static_cast<std::size_t>(
      std::count_if(pieces.begin(), pieces.end(),
                    [](const sim::ScenePiece& piece) { return piece.side == sim::Side::kHuman; }));
}

TEST(LiveTable, AWishedDiscFallsAndTheRobotAnswers) {
  const auto table = opened(hasty());
  look_until(*table, [](const auto& v) { return v.poses && waits_for_move(v, 0); });
  const TableView before = table->look();
  ASSERT_TRUE(before.scene);
  EXPECT_EQ(humans_of(*table), 0U);
  const table::MoveWish wish{.column = Column(2), .game = before.table->game, .ply = 0};
  EXPECT_EQ(table->play(wish), Verdict::kFine);
  const TableView moving =
      look_until(*table, [](const auto& v) { return v.table->state == TableState::kMoving; });
  EXPECT_TRUE(moving.table->target.has_value());
  EXPECT_EQ(game::moves_text(moving.table->record->game.moves()), "3");
  EXPECT_EQ(table->play({.column = Column(2), .game = wish.game, .ply = 1}), Verdict::kNotYourTurn);
  const TableView after = look_until(*table, [](const auto& v) { return waits_for_move(v, 2); });
  EXPECT_EQ(humans_of(*table), 1U);
  EXPECT_NE(*after.poses, *before.poses);
  ASSERT_TRUE(after.camera);
  EXPECT_EQ(after.camera->substr(0, 2), "\xff\xd8") << "a JPEG";
  EXPECT_EQ(table->play(wish), Verdict::kStale) << "of a move long made";
  pass(*table, 3);
  EXPECT_EQ(table->look().table->record->game.moves().size(), 2U);
}

TEST(LiveTable, AGameThatIsGivenUpAsksNobodyForAMove) {
  const auto table = opened(hasty());
  const TableView first = look_until(*table, [](const auto& v) { return waits_for_move(v, 0); });
  table->restart();
  EXPECT_TRUE(waits_for_move(table->look(), 0)) << "nobody has played yet";
  EXPECT_EQ(table->play({.column = Column(3), .game = first.table->game, .ply = 0}),
            Verdict::kFine);
  look_until(*table, [](const auto& v) { return waits_for_move(v, 2); });
  table->restart();
  const TableView between = table->look();
  if (between.table->game == first.table->game) {
    EXPECT_EQ(between.table->request, Request::kNothing);
    EXPECT_NE(table->play({.column = Column(3), .game = first.table->game, .ply = 2}),
              Verdict::kFine);
  }
  look_until(*table, [&](const auto& v) {
    return v.table->game > first.table->game && waits_for_move(v, 0);
  });
  EXPECT_EQ(humans_of(*table), 0U) << "the board was emptied for the new game";
}

TEST(LiveTable, AStopHoldsUntilSomebodyResumesAndARestartWaitsForIt) {
  const auto table = opened(hasty());
  const TableView first = look_until(*table, [](const auto& v) { return waits_for_move(v, 0); });
  EXPECT_EQ(table->play({.column = Column(3), .game = first.table->game, .ply = 0}),
            Verdict::kFine);
  look_until(*table, [](const auto& v) { return v.table->state == TableState::kMoving; });
  table->stop();
  table->restart();
  look_until(*table, [](const auto& v) { return v.table->state == TableState::kStopped; });
  pass(*table, 5);
  const TableView later = table->look();
  EXPECT_EQ(later.table->state, TableState::kStopped);
  EXPECT_EQ(later.table->game, first.table->game);
  table->resume();
  look_until(*table, [&](const auto& v) {
    return v.table->game > first.table->game && waits_for_move(v, 0);
  });
  pass(*table, 0.1);
  EXPECT_EQ(humans_of(*table), 0U) << "the board was emptied for the new game";
}

TEST(LiveTable, SleepsWhileNobodyLooks) {
  LiveTableOptions options = hasty();
  options.linger = std::chrono::milliseconds(50);
  const auto table = opened(options);
  EXPECT_FALSE(table->awake()) << "nobody has looked yet";
  look_until(*table, [](const auto& v) { return v.poses != nullptr; });
  while (table->awake()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const std::clock_t begin = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC / 50) << "processor time while asleep";
  pass(*table, 0.1);
}

TEST(LiveTable, SaysWhyThereIsNoTable) {
  LiveTableOptions options = hasty();
  options.agent = "nobody";
  const auto table = opened(options);
  const TableView view = look_until(*table, [](const auto& v) { return !v.trouble.empty(); });
  EXPECT_NE(view.trouble.find("nobody"), std::string::npos) << view.trouble;
}

TEST(LiveTable, RealPartsAreOpenedAtOnce) {
  LiveTableOptions options = hasty();
  options.station = *configure({.driver = "none", .senses = "keys,camera", .camera = "/nowhere"});
  const auto table = LiveTable::open(options);
  ASSERT_FALSE(table);
  EXPECT_NE(table.error().message.find("/nowhere"), std::string::npos) << table.error().message;
}

/// The same LiveTable without a twin: the visitor says where the disc is, people move for the
/// robot, and everybody sees how the game ended before the next begins.
TEST(LiveTable, ATableWithoutAnythingSimulatedIsPlayedToItsEnd) {
  LiveTableOptions options = hasty();
  options.station = *configure({.driver = "none", .senses = "keys"});
  options.agent = "random";
  options.result_shown_s = 1;
  const auto table = opened(options);
  TableView view = table->look();
  while (!(view.table->record && view.table->record->over())) {
    view = look_until(*table, [](const auto& v) {
      return v.table->request == Request::kPlay || (v.table->record && v.table->record->over());
    });
    if (view.table->record->over()) break;
    const auto& game = view.table->record->game;
    for (const Column column : game::kAllColumns) {
      if (game.judge(column) != Verdict::kFine) continue;
      EXPECT_EQ(
          table->play({.column = column, .game = view.table->game, .ply = game.moves().size()}),
          Verdict::kFine);
      break;
    }
    look_until(*table, [&, made = game.moves().size()](const auto& v) {
      return v.table->record->game.moves().size() > made;
    });
    view = table->look();
  }
  EXPECT_EQ(view.table->state, TableState::kOver);
  const TableView last = look_until(*table, [](const auto& v) { return v.poses != nullptr; });
  EXPECT_TRUE(last.scene);
  look_until(*table, [&](const auto& v) { return v.table->game > view.table->game; });
}

}  // namespace
}  // namespace rowbot::station
