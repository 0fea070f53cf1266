// The panel of switches on the kernel's GPIO interface: a finger on the far side presses, bounces
// and lets go; the events must be what a person meant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "far_side.h"
#include "robot/drivers/panel/switch_panel.h"

namespace rowbot::hardware {
namespace {

using cell::ColumnPressed;
using cell::LevelChanged;
using cell::PanelEvent;
using cell::PanelLevel;
using cell::RestartPressed;
using cell::SwitchStuck;
using drivers::SwitchPanel;
using testing::ElementsAreArray;
using testing::HasSubstr;

class Panel : public testing::Test {
 protected:
  void SetUp() override {
    wiring_.chip = gpio_device();
    wiring_.stuck_s = 0.5;
    auto opened = SwitchPanel::open(wiring_);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    panel_ = *std::move(opened);
    const auto first = panel_->next(std::chrono::seconds(1));  // where the rocker stands
    ASSERT_TRUE(first.has_value() && first->has_value());
    ASSERT_TRUE(std::holds_alternative<LevelChanged>((*first)->what));
  }
  void TearDown() override {
    panel_.reset();
    for (const int line : drivers::panel_lines(wiring_)) pull(line, true);
  }

  /// A contact does not close at once: it touches and leaves a few times first. No pause is as
  /// long as a real touch or a real release.
  void change(int line, bool high) {
    const std::uint64_t bounces = rng_.below(7);
    for (std::uint64_t i = 0; i < bounces; ++i) {
      pull(line, high);
      wait_ms(0.05 * static_cast<double>(rng_.below(20)));
      pull(line, !high);
      wait_ms(0.05 * static_cast<double>(rng_.below(20)));
    }
    pull(line, high);
  }
  /// Everything until nothing has happened for a quarter of a second.
  std::vector<PanelEvent> events() {
    std::vector<PanelEvent> seen;
    while (true) {
      auto event = panel_->next(std::chrono::milliseconds(250));
      EXPECT_TRUE(event.has_value()) << event.error().message;
      if (!event || !*event) return seen;
      seen.push_back(**event);
    }
  }
  /// Columns from 1, and 0 for everything that is no column.
  static std::vector<int> columns(const std::vector<PanelEvent>& events) {
    std::vector<int> columns;
    for (const PanelEvent& event : events) {
      const auto* pressed = std::get_if<ColumnPressed>(&event.what);
      columns.push_back(pressed == nullptr ? 0 : pressed->column.index() + 1);
    }
    return columns;
  }
  [[nodiscard]] int line_of(int column) const {
    return wiring_.columns.at(static_cast<std::size_t>(column - 1));
  }

  drivers::PanelWiring wiring_;
  std::unique_ptr<SwitchPanel> panel_;
  Rng rng_{7};
};

TEST_F(Panel, AsksTheKernelForPullUps) {
  panel_.reset();
  for (const int line : drivers::panel_lines(wiring_)) pull(line, false);
  auto opened = SwitchPanel::open(wiring_);
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  for (const int line : drivers::panel_lines(wiring_)) {
    EXPECT_EQ(pull_of(line), "pull-up") << "line " << line;
  }
}

TEST_F(Panel, SeesEveryPressOnceAndInOrderWhateverTheContactsDo) {
  std::vector<int> pressed;
  std::jthread finger([&] {
    for (int i = 0; i < 40; ++i) {
      const int column = 1 + static_cast<int>(rng_.below(7));
      pressed.push_back(column);
      change(line_of(column), false);
      wait_ms(15 + static_cast<double>(rng_.below(40)));
      change(line_of(column), true);
      wait_ms(40);
    }
  });
  const std::vector<PanelEvent> seen = events();
  finger.join();
  EXPECT_THAT(columns(seen), ElementsAreArray(pressed));
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_LT(seen[i - 1].time, seen[i].time);
}

TEST_F(Panel, KeepsTheOrderOfTouchesThatAreAMillisecondApart) {
  const std::vector<int> order = {5, 2, 7, 1, 6, 3, 4};
  for (const int column : order) {
    pull(line_of(column), false);
    wait_ms(1);
  }
  wait_ms(20);
  // Let go the other way round: that must not matter. Nobody has listened yet.
  for (int column = 7; column >= 1; --column) change(line_of(column), true);
  EXPECT_THAT(columns(events()), ElementsAreArray(order));
}

TEST_F(Panel, TakesASparkForNothing) {
  for (int spark = 0; spark < 20; ++spark) {
    const auto before = std::chrono::steady_clock::now();
    pull(line_of(3), false);
    pull(line_of(3), true);
    ASSERT_LT(std::chrono::steady_clock::now() - before, std::chrono::microseconds(1900))
        << "the machine is too slow for a spark";
    wait_ms(30);
  }
  EXPECT_TRUE(events().empty());
}

TEST_F(Panel, NamesTheSwitchThatStaysClosed) {
  change(line_of(6), false);
  wait_ms(700);
  const std::vector<PanelEvent> seen = events();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(std::get<ColumnPressed>(seen[0].what).column, game::Column(5));
  EXPECT_EQ(std::get<SwitchStuck>(seen[1].what).name, "column 6");
}

TEST_F(Panel, ReadsRockerAndRestart) {
  std::jthread finger([&] {
    change(wiring_.rocker[0], false);
    wait_ms(180);
    change(wiring_.rocker[0], true);
    wait_ms(10);  // past its middle, where it does not rest
    change(wiring_.rocker[1], false);
    wait_ms(180);
    change(wiring_.restart, false);
    wait_ms(30);
    change(wiring_.restart, true);
    wait_ms(50);
    change(wiring_.rocker[1], true);
  });
  const std::vector<PanelEvent> seen = events();
  finger.join();
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(std::get<LevelChanged>(seen[0].what).level, PanelLevel::kModerate);
  EXPECT_EQ(std::get<LevelChanged>(seen[1].what).level, PanelLevel::kHard);
  EXPECT_TRUE(std::holds_alternative<RestartPressed>(seen[2].what));
  EXPECT_EQ(std::get<LevelChanged>(seen[3].what).level, PanelLevel::kEasy);
}

TEST_F(Panel, SaysWhoHasTheLinesWhenTheyAreTaken) {
  const auto second = SwitchPanel::open(wiring_);
  ASSERT_FALSE(second.has_value());
  EXPECT_THAT(second.error().message, HasSubstr(wiring_.chip));
  wiring_.restart = 99;
  const auto beyond = SwitchPanel::open(wiring_);
  ASSERT_FALSE(beyond.has_value());
  EXPECT_THAT(beyond.error().message, HasSubstr("there is no line 99"));
  wiring_.restart = 25;
}

}  // namespace
}  // namespace rowbot::hardware
