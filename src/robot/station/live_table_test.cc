#include "robot/station/live_table.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

namespace rowbot::station {
namespace {

using game::Column;
using table::Request;
using table::TableState;
using View = std::shared_ptr<const LiveTableView>;

constexpr std::chrono::seconds kPatience{120};  // on a busy machine, under sanitizers

LiveTableOptions hasty() {
  return {.layout = cell::default_layout(arm::eezybot()),
          .agent = "forward",
          .speed = 1000,
          .views_per_s = 200,
          .result_shown_s = 0.5};
}

/// Looks until the view is as wanted; the last look either way.
View look_until(LiveTable& table, const std::function<bool(const LiveTableView&)>& wanted) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  View view = table.latest();
  while (!wanted(*view) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    view = table.latest();
  }
  EXPECT_TRUE(wanted(*view)) << table::state_text(view->table->state) << ": "
                             << view->table->message << view->trouble;
  return view;
}

bool waits_for_move(const LiveTableView& view, std::size_t ply) {
  return view.table->request == Request::kPlay && view.table->record &&
         view.table->record->moves.size() == ply;
}

std::size_t humans_of(const LiveTableView& view) {
  return static_cast<std::size_t>(
      std::count_if(view.poses.pieces.begin(), view.poses.pieces.end(),
                    [](const sim::ScenePiece& piece) { return piece.side == sim::Side::kHuman; }));
}

TEST(LiveTable, AWishedDiscFallsAndTheRobotAnswers) {
  LiveTable table(hasty());
  const View before = look_until(table, [](const auto& v) { return waits_for_move(v, 0); });
  ASSERT_TRUE(before->scene);
  EXPECT_EQ(humans_of(*before), 0U);
  table.play({.column = Column(2), .game = before->table->game, .ply = 0});
  const View moving =
      look_until(table, [](const auto& v) { return v.table->state == TableState::kMoving; });
  EXPECT_TRUE(moving->table->target.has_value());
  EXPECT_EQ(moving->table->record->moves, std::vector{Column(2)});
  EXPECT_EQ(humans_of(*moving), 1U);
  const View after = look_until(table, [](const auto& v) { return waits_for_move(v, 2); });
  EXPECT_GT(after->poses.time_s, moving->poses.time_s);
  ASSERT_TRUE(after->picture);
  EXPECT_EQ(after->picture->jpeg.substr(0, 2), "\xff\xd8") << "a JPEG";
  // The same wish again is of a move long made.
  table.play({.column = Column(2), .game = after->table->game, .ply = 0});
  const View still =
      look_until(table, [&](const auto& v) { return v.poses.time_s > after->poses.time_s + 3; });
  EXPECT_EQ(still->table->record->moves.size(), 2U);
}

TEST(LiveTable, AStopHoldsUntilSomebodyResumesAndARestartWaitsForIt) {
  LiveTable table(hasty());
  const View first = look_until(table, [](const auto& v) { return waits_for_move(v, 0); });
  table.play({.column = Column(3), .game = first->table->game, .ply = 0});
  look_until(table, [](const auto& v) { return v.table->state == TableState::kMoving; });
  table.stop();
  table.restart();
  const View stopped =
      look_until(table, [](const auto& v) { return v.table->state == TableState::kStopped; });
  const View later =
      look_until(table, [&](const auto& v) { return v.poses.time_s > stopped->poses.time_s + 5; });
  EXPECT_EQ(later->table->state, TableState::kStopped);
  EXPECT_EQ(later->table->game, first->table->game);
  table.resume();
  const View next = look_until(table, [&](const auto& v) {
    return v.table->game > first->table->game && waits_for_move(v, 0);
  });
  EXPECT_EQ(humans_of(*next), 0U) << "the board was emptied for the new game";
}

TEST(LiveTable, SleepsWhileNobodyLooks) {
  LiveTableOptions options = hasty();
  options.linger = std::chrono::milliseconds(50);
  LiveTable table(options);
  EXPECT_FALSE(table.awake()) << "nobody has looked yet";
  look_until(table, [](const auto& v) { return v.number > 0; });
  while (table.awake()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const std::clock_t begin = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC / 50) << "processor time while asleep";
  const View asleep = table.latest();
  look_until(table, [&](const auto& v) { return v.poses.time_s > asleep->poses.time_s; });
}

TEST(LiveTable, SaysWhyThereIsNoTable) {
  LiveTableOptions options = hasty();
  options.agent = "nobody";
  LiveTable table(options);
  const View view = look_until(table, [](const auto& v) { return !v.trouble.empty(); });
  EXPECT_NE(view->trouble.find("nobody"), std::string::npos) << view->trouble;
}

}  // namespace
}  // namespace rowbot::station
