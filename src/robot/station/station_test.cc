#include "robot/station/station.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/videoio.hpp>

#include "base/temporary_folder.h"
#include "fmt/format.h"
#include "game/moves_text.h"
#include "robot/arm/forward.h"
#include "robot/station/station_table.h"
#include "robot/vision/reader.h"
#include "robot/vision/synthetic.h"

namespace rowbot::station {
namespace {

using game::Column;
using ::testing::HasSubstr;

/// The arm alone: no camera has to be drawn for.
StationConfig without_senses(const std::string& driver) {
  auto config = configure({.driver = driver});
  EXPECT_TRUE(config) << config.error().message;
  config->senses = {.camera = false, .keys = true};
  config->camera = "none";
  return *config;
}

std::unique_ptr<Station> opened(const StationConfig& config) {
  auto station = open(config);
  EXPECT_TRUE(station) << station.error().message;
  return station ? *std::move(station) : nullptr;
}

class EverySimulatedArm : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Drivers, EverySimulatedArm,
                         testing::Values("sim", "servo:sim", "serial:sim", "rosbridge:sim"));

TEST_P(EverySimulatedArm, DropsADiscIntoTheTwin) {
  const auto station = opened(without_senses(GetParam()));
  ASSERT_TRUE(station);
  EXPECT_EQ(station->sensor(), nullptr);
  EXPECT_EQ(station->panel(), nullptr);
  const double before_s = station->now_s();
  ASSERT_TRUE(station->hand().prepare());
  const cell::HandReport report = station->hand().drop(Column(3));
  EXPECT_EQ(report.trouble, cell::HandTrouble::kNone) << report.what;
  station->wait(1);
  EXPECT_GT(station->now_s(), before_s + 1) << "simulated time";
  EXPECT_EQ(station->twin()->twin().world().board.truth()[3][0], sim::Side::kRobot);
}

TEST(Station, TheTwinsCameraAndSwitchesSenseADisc) {
  StationConfig config = *configure({});
  config.senses.switches = true;
  const auto station = opened(config);
  ASSERT_TRUE(station && station->sensor() != nullptr && station->panel() != nullptr);
  ASSERT_TRUE(station->twin()->twin().human_drop(Column(5)));
  station->wait(2);
  const auto reading = station->sensor()->look();
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_EQ(cell::board_text(reading->board), "......./......./......./......./......./.....A.");
  bool pressed = false;
  for (auto event = station->panel()->next({}); event && *event;
       event = station->panel()->next({})) {
    const auto* column = std::get_if<cell::ColumnPressed>(&(*event)->what);
    pressed = pressed || (column != nullptr && column->column == Column(5));
  }
  EXPECT_TRUE(pressed);
}

TEST(Station, WithoutAnArmPeopleMoveAndNothingIsSimulated) {
  const auto station = opened(without_senses("none"));
  ASSERT_TRUE(station);
  EXPECT_EQ(station->arm(), nullptr);
  EXPECT_EQ(station->arm_hand(), nullptr);
  EXPECT_EQ(station->twin(), nullptr);
  EXPECT_TRUE(station->hand().prepare());
  EXPECT_EQ(station->hand().drop(Column(0)).trouble, cell::HandTrouble::kNone);
  for (const sim::SceneBody& body : station->scene().bodies) EXPECT_FALSE(body.moves) << body.name;
}

/// Nothing is behind the wire, and nothing is sent before somebody prepares the hand.
TEST(Station, ARealArmIsDrawnFromItsModel) {
  const auto station = opened(without_senses("serial:/nowhere/tty"));
  ASSERT_TRUE(station);
  EXPECT_EQ(station->twin(), nullptr);
  EXPECT_FALSE(station->hand().prepare()) << "there is no such line";
  table::Session session(
      {.first = {}, .second = {.agent = "forward"}, .start = {Column(3), Column(3)}});
  table::TableSnapshot now;
  now.record = session.snapshot();
  const sim::SceneExport scene = station->scene();
  const sim::ScenePoses poses = station->poses(now);
  std::size_t moving = 0;
  for (const sim::SceneBody& body : scene.bodies) {
    if (body.name == "tool") {
      const arm::Pose X = arm::forward(arm::roboarm(), arm::neutral(arm::roboarm()));
      EXPECT_TRUE(poses.bodies.at(moving).isApprox(X, 1e-9));
    }
    moving += body.moves ? 1U : 0U;
  }
  EXPECT_EQ(poses.bodies.size(), moving);
  for (const sim::SceneGeom& geom : scene.geoms) {
    ASSERT_LT(static_cast<std::size_t>(geom.body), scene.bodies.size());
  }
  ASSERT_EQ(poses.pieces.size(), 2U);
  EXPECT_EQ(poses.pieces[0].side, sim::Side::kHuman);
  EXPECT_EQ(poses.pieces[1].side, sim::Side::kRobot);
  EXPECT_NEAR(
      (poses.pieces[1].X_world_piece.translation() - poses.pieces[0].X_world_piece.translation())
          .z(),
      2 * station->layout().piece.radius_m, 1e-9);
}

/// The drawing without physics puts discs and hand where the physics has them.
TEST(Station, TheDrawnCellAgreesWithTheTwin) {
  const std::vector<Column> moves{Column(1), Column(6), Column(1)};
  game::Position position;
  for (const Column column : moves) position = position.after(column);
  for (const arm::ArmModel* model : arm::all_models()) {
    const cell::CellLayout& layout = cell::default_layout(*model);
    auto world = sim::World::create(*model, layout);
    ASSERT_TRUE(world);
    (*world)->set_board(truth_of(position, game::Side::kFirst));
    const sim::ScenePoses real = sim::scene_poses(**world);
    const sim::ScenePoses drawn = DrawnCell(layout, true).poses({}, 0, moves, game::Side::kFirst);
    ASSERT_EQ(drawn.pieces.size(), moves.size());
    for (const sim::ScenePiece& piece : drawn.pieces) {
      const bool there = std::ranges::any_of(real.pieces, [&](const sim::ScenePiece& other) {
        return other.side == piece.side &&
               (other.X_world_piece.translation() - piece.X_world_piece.translation()).norm() <
                   0.002;
      });
      EXPECT_TRUE(there) << model->name << " piece " << piece.number;
    }
  }
}

class MixedStation : public testing::Test {
 protected:
  /// A photograph of a board with these discs, six rows from the top.
  static cv::Mat photograph(const std::string& rows) {
    vision::BoardScene scene;
    scene.cells = *cell::parse_board_text(rows);
    return vision::render_board(scene).image;
  }
  void photograph(int from, int to, const std::string& rows) {
    for (int i = from; i < to; ++i) {
      ASSERT_TRUE(cv::imwrite(folder_.file(fmt::format("{:03}.png", i)), photograph(rows)));
    }
  }

  /// With a camera that knows both colours: one disc alone tells nothing about the other's.
  StationConfig looking_at(const std::string& camera, const std::string& driver = "") {
    const cv::Mat image = photograph("......./......./......./......./......./ABABAB.");
    const auto look = vision::look_at_board(image);
    EXPECT_TRUE(look && look->geometry && look->first && look->second);
    EXPECT_TRUE(vision::save_calibration({.image_size = image.size(),
                                          .geometry = *look->geometry,
                                          .first = *look->first,
                                          .second = *look->second},
                                         eyes_.file("eyes.json")));
    StationConfig config = *configure({.driver = driver, .camera = camera});
    config.eyes = eyes_.file("eyes.json");
    return config;
  }

  static constexpr const char* kEmpty = "......./......./......./......./......./.......";
  static constexpr const char* kPlayed = "......./......./......./......./......./...A...";
  TemporaryFolder folder_;
  TemporaryFolder eyes_;
};

TEST_F(MixedStation, ASimulatedArmLooksAtPhotographs) {
  photograph(0, 1, kPlayed);
  const auto station = opened(looking_at(folder_.file("")));
  ASSERT_TRUE(station && station->twin() != nullptr);
  const auto reading = station->sensor()->look();
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_EQ(reading->sight, cell::Sight::kGood);
  EXPECT_EQ(cell::board_text(reading->board), kPlayed);
  EXPECT_EQ(station->twin()->twin().world().board.count(), 0) << "the twin's board is another";
}

TEST_F(MixedStation, ASimulatedArmLooksAtAFilm) {
  const std::string film = folder_.file("film.avi");
  cv::VideoWriter writer(film, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), 10, {640, 480});
  if (!writer.isOpened()) GTEST_SKIP() << "this OpenCV writes no films";
  for (int i = 0; i < 10; ++i) writer.write(photograph(kPlayed));
  writer.release();
  const auto station = opened(looking_at(film, "servo:sim"));
  ASSERT_TRUE(station && station->twin() != nullptr);
  const auto reading = station->sensor()->look();
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_EQ(cell::board_text(reading->board), kPlayed);
}

TEST_F(MixedStation, AGameIsSeenByTheCameraAndAnsweredByTheTwin) {
  photograph(0, 8, kEmpty);
  photograph(8, 9, kPlayed);
  StationConfig config = looking_at(folder_.file(""));
  config.speed.reset();  // nobody watches
  StationTableOptions options;
  options.table.agent = "forward";
  options.table.patience_s = 20;
  auto parts = StationTable::open(config, std::move(options));
  ASSERT_TRUE(parts) << parts.error().message;
  table::RobotTable& table = (*parts)->table();
  std::string moves;
  table.on_change([&](const table::TableSnapshot& now) {
    if (now.state != table::TableState::kNeedsHelp) return;
    moves = game::moves_text(now.record->game.moves());
    table.post({.kind = table::Command::Kind::kQuit, .column = {}, .text = {}});
  });
  const auto end = table.play_game();
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(moves, "4") << "what nobody puts into the real board does not count";
  const sim::BoardTruth board = (*parts)->station().twin()->twin().world().board.truth();
  EXPECT_EQ(board[3][0], sim::Side::kHuman) << "the twin shows the game";
}

TEST(Station, WrongConfigurationsNameTheFieldAndWhatToDo) {
  const TemporaryFolder folder;
  write_bytes(folder.file("eyes.json"), "{}");
  write_bytes(folder.file("world"), "no board");
  const auto changed = [](const std::string& driver, const auto& change) {
    StationConfig config = without_senses(driver);
    change(config);
    return config;
  };
  struct Case {
    StationConfig config;
    std::vector<std::string> words;
  };
  const std::vector<Case> cases{
      {changed("sim", [](auto& c) { c.driver = "serial:sim"; }), {"driver", "roboarm", "eezybot"}},
      {changed("sim", [](auto& c) { c.driver = "magic"; }), {"'magic'", "serial:ADDRESS"}},
      {changed("sim", [](auto& c) { c.senses.camera = true; }), {"camera:", "name a device"}},
      {changed("sim", [](auto& c) { c.speed = 0; }), {"speed:"}},
      {changed("sim", [](auto& c) { c.layout.board.pitch_m = -1; }), {"board.pitch_m"}},
      {changed("sim", [&](auto& c) { c.world_file = folder.file("world"); }),
       {"world:", "remove the file"}},
      {changed("none", [](auto& c) { c.camera = "sim"; }), {"camera:", "'none'", "name a device"}},
      {changed("none",
               [](auto& c) {
                 c.senses.switches = true;
                 c.panel.reset();
               }),
       {"panel:", "[panel]"}},
      {changed("none",
               [](auto& c) {
                 c.senses.switches = true;
                 c.panel->chip = "/nowhere/chip";
               }),
       {"panel:", "/nowhere/chip"}},
      {changed("none", [](auto& c) { c.camera = "/dev/nowhere"; }),
       {"camera:", "/dev/nowhere", "plugged in"}},
      {changed("none", [&](auto& c) { c.camera = folder.file(""); }),
       {"camera:", "no images", "put photographs"}},
      {changed("servo:/nowhere.toml", [](auto&) {}), {"driver:", "/nowhere.toml"}},
      {changed("rosbridge:http://x", [](auto&) {}), {"driver:", "ws://"}},
      {changed("rosbridge:ws://x:1", [](auto& c) { c.driver_config = "x.toml"; }),
       {"driver:", "serial line"}},
  };
  for (const Case& one : cases) {
    const auto station = open(one.config);
    ASSERT_FALSE(station) << one.words.front();
    for (const std::string& word : one.words) {
      EXPECT_THAT(station.error().message, HasSubstr(word));
    }
  }
}

}  // namespace
}  // namespace rowbot::station
