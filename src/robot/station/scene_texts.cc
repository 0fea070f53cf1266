#include "robot/station/scene_texts.h"

#include <cmath>
#include <utility>

#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace rowbot::station {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

void SceneTexts::set_scene(const sim::SceneExport& scene) {
  scene_ = std::make_shared<const std::string>(scene_text(scene));
}

void SceneTexts::set_poses(const sim::ScenePoses& poses) {
  std::string places = places_text(poses);
  if (places == places_) return;
  poses_ = std::make_shared<const std::string>(
      fmt::format("{{\"time\":{:.3f},{}", poses.time_s, places));
  places_ = std::move(places);
}

}  // namespace rowbot::station
