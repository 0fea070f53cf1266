#include "robot/cell/layout_file.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <vector>

#include "base/fields.h"
#include "base/text.h"
#include "base/text_file.h"
#include "base/toml_writer.h"
#include "robot/arm/angles.h"

namespace rowbot::cell {
namespace {

constexpr EnumNames<PieceShape, 2> kShapes{
    {{PieceShape::kDisc, "disc"}, {PieceShape::kBall, "ball"}}};

/// Files hold degrees, without the dust of having been radians.
double in_degrees(double angle_rad) {
  return std::strtod(fmt::format("{:.10g}", arm::degrees(angle_rad)).c_str(), nullptr);
}

template <class Archive>
void angle(Archive& section, const char* key, double& angle_rad) {
  double angle_deg = in_degrees(angle_rad);
  section(key, angle_deg);
  angle_rad = arm::radians(angle_deg);
}

template <class Archive, int N>
void point(Archive& section, const char* key, Eigen::Matrix<double, N, 1>& point_m) {
  std::array<double, static_cast<std::size_t>(N)> values{};
  std::ranges::copy(point_m, values.begin());
  section(key, values);
  std::ranges::copy(values, point_m.begin());
}

/// Every field of a layout, to read and to write.
template <class Archive>
void describe(Archive& top, CellLayout& layout) {
  top("robot", layout.robot);
  top("lift_m", layout.lift_m);
  top("grip_force_n", layout.grip_force_n);
  top("grip_opening_m", layout.grip_opening_m);
  auto piece = top.section("piece");
  piece.name("shape", layout.piece.shape, kShapes);
  piece("radius_m", layout.piece.radius_m);
  piece("thickness_m", layout.piece.thickness_m);
  piece("mass_kg", layout.piece.mass_kg);
  auto board = top.section("board");
  point(board, "first_slot_m", layout.board.first_slot_m);
  point(board, "last_slot_m", layout.board.last_slot_m);
  board("pitch_m", layout.board.pitch_m);
  board("slot_width_m", layout.board.slot_width_m);
  board("slot_depth_m", layout.board.slot_depth_m);
  board("panel_m", layout.board.panel_m);
  board("lip_m", layout.board.lip_m);
  board("release_height_m", layout.board.release_height_m);
  auto magazine = top.section("magazine");
  point(magazine, "pick_m", layout.magazine.pick_m);
  angle(magazine, "yaw_deg", layout.magazine.yaw_rad);
  angle(magazine, "slope_deg", layout.magazine.slope_rad);
  magazine("capacity", layout.magazine.capacity, {.least = -1e6, .most = 1e6});
  auto camera = top.section("camera");
  point(camera, "position_m", layout.camera.position_m);
  point(camera, "look_at_m", layout.camera.look_at_m);
  angle(camera, "vertical_view_deg", layout.camera.vertical_view_rad);
  auto table = top.section("table");
  point(table, "centre_m", layout.table.centre_m);
  point(table, "half_m", layout.table.half_m);
  top.list("taught", layout.taught, Taught{}, [](auto& entry, Taught& taught) {
    entry("name", taught.name);
    std::vector<double> joints_deg;
    for (const double q_rad : taught.q_rad) joints_deg.push_back(in_degrees(q_rad));
    entry("joints_deg", joints_deg);
    if (joints_deg.size() > arm::kMaxJoints) joints_deg.clear();  // check_taught() refuses it
    taught.q_rad.resize(static_cast<Eigen::Index>(joints_deg.size()));
    std::ranges::transform(joints_deg, taught.q_rad.begin(), arm::radians);
  });
}

Result<void> check_taught(const CellLayout& layout) {
  const auto model = arm::model_by_name(layout.robot);
  if (!model) return model.error();
  for (const Taught& position : layout.taught) {
    if (position.q_rad.size() != arm::joint_count(**model)) {
      return Error{
          fmt::format("taught position {}: joints_deg must be a list of {}, one for each joint",
                      in_quotes(position.name), arm::joint_count(**model))};
    }
    if (auto broken = arm::limit_violation(**model, position.q_rad)) {
      return Error{fmt::format("taught position {}: {}", in_quotes(position.name), *broken)};
    }
  }
  return {};
}

}  // namespace

std::string layout_text(const CellLayout& layout) {
  std::string text = fmt::format(
      "# Where things stand around the arm, in metres and degrees, from the middle of its base.\n"
      "# The slots of the board are the mouths of column 1 and column 7, as touched by the arm;\n"
      "# the others lie evenly between.\n"
      "version = {}\n",
      kLayoutVersion);
  TomlWriter writer(text);
  CellLayout copy = layout;
  describe(writer, copy);
  return text;
}

Result<CellLayout> parse_layout(std::string_view text) {
  auto reader = FieldReader::from_toml(text);
  if (!reader) return reader.error();
  Fields top = reader->top();
  const int version = top.get<int>("version");
  if (!reader->error() && version != kLayoutVersion) {
    return Error{fmt::format("this layout has version {}, and this program reads version {}",
                             version, kLayoutVersion)};
  }
  CellLayout layout;
  describe(top, layout);
  if (auto sound = reader->finish(UnknownField::kIsError); !sound) return sound.error();
  if (auto sound = check_taught(layout); !sound) return sound.error();
  if (auto sound = check_layout(layout); !sound) return sound.error();
  return layout;
}

Result<CellLayout> load_layout(const std::string& file) {
  const auto text = read_text_file(file, kSettingsBytes);
  if (!text) return text.error();
  auto layout = parse_layout(*text);
  if (!layout) return Error{fmt::format("{}: {}", file, layout.error().message)};
  return layout;
}

Result<void> save_layout(const CellLayout& layout, const std::string& file) {
  if (auto sound = check_layout(layout); !sound) return sound;
  const std::string beside = file + ".new";
  {
    std::ofstream out(beside);
    out << layout_text(layout);
    out.flush();
    if (!out) return Error{fmt::format("cannot write {}", beside)};
  }
  if (std::rename(beside.c_str(), file.c_str()) != 0) {
    return Error{fmt::format("cannot rename {} to {}", beside, file)};
  }
  return {};
}

}  // namespace rowbot::cell
