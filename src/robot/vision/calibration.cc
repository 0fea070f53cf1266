#include "robot/vision/calibration.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "base/text_file.h"

namespace rowbot::vision {
namespace {

using nlohmann::json;

json lab_json(const Lab& lab) { return {lab[0], lab[1], lab[2]}; }

Lab lab_from(const json& j) {
  return {j.at(0).get<float>(), j.at(1).get<float>(), j.at(2).get<float>()};
}

std::array<cv::Point2d, 4> corners_of(const BoardGeometry& g) {
  return {g.center(0, 0), g.center(kColumns - 1, 0), g.center(kColumns - 1, kRows - 1),
          g.center(0, kRows - 1)};
}

bool sound(const Lab& lab) {
  return std::isfinite(lab[0]) && lab[0] >= 0 && lab[0] <= 100 && std::abs(lab[1]) <= 200 &&
         std::abs(lab[2]) <= 200;
}

}  // namespace

Result<BoardGeometry> geometry_from_corners(const std::array<cv::Point2d, 4>& corners) {
  std::vector<cv::Point2f> image;
  for (const cv::Point2d& p : corners) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || std::abs(p.x) > 1e5 || std::abs(p.y) > 1e5) {
      return Error{"a corner of the board is not a point of an image"};
    }
    image.emplace_back(p);
  }
  // Clockwise on the screen, convex and with some room for 42 cells.
  for (std::size_t i = 0; i < 4; ++i) {
    const cv::Point2f a = image[(i + 1) % 4] - image[i];
    const cv::Point2f b = image[(i + 2) % 4] - image[(i + 1) % 4];
    if (a.x * b.y - a.y * b.x < 100) {
      return Error{"the four corners must go clockwise from the top left cell and span the board"};
    }
  }
  const std::vector<cv::Point2f> board = {
      {0, 0}, {kColumns - 1, 0}, {kColumns - 1, kRows - 1}, {0, kRows - 1}};
  BoardGeometry g;
  g.image_from_board = cv::Matx33d(cv::getPerspectiveTransform(board, image));
  return g;
}

std::string calibration_text(const Calibration& c) {
  json corners = json::array();
  for (const cv::Point2d& p : corners_of(c.geometry)) corners.push_back({p.x, p.y});
  const json j = {
      {"rowbot_eyes", 1},
      {"image", {c.image_size.width, c.image_size.height}},
      {"corners", corners},
      {"hole_radius", {c.geometry.radius_x, c.geometry.radius_y}},
      {"first", {{"middle", lab_json(c.first.inner)}, {"border", lab_json(c.first.border)}}},
      {"second", {{"middle", lab_json(c.second.inner)}, {"border", lab_json(c.second.border)}}},
  };
  return j.dump(2) + "\n";
}

Result<Calibration> parse_calibration(std::string_view text) {
  try {
    const json j = json::parse(text);
    if (j.at("rowbot_eyes").get<int>() != 1) {
      return Error{"this calibration is of another version; run: rowbot see --calibrate"};
    }
    Calibration c;
    c.image_size = {j.at("image").at(0).get<int>(), j.at("image").at(1).get<int>()};
    std::array<cv::Point2d, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      const json& p = j.at("corners").at(i);
      corners[i] = {p.at(0).get<double>(), p.at(1).get<double>()};
    }
    const auto geometry = geometry_from_corners(corners);
    if (!geometry) return geometry.error();
    c.geometry = *geometry;
    c.geometry.radius_x = j.at("hole_radius").at(0).get<double>();
    c.geometry.radius_y = j.at("hole_radius").at(1).get<double>();
    c.first = {lab_from(j.at("first").at("middle")), lab_from(j.at("first").at("border"))};
    c.second = {lab_from(j.at("second").at("middle")), lab_from(j.at("second").at("border"))};
    const bool radii = c.geometry.radius_x > 0.1 && c.geometry.radius_x < 0.6 &&
                       c.geometry.radius_y > 0.1 && c.geometry.radius_y < 0.6;
    if (c.image_size.width < 1 || c.image_size.height < 1 || !radii || !sound(c.first.inner) ||
        !sound(c.first.border) || !sound(c.second.inner) || !sound(c.second.border)) {
      return Error{"the calibration holds impossible numbers; run: rowbot see --calibrate"};
    }
    return c;
  } catch (const json::exception& e) {
    return Error{fmt::format("this is not a calibration of the eyes ({})", e.what())};
  }
}

Result<void> save_calibration(const Calibration& calibration, const std::filesystem::path& path) {
  std::ofstream out(path);
  out << calibration_text(calibration);
  out.close();
  if (!out) return Error{fmt::format("{}: cannot be written", path.string())};
  return {};
}

Result<Calibration> load_calibration(const std::filesystem::path& path) {
  const auto text = read_text_file(path.string(), kSettingsBytes);
  if (!text) return text.error();
  auto calibration = parse_calibration(*text);
  if (!calibration) return Error{fmt::format("{}: {}", path.string(), calibration.error().message)};
  return calibration;
}

}  // namespace rowbot::vision
