// The robot's table on the website: the live table of the twin, in the words of the server.
#include "serve_table.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "cell/layout.h"
#include "commands.h"
#include "fmt/format.h"
#include "json.h"
#include "rehearsal/live_table.h"
#include "roster/roster.h"

namespace rowbot::app {
namespace {

// Whole numbers keep messages short: tenths of a millimetre, ten-thousandths of a quaternion.
constexpr double kPerMetre = 10'000;
constexpr double kPerUnit = 10'000;

void append_place(Json& numbers, const arm::Pose& X) {
  const auto whole = [](double value) { return static_cast<std::int64_t>(std::lround(value)); };
  const Eigen::Quaterniond q(X.linear());
  for (int i = 0; i < 3; ++i) numbers.push_back(whole(kPerMetre * X.translation()[i]));
  for (const double part : {q.w(), q.x(), q.y(), q.z()}) numbers.push_back(whole(kPerUnit * part));
}

Json place_json(const arm::Pose& X) {
  Json numbers = Json::array();
  append_place(numbers, X);
  return numbers;
}

Json vector_json(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

/// Without the time, so that equal texts mean that nothing moved.
std::string places_text(const sim::ScenePoses& poses) {
  Json bodies = Json::array();
  for (const arm::Pose& X : poses.bodies) bodies.push_back(place_json(X));
  Json pieces = Json::array();
  for (const sim::ScenePiece& piece : poses.pieces) {
    Json numbers{piece.number};
    append_place(numbers, piece.X_world_piece);
    pieces.push_back(std::move(numbers));
  }
  return "\"bodies\":" + bodies.dump() + ",\"pieces\":" + pieces.dump() + "}";
}

std::string scene_text(const sim::SceneExport& scene) {
  Json meshes = Json::array();
  for (const sim::SceneMesh& mesh : scene.meshes) {
    meshes.push_back({{"vertices", mesh.vertices}, {"faces", mesh.faces}});
  }
  Json bodies = Json::array();
  for (const sim::SceneBody& body : scene.bodies) {
    bodies.push_back(
        {{"name", body.name}, {"moves", body.moves}, {"place", place_json(body.X_world_body)}});
  }
  Json geoms = Json::array();
  for (const sim::SceneGeom& geom : scene.geoms) {
    geoms.push_back({{"body", geom.body},
                     {"shape", sim::shape_text(geom.shape)},
                     {"size", geom.size_m},
                     {"rgba", geom.rgba},
                     {"place", place_json(geom.X_body_geom)},
                     {"mesh", geom.mesh ? Json(*geom.mesh) : Json(nullptr)}});
  }
  return Json{{"meshes", meshes},
              {"bodies", bodies},
              {"geoms", geoms},
              {"piece",
               {{"shape", sim::shape_text(scene.piece)},
                {"size", scene.piece_size_m},
                {"robot", scene.robot_rgba},
                {"human", scene.human_rgba},
                {"robots", sim::kPiecesPerSide}}},
              {"look_at", vector_json(scene.look_at_m)},
              {"look_from", vector_json(scene.look_from_m)}}
      .dump();
}

class TwinTable final : public server::TableFeed {
 public:
  TwinTable(std::string robot, rehearsal::LiveTableOptions options)
      : robot_(std::move(robot)), live_(std::move(options)) {}

  [[nodiscard]] std::string robot() const override { return robot_; }

  [[nodiscard]] server::TableView look() override {
    const auto view = live_.latest();
    if (view->scene && !scene_) {
      scene_ = std::make_shared<const std::string>(scene_text(*view->scene));
    }
    if (view->scene && view->number != number_) {
      number_ = view->number;
      std::string places = places_text(view->poses);
      if (places != places_) {
        poses_ = std::make_shared<const std::string>(
            fmt::format("{{\"time\":{:.3f},{}", view->poses.time_s, places));
        places_ = std::move(places);
      }
    }
    if (view->picture && view->picture->number != picture_) {
      picture_ = view->picture->number;
      camera_ = std::shared_ptr<const std::string>(view->picture, &view->picture->jpeg);
    }
    return {.table = view->table,
            .trouble = view->trouble,
            .scene = scene_,
            .poses = poses_,
            .camera = camera_,
            .camera_number = picture_};
  }

  void play(game::Column column, std::uint64_t game, std::size_t ply) override {
    live_.play({.column = column, .game = game, .ply = ply});
  }
  void restart() override { live_.restart(); }
  void stop() override { live_.stop(); }
  void resume() override { live_.resume(); }

 private:
  std::string robot_;
  std::uint64_t number_ = 0;
  std::uint64_t picture_ = 0;
  std::string places_;
  std::shared_ptr<const std::string> scene_;
  std::shared_ptr<const std::string> poses_;
  std::shared_ptr<const std::string> camera_;
  rehearsal::LiveTable live_;
};

}  // namespace

std::unique_ptr<server::TableFeed> make_table_feed(const ServeTableOptions& options) {
  if (options.robot == "none") return nullptr;
  const arm::ArmModel* model = usage_value(arm::model_by_name(options.robot));
  if (const auto agent = roster::make_agent(options.agent); !agent) fail_usage(agent.error());
  return std::make_unique<TwinTable>(
      options.robot,
      rehearsal::LiveTableOptions{
          .layout = cell::default_layout(*model), .agent = options.agent, .speed = options.speed});
}

}  // namespace rowbot::app
