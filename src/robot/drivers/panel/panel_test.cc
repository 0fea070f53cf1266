#include <algorithm>
#include <cerrno>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "robot/drivers/panel/switch_panel.h"
#include "robot/drivers/text_files.h"

namespace rowbot::drivers {
namespace {

/// A chip whose lines follow a script, in a time of their own.
class ScriptedChip final : public InputLines {
 public:
  explicit ScriptedChip(std::size_t lines) : levels_(lines, true) {}

  void edge(std::size_t line, bool high, Nanoseconds time) {
    script_.push_back({.index = line, .high = high, .time = time});
  }
  /// The level changes, but the kernel had no room left to tell.
  void lost_edge(std::size_t line, bool high, Nanoseconds time) {
    edge(line, high, time);
    lost_.push_back(time);
  }
  /// Closed from `from` to `to`, with bounces of at most `bounce` at both ends.
  void press(std::size_t line, Nanoseconds from, Nanoseconds to, Nanoseconds bounce, Rng& rng) {
    chatter(line, false, from, bounce, rng);
    chatter(line, true, to, bounce, rng);
  }
  void begin_with(std::size_t line, bool high) { levels_[line] = high; }
  void unplug(Nanoseconds time) { unplugged_ = time; }

  Result<std::vector<Edge>> wait(Nanoseconds timeout) override {
    if (!sorted_) std::ranges::stable_sort(script_, {}, &Edge::time);
    sorted_ = true;
    const Nanoseconds end = now_ + std::max(timeout, Nanoseconds(0));
    if (unplugged_ && *unplugged_ <= end) return device_error("read", "/dev/gpiochip0", ENODEV);
    std::vector<Edge> edges;
    while (edges.empty() && next_ < script_.size() && script_[next_].time <= end) {
      now_ = std::max(now_, script_[next_].time);
      for (; next_ < script_.size() && script_[next_].time <= now_; ++next_) {
        levels_[script_[next_].index] = script_[next_].high;
        const bool told = std::ranges::find(lost_, script_[next_].time) == lost_.end();
        if (told) edges.push_back(script_[next_]);
      }
    }
    if (edges.empty()) now_ = end;
    return edges;
  }
  Result<std::vector<bool>> levels() override { return levels_; }
  [[nodiscard]] Nanoseconds now() const override { return now_; }

 private:
  void chatter(std::size_t line, bool high, Nanoseconds from, Nanoseconds bounce, Rng& rng) {
    edge(line, high, from);
    const Nanoseconds end = from + bounce;
    for (Nanoseconds t = from;;) {
      const Nanoseconds off = t + std::chrono::microseconds(1 + rng.below(6000));
      const Nanoseconds on = off + std::chrono::microseconds(1 + rng.below(6000));
      if (on >= end) return;
      edge(line, !high, off);
      edge(line, high, on);
      t = on;
    }
  }

  std::vector<bool> levels_;
  std::vector<Edge> script_;
  std::vector<Nanoseconds> lost_;
  std::size_t next_ = 0;
  bool sorted_ = false;
  Nanoseconds now_{};
  std::optional<Nanoseconds> unplugged_;
};

std::vector<cell::PanelEvent> all_events(std::unique_ptr<ScriptedChip> chip, Nanoseconds until) {
  const ScriptedChip* clock = chip.get();
  auto panel = SwitchPanel::open(std::move(chip), {});
  EXPECT_TRUE(panel.has_value());
  std::vector<cell::PanelEvent> events;
  while (clock->now() < until) {
    auto event = (*panel)->next(until - clock->now());
    EXPECT_TRUE(event.has_value());
    if (!event || !*event) break;
    events.push_back(**event);
  }
  return events;
}

TEST(SwitchPanel, EveryPressCountsOnceAndInOrderHoweverTheContactsBounce) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Rng rng(seed);
    auto chip = std::make_unique<ScriptedChip>(10);
    std::vector<int> pressed;
    Nanoseconds time = std::chrono::milliseconds(10);
    std::array<Nanoseconds, 7> free{};
    for (int k = 0; k < 12; ++k) {
      // Now and then two columns within a few milliseconds of each other.
      time += std::chrono::microseconds(200 + rng.below(rng.below(3) == 0 ? 5000 : 400000));
      const std::size_t column = rng.below(7);
      if (free[column] > time) continue;
      const Nanoseconds bounce = std::chrono::microseconds(rng.below(20000));
      const Nanoseconds end = time + bounce + std::chrono::microseconds(5000 + rng.below(300000));
      chip->press(column, time, end, bounce, rng);
      free[column] = end + std::chrono::milliseconds(20 + 30);
      pressed.push_back(static_cast<int>(column));
    }
    const auto events = all_events(std::move(chip), std::chrono::seconds(20));
    std::vector<int> counted;
    for (const cell::PanelEvent& event : events) {
      if (const auto* press = std::get_if<cell::ColumnPressed>(&event.what)) {
        counted.push_back(press->column.index());
      }
    }
    ASSERT_EQ(counted, pressed) << "seed " << seed;
    ASSERT_TRUE(std::ranges::is_sorted(events, {}, &cell::PanelEvent::time)) << "seed " << seed;
  }
}

TEST(SwitchPanel, ASparkIsNoPress) {
  auto chip = std::make_unique<ScriptedChip>(10);
  chip->edge(2, false, std::chrono::milliseconds(50));
  chip->edge(2, true, std::chrono::milliseconds(51));
  const auto events = all_events(std::move(chip), std::chrono::seconds(1));
  ASSERT_EQ(events.size(), 1U);  // the level at the start
  EXPECT_TRUE(std::holds_alternative<cell::LevelChanged>(events[0].what));
}

TEST(SwitchPanel, AStuckSwitchIsNamedOnceAndTheOthersGoOn) {
  Rng rng(1);
  auto chip = std::make_unique<ScriptedChip>(10);
  chip->edge(4, false, std::chrono::milliseconds(100));  // and never again
  chip->press(0, std::chrono::seconds(5), std::chrono::seconds(5) + std::chrono::milliseconds(80),
              std::chrono::milliseconds(8), rng);
  const auto events = all_events(std::move(chip), std::chrono::seconds(30));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(std::get<cell::ColumnPressed>(events[1].what).column, game::Column(4));
  EXPECT_EQ(std::get<cell::SwitchStuck>(events[2].what).name, "column 5");
  EXPECT_EQ(events[2].time, std::chrono::milliseconds(3100));
  EXPECT_EQ(std::get<cell::ColumnPressed>(events[3].what).column, game::Column(0));
}

TEST(SwitchPanel, ASwitchThatIsClosedAtTheStartWasNotPressed) {
  auto chip = std::make_unique<ScriptedChip>(10);
  chip->begin_with(9, false);
  const auto events = all_events(std::move(chip), std::chrono::seconds(10));
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(std::get<cell::SwitchStuck>(events[1].what).name, "restart");
}

TEST(SwitchPanel, TheRockerTellsWhereItStaysAndNotWhereItPasses) {
  Rng rng(3);
  auto chip = std::make_unique<ScriptedChip>(10);
  chip->begin_with(7, false);  // moderate
  chip->edge(7, true, std::chrono::seconds(1));
  chip->edge(8, false,
             std::chrono::seconds(1) + std::chrono::milliseconds(40));  // over the middle to hard
  chip->press(9, std::chrono::seconds(2), std::chrono::seconds(2) + std::chrono::milliseconds(150),
              std::chrono::milliseconds(15), rng);
  chip->edge(8, true, std::chrono::seconds(3));  // easy
  const auto events = all_events(std::move(chip), std::chrono::seconds(6));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(std::get<cell::LevelChanged>(events[0].what).level, cell::PanelLevel::kModerate);
  EXPECT_EQ(std::get<cell::LevelChanged>(events[1].what).level, cell::PanelLevel::kHard);
  EXPECT_TRUE(std::holds_alternative<cell::RestartPressed>(events[2].what));
  EXPECT_EQ(std::get<cell::LevelChanged>(events[3].what).level, cell::PanelLevel::kEasy);
}

TEST(SwitchPanel, BothSidesOfTheRockerClosedIsAFaultOfTheWiring) {
  auto chip = std::make_unique<ScriptedChip>(10);
  chip->begin_with(7, false);
  chip->begin_with(8, false);
  const auto events = all_events(std::move(chip), std::chrono::seconds(1));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(std::get<cell::SwitchStuck>(events[0].what).name, "rocker");
}

TEST(SwitchPanel, AnEdgeThatTheKernelLostIsMadeUpFor) {
  auto chip = std::make_unique<ScriptedChip>(10);
  chip->edge(3, false, std::chrono::milliseconds(100));
  chip->lost_edge(3, true, std::chrono::milliseconds(200));
  chip->edge(3, false, std::chrono::milliseconds(4000));
  chip->edge(3, true, std::chrono::milliseconds(4100));
  const auto events = all_events(std::move(chip), std::chrono::seconds(6));
  ASSERT_EQ(events.size(), 3U);  // level, two presses, and nothing is stuck
  EXPECT_TRUE(std::holds_alternative<cell::ColumnPressed>(events[1].what));
  EXPECT_TRUE(std::holds_alternative<cell::ColumnPressed>(events[2].what));
}

TEST(SwitchPanel, AChipThatIsUnpluggedIsAnErrorInWords) {
  auto chip = std::make_unique<ScriptedChip>(10);
  chip->unplug(std::chrono::seconds(1));
  auto panel = SwitchPanel::open(std::move(chip), {});
  ASSERT_TRUE(panel.has_value());
  ASSERT_TRUE((*panel)->next(std::chrono::milliseconds(10)).has_value());
  const auto gone = (*panel)->next(std::chrono::seconds(5));
  ASSERT_FALSE(gone.has_value());
  EXPECT_THAT(gone.error().message, testing::HasSubstr("plugged in"));
}

TEST(SwitchPanel, ReturnsWithNothingWhenTheTimeIsOver) {
  auto panel = SwitchPanel::open(std::make_unique<ScriptedChip>(10), {});
  ASSERT_TRUE((*panel)->next(std::chrono::milliseconds(10))->has_value());  // the level
  const auto nothing = (*panel)->next(std::chrono::milliseconds(10));
  ASSERT_TRUE(nothing.has_value());
  EXPECT_FALSE(nothing->has_value());
  EXPECT_FALSE((*panel)->next(std::chrono::milliseconds(0))->has_value());
}

TEST(SwitchPanel, OpeningAChipThatIsNotThereSaysWhatToDo) {
  const auto panel = SwitchPanel::open({.chip = "/dev/no-such-gpiochip"});
  ASSERT_FALSE(panel.has_value());
  EXPECT_THAT(panel.error().message, testing::HasSubstr("rowbot doctor"));
}

}  // namespace
}  // namespace rowbot::drivers
