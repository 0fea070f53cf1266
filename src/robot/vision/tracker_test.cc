#include "robot/vision/tracker.h"

#include <gtest/gtest.h>
#include <vector>

#include "robot/vision/synthetic.h"

namespace rowbot::vision {
namespace {

using cell::CellContent;

std::vector<EyeEventKind> kinds(const std::vector<EyeEvent>& events) {
  std::vector<EyeEventKind> out;
  for (const EyeEvent& e : events) out.push_back(e.kind);
  return out;
}

// A board before a camera, frame by frame with fresh noise.
class Stage {
 public:
  Stage() {
    Rng rng(21);
    scene.cells = random_cells(rng, 12);
    scene.pitch_deg = 8;
    scene.size = {480, 360};
  }

  std::vector<EyeEvent> show(int frames) {
    std::vector<EyeEvent> all;
    for (int i = 0; i < frames; ++i) {
      scene.seed = ++seed_;
      add(all, tracker.look(render_board(scene).image));
    }
    return all;
  }

  std::vector<EyeEvent> show(const cv::Mat& image, int frames) {
    std::vector<EyeEvent> all;
    for (int i = 0; i < frames; ++i) add(all, tracker.look(image));
    return all;
  }

  // Lets a disc fall into a column.
  void drop(int column, CellContent content) {
    for (int row = cell::kBoardRows - 1; row >= 0; --row) {
      CellContent& c = scene.cells[cell::cell_index(column, row)];
      if (c != CellContent::kEmpty) continue;
      c = content;
      return;
    }
  }

  BoardScene scene;
  Tracker tracker;

 private:
  static void add(std::vector<EyeEvent>& all, const Result<std::vector<EyeEvent>>& events) {
    ASSERT_TRUE(events.has_value()) << events.error().message;
    all.insert(all.end(), events->begin(), events->end());
  }

  std::uint64_t seed_ = 100;
};

TEST(Tracker, FindsTheBoardOnceAndThenStaysQuiet) {
  Stage stage;
  const auto events = stage.show(6);
  EXPECT_EQ(kinds(events), std::vector{EyeEventKind::kBoardFound});
  EXPECT_EQ(stage.tracker.board(), stage.scene.cells);
}

TEST(Tracker, BelievesADropOnlyOnTheSecondLook) {
  Stage stage;
  stage.show(4);
  stage.drop(4, CellContent::kFirst);
  int frames = 0;
  std::vector<EyeEvent> events;
  while (events.empty() && frames < 6) {
    events = stage.show(1);
    ++frames;
  }
  ASSERT_EQ(kinds(events), std::vector{EyeEventKind::kDrop});
  EXPECT_GE(frames, 2);
  EXPECT_EQ(events[0].column, 4);
  EXPECT_EQ(events[0].content, CellContent::kFirst);
  EXPECT_EQ(stage.tracker.board(), stage.scene.cells);
}

TEST(Tracker, FollowsAWholeSequenceOfDrops) {
  Stage stage;
  stage.show(4);
  CellContent next = CellContent::kFirst;
  for (const int column : {0, 3, 3, 6, 1, 5}) {
    stage.drop(column, next);
    const auto events = stage.show(4);
    ASSERT_EQ(kinds(events), std::vector{EyeEventKind::kDrop}) << column;
    EXPECT_EQ(events[0].column, column);
    EXPECT_EQ(events[0].content, next);
    next = next == CellContent::kFirst ? CellContent::kSecond : CellContent::kFirst;
  }
}

TEST(Tracker, IgnoresADiscThatIsSeenInOneFrameOnly) {
  Stage stage;
  stage.show(4);
  const auto before = stage.scene.cells;
  stage.drop(2, CellContent::kFirst);
  auto events = stage.show(1);
  stage.scene.cells = before;
  const auto more = stage.show(4);
  events.insert(events.end(), more.begin(), more.end());
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(stage.tracker.board(), before);
}

TEST(Tracker, NoticesAVanishedDisc) {
  Stage stage;
  stage.show(4);
  stage.drop(4, CellContent::kFirst);
  stage.show(4);
  for (int row = 0; row < cell::kBoardRows; ++row) {
    CellContent& c = stage.scene.cells[cell::cell_index(4, row)];
    if (c == CellContent::kEmpty) continue;
    c = CellContent::kEmpty;
    break;
  }
  const auto events = stage.show(4);
  ASSERT_EQ(kinds(events), std::vector{EyeEventKind::kVanished});
  EXPECT_EQ(events[0].column, 4);
}

TEST(Tracker, NoticesTwoDiscsAtOnce) {
  Stage stage;
  stage.show(4);
  stage.drop(1, CellContent::kFirst);
  stage.drop(5, CellContent::kSecond);
  EXPECT_EQ(kinds(stage.show(4)), std::vector{EyeEventKind::kTwoAtOnce});
}

TEST(Tracker, WaitsForTheHandToLeaveBeforeItBelievesADrop) {
  Stage stage;
  stage.show(4);
  stage.drop(3, CellContent::kFirst);
  stage.scene.hand = true;
  // The hand's place follows the seed, so one frame is shown again and again.
  stage.scene.seed = 5;
  const auto during = stage.show(render_board(stage.scene).image, 4);
  EXPECT_EQ(kinds(during), std::vector{EyeEventKind::kHand});
  stage.scene.hand = false;
  const auto after = stage.show(6);
  EXPECT_EQ(kinds(after), (std::vector{EyeEventKind::kHandGone, EyeEventKind::kDrop}));
}

TEST(Tracker, FollowsABoardThatWasMoved) {
  Stage stage;
  stage.show(4);
  stage.scene.offset = {0.07, 0.05};
  const auto events = stage.show(6);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].kind, EyeEventKind::kBoardMoved);
  EXPECT_EQ(stage.tracker.board(), stage.scene.cells);
  stage.drop(0, CellContent::kFirst);
  EXPECT_EQ(kinds(stage.show(4)), std::vector{EyeEventKind::kDrop});
}

TEST(Tracker, SaysThatTheCameraIsCovered) {
  Stage stage;
  stage.show(4);
  const cv::Mat dark(360, 480, CV_8UC3, cv::Scalar(12, 10, 11));
  EXPECT_EQ(kinds(stage.show(dark, 5)), std::vector{EyeEventKind::kCovered});
  EXPECT_EQ(kinds(stage.show(5)), std::vector{EyeEventKind::kHandGone});
  EXPECT_EQ(stage.tracker.board(), stage.scene.cells);
}

TEST(Tracker, SaysNothingWithoutABoard) {
  Stage stage;
  EXPECT_TRUE(stage.show(render_decoy(1).image, 4).empty());
  EXPECT_FALSE(stage.tracker.board().has_value());
}

}  // namespace
}  // namespace rowbot::vision
