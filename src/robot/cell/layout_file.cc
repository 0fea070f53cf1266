#include "robot/cell/layout_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <toml++/toml.h>
#include <vector>

#include "base/text.h"
#include "base/text_file.h"
#include "robot/arm/angles.h"

namespace rowbot::cell {
namespace {

using Eigen::Vector3d;

std::string list_of(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
  return "[" + text + "]";
}

/// Degrees without the dust of having been radians.
std::string angle_text(double angle_rad) { return fmt::format("{:.10g}", arm::degrees(angle_rad)); }

std::string point(const Vector3d& p) { return list_of({p.x(), p.y(), p.z()}); }

/// Reads values one by one and keeps the first complaint.
class Reader {
 public:
  Reader(const toml::table& table, std::string path) : table_(table), path_(std::move(path)) {}

  double number(const char* key) {
    const auto value = node(key).value<double>();
    if (!value || !std::isfinite(*value)) complain(key, "a number");
    return value.value_or(0.0);
  }
  double angle(const char* key) { return arm::radians(number(key)); }
  int integer(const char* key) {
    const auto value = node(key).value_exact<std::int64_t>();
    if (!value || *value < -1000000 || *value > 1000000) complain(key, "a whole number");
    return static_cast<int>(value.value_or(0));
  }
  std::string text(const char* key) {
    const auto value = node(key).value<std::string>();
    if (!value) complain(key, "a text in quotes");
    return value.value_or("");
  }
  std::vector<double> numbers(const char* key, std::size_t count) {
    std::vector<double> values;
    const toml::array* array = node(key).as_array();
    if (array != nullptr) {
      for (const toml::node& item : *array) {
        const auto value = item.value<double>();
        if (value && std::isfinite(*value)) values.push_back(*value);
      }
    }
    if (array == nullptr || values.size() != array->size() ||
        (count != 0 && values.size() != count)) {
      complain(key, count == 0 ? "a list of numbers" : fmt::format("a list of {} numbers", count));
      values.assign(std::max<std::size_t>(count, 1), 0.0);
    }
    return values;
  }
  Vector3d point(const char* key) {
    const auto v = numbers(key, 3);
    return {v[0], v[1], v[2]};
  }
  const toml::array* list(const char* key) { return node(key).as_array(); }
  Reader section(const char* key) {
    static const toml::table kEmpty;
    const toml::table* table = node(key).as_table();
    if (table == nullptr) complain(key, "a section");
    Reader inner(table == nullptr ? kEmpty : *table, path_ + key + ".");
    return inner;
  }
  [[nodiscard]] const toml::table& table() const { return table_; }

  /// The first thing that was wrong here, or a key that nobody asked for.
  [[nodiscard]] std::optional<Error> verdict() const {
    if (complaint_) return complaint_;
    for (const auto& [key, value] : table_) {
      if (std::ranges::find(asked_, key.str()) != asked_.end()) continue;
      return Error{fmt::format("line {}: {}{} is not a setting of a layout",
                               value.source().begin.line, path_, key.str())};
    }
    return std::nullopt;
  }

 private:
  toml::node_view<const toml::node> node(const char* key) {
    asked_.emplace_back(key);
    return table_[key];
  }
  void complain(const char* key, const std::string& wanted) {
    if (complaint_) return;
    const toml::node* found = table_.get(key);
    complaint_ = found == nullptr
                     ? Error{fmt::format("{}{} is missing: {} is needed", path_, key, wanted)}
                     : Error{fmt::format("line {}: {}{} must be {}", found->source().begin.line,
                                         path_, key, wanted)};
  }

  const toml::table& table_;
  std::string path_;
  std::vector<std::string> asked_;
  std::optional<Error> complaint_;
};

}  // namespace

std::string layout_text(const CellLayout& layout) {
  const auto& [robot, piece, board, magazine, camera, table, lift, force, opening, taught] = layout;
  std::string text;
  const auto line = [&text]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    text += fmt::format(format, std::forward<Args>(args)...) + "\n";
  };
  line("# Where things stand around the arm, in metres and degrees, from the middle of its base.");
  line("version = {}", kLayoutVersion);
  line("robot = \"{}\"", robot);
  line("lift_m = {}", lift);
  line("grip_force_n = {}", force);
  line("grip_opening_m = {}", opening);
  line("\n[piece]");
  line("shape = \"{}\"", piece.shape == PieceShape::kDisc ? "disc" : "ball");
  line("radius_m = {}", piece.radius_m);
  line("thickness_m = {}", piece.thickness_m);
  line("mass_kg = {}", piece.mass_kg);
  line("\n[board]");
  line(
      "# The mouths of column 1 and column 7, as touched by the arm. The others lie evenly "
      "between.");
  line("first_slot_m = {}", point(board.first_slot_m));
  line("last_slot_m = {}", point(board.last_slot_m));
  line("pitch_m = {}", board.pitch_m);
  line("slot_width_m = {}", board.slot_width_m);
  line("slot_depth_m = {}", board.slot_depth_m);
  line("panel_m = {}", board.panel_m);
  line("lip_m = {}", board.lip_m);
  line("release_height_m = {}", board.release_height_m);
  line("\n[magazine]");
  line("pick_m = {}", point(magazine.pick_m));
  line("yaw_deg = {}", angle_text(magazine.yaw_rad));
  line("slope_deg = {}", angle_text(magazine.slope_rad));
  line("capacity = {}", magazine.capacity);
  line("\n[camera]");
  line("position_m = {}", point(camera.position_m));
  line("look_at_m = {}", point(camera.look_at_m));
  line("vertical_view_deg = {}", angle_text(camera.vertical_view_rad));
  line("\n[table]");
  line("centre_m = {}", list_of({table.centre_m.x(), table.centre_m.y()}));
  line("half_m = {}", list_of({table.half_m.x(), table.half_m.y()}));
  for (const Taught& position : taught) {
    line("\n[[taught]]");
    line("name = \"{}\"", position.name);
    std::string joints;
    for (const double q : position.q_rad) {
      joints += fmt::format("{}{}", joints.empty() ? "" : ", ", angle_text(q));
    }
    line("joints_deg = [{}]", joints);
  }
  return text;
}

Result<CellLayout> parse_layout(std::string_view text) {
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return Error{fmt::format("line {}: {}", error.source().begin.line, error.description())};
  }
  Reader top(root, "");
  const int version = top.integer("version");
  if (root.contains("version") && version != kLayoutVersion) {
    return Error{fmt::format("this layout has version {}, and this program reads version {}",
                             version, kLayoutVersion)};
  }
  CellLayout layout;
  layout.robot = top.text("robot");
  layout.lift_m = top.number("lift_m");
  layout.grip_force_n = top.number("grip_force_n");
  layout.grip_opening_m = top.number("grip_opening_m");

  Reader piece = top.section("piece");
  const std::string shape = piece.text("shape");
  if (!shape.empty() && shape != "disc" && shape != "ball") {
    return Error{fmt::format("piece.shape is {}; it is disc or ball", in_quotes(shape))};
  }
  layout.piece = {.shape = shape == "ball" ? PieceShape::kBall : PieceShape::kDisc,
                  .radius_m = piece.number("radius_m"),
                  .thickness_m = piece.number("thickness_m"),
                  .mass_kg = piece.number("mass_kg")};
  Reader board = top.section("board");
  layout.board.first_slot_m = board.point("first_slot_m");
  layout.board.last_slot_m = board.point("last_slot_m");
  layout.board.pitch_m = board.number("pitch_m");
  layout.board.slot_width_m = board.number("slot_width_m");
  layout.board.slot_depth_m = board.number("slot_depth_m");
  layout.board.panel_m = board.number("panel_m");
  layout.board.lip_m = board.number("lip_m");
  layout.board.release_height_m = board.number("release_height_m");
  Reader magazine = top.section("magazine");
  layout.magazine.pick_m = magazine.point("pick_m");
  layout.magazine.yaw_rad = magazine.angle("yaw_deg");
  layout.magazine.slope_rad = magazine.angle("slope_deg");
  layout.magazine.capacity = magazine.integer("capacity");
  Reader camera = top.section("camera");
  layout.camera.position_m = camera.point("position_m");
  layout.camera.look_at_m = camera.point("look_at_m");
  layout.camera.vertical_view_rad = camera.angle("vertical_view_deg");
  Reader table = top.section("table");
  const auto centre = table.numbers("centre_m", 2);
  const auto half = table.numbers("half_m", 2);
  layout.table.centre_m = {centre[0], centre[1]};
  layout.table.half_m = {half[0], half[1]};

  const auto model = arm::model_by_name(layout.robot);
  if (root.contains("taught")) {
    const toml::array* list = top.list("taught");
    if (list == nullptr) return Error{"taught must be a list of [[taught]] sections"};
    for (const toml::node& item : *list) {
      const toml::table* entry = item.as_table();
      if (entry == nullptr) return Error{"taught must be a list of [[taught]] sections"};
      Reader reader(*entry, "taught.");
      Taught position{.name = reader.text("name"), .q_rad = {}};
      const std::size_t joints =
          model ? static_cast<std::size_t>(arm::joint_count(**model)) : std::size_t{0};
      const auto angles = reader.numbers("joints_deg", joints);
      if (auto wrong = reader.verdict()) return *wrong;
      if (angles.size() > arm::kMaxJoints) return Error{"taught.joints_deg has too many numbers"};
      position.q_rad.resize(static_cast<Eigen::Index>(angles.size()));
      for (std::size_t i = 0; i < angles.size(); ++i) {
        position.q_rad[static_cast<Eigen::Index>(i)] = arm::radians(angles[i]);
      }
      if (model) {
        if (auto broken = arm::limit_violation(**model, position.q_rad)) {
          return Error{fmt::format("taught position {}: {}", in_quotes(position.name), *broken)};
        }
      }
      layout.taught.push_back(std::move(position));
    }
  }
  for (const Reader* reader : {&top, &piece, &board, &magazine, &camera, &table}) {
    if (auto wrong = reader->verdict()) return *wrong;
  }
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
