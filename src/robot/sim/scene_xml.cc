#include "robot/sim/scene_xml.h"

#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "robot/arm/angles.h"
#include "robot/arm/forward.h"
#include "robot/sim/mjcf_text.h"

namespace rowbot::sim {
namespace {

using arm::ArmModel;
using arm::Pose;
using cell::CellLayout;
using cell::PieceShape;
using Eigen::Vector3d;

constexpr double kHeadroom = 0.004;

class SceneText : MjcfText {
 public:
  SceneText(const ArmModel& model, const CellLayout& layout) : model_(model), layout_(layout) {}

  std::string write() {
    const Vector3d middle = cell::board_pose(layout_).translation();
    line("<mujoco model=\"{}\">", model_.name);
    line("<compiler angle=\"radian\" autolimits=\"false\"/>");
    line(
        "<option timestep=\"0.002\" cone=\"elliptic\" impratio=\"10\" solver=\"Newton\" "
        "iterations=\"30\" tolerance=\"1e-9\"/>");
    // Four times what half the pieces need when all of them fall at once. MuJoCo keeps njmax
    // squared numbers in memory.
    line("<size njmax=\"1500\" nconmax=\"400\"/>");
    line(
        "<visual><global offwidth=\"1920\" offheight=\"1080\"/>"
        "<quality shadowsize=\"2048\" offsamples=\"4\"/>"
        "<headlight ambient=\"0.38 0.38 0.40\" diffuse=\"0.35 0.35 0.35\" specular=\"0.1 0.1 "
        "0.1\"/>"
        "<map znear=\"0.02\" zfar=\"20\" shadowclip=\"0.8\"/></visual>");
    line("<statistic extent=\"0.8\" center=\"{}\"/>", numbers(middle));
    line(
        "<default><geom solref=\"0.005 1\" solimp=\"0.95 0.99 0.0005\" friction=\"0.1 0.001 "
        "0.00005\"/>"
        "</default>");
    assets();
    line("<worldbody>");
    surroundings();
    board();
    magazine();
    pieces();
    line("{}</worldbody>", arm_body_xml(model_));
    line("{}</mujoco>", arm_motors_xml(model_));
    return take();
  }

 private:
  [[nodiscard]] double radius() const { return layout_.piece.radius_m; }
  [[nodiscard]] double slot_half() const { return layout_.board.slot_depth_m / 2; }
  /// The floor of the columns, in the board's frame.
  [[nodiscard]] double floor() const { return -kHeadroom - 2 * kRows * radius(); }

  void assets() {
    line("<asset>");
    line(
        "<texture type=\"skybox\" builtin=\"gradient\" rgb1=\"0.86 0.89 0.93\" rgb2=\"0.55 0.62 "
        "0.70\" "
        "width=\"64\" height=\"384\"/>");
    line(
        "<texture name=\"floor\" type=\"2d\" builtin=\"checker\" rgb1=\"0.62 0.62 0.60\" "
        "rgb2=\"0.58 0.58 0.56\" width=\"256\" height=\"256\"/>");
    line("<material name=\"floor\" texture=\"floor\" texrepeat=\"8 8\" reflectance=\"0\"/>");
    line("<material name=\"table\" rgba=\"0.78 0.66 0.50 1\" specular=\"0.2\" shininess=\"0.3\"/>");
    line("<material name=\"board\" rgba=\"0.10 0.28 0.72 1\" specular=\"0.5\" shininess=\"0.6\"/>");
    line("<material name=\"rail\" rgba=\"0.55 0.57 0.60 1\" specular=\"0.4\" shininess=\"0.5\"/>");
    const ArmFinish finish = arm_finish(model_);
    line("<material name=\"arm\" rgba=\"{}\" specular=\"0.5\" shininess=\"0.6\"/>",
         finish.link_rgba);
    line("<material name=\"joint\" rgba=\"{}\" specular=\"0.4\" shininess=\"0.5\"/>",
         finish.joint_rgba);
    line("<material name=\"robot\" rgba=\"0.95 0.80 0.10 1\" specular=\"0.4\" shininess=\"0.5\"/>");
    line("<material name=\"human\" rgba=\"0.85 0.12 0.10 1\" specular=\"0.4\" shininess=\"0.5\"/>");
    cell_mesh();
    line("</asset>");
  }

  void cell_mesh() {
    const Plate plate = cell_plate(layout_);
    std::string vertices;
    for (const Vector3d& v : plate.vertices_m) {
      fmt::format_to(std::back_inserter(vertices), "{:.6g} {:.6g} {:.6g} ", v.x(), v.y(), v.z());
    }
    line("<mesh name=\"cell\" vertex=\"{}\" face=\"{} \"/>", vertices, fmt::join(plate.faces, " "));
  }

  [[nodiscard]] double visible_panel() const { return visible_panel_m(layout_); }

  void surroundings() {
    const auto& table = layout_.table;
    const double size = table.half_m.maxCoeff();
    const Vector3d middle(table.centre_m.x(), table.centre_m.y(), 0);
    // From above, over the shoulder of the human: the side of the board that the camera sees.
    const Vector3d to_camera = layout_.camera.position_m - layout_.camera.look_at_m;
    const Vector3d over = Vector3d(to_camera.x(), to_camera.y(), 0).normalized();
    const Vector3d beside = Vector3d::UnitZ().cross(over);
    const Vector3d shine = -(over * 0.5 - beside * 0.45 + Vector3d(0, 0, 1)).normalized();
    line(
        "<light pos=\"{}\" dir=\"{}\" diffuse=\"0.55 0.55 0.52\" specular=\"0.2 0.2 0.2\" "
        "directional=\"true\" castshadow=\"true\"/>",
        numbers(middle - 3 * size * shine), numbers(shine));
    line(
        "<geom name=\"floor\" type=\"plane\" pos=\"{}\" size=\"{} {} 0.1\" material=\"floor\" "
        "contype=\"0\" conaffinity=\"0\"/>",
        numbers(middle - Vector3d(0, 0, 1.2 * size)), 6 * size, 6 * size);
    constexpr double kHalf = 0.02;
    // To look at: one slab. To touch: four, around the opening below the board through which the
    // pieces leave.
    box("seen_table", middle - Vector3d(0, 0, kHalf), {table.half_m.x(), table.half_m.y(), kHalf},
        "material=\"table\" contype=\"0\" conaffinity=\"0\"");
    Pose X = cell::board_pose(layout_);
    X.translation().z() = -kHalf;
    const double wide = kColumns * layout_.board.pitch_m / 2;
    const double deep = slot_half() + layout_.board.panel_m / 2;
    line("<body name=\"table\" {}>", place(X));
    const std::string hidden = "rgba=\"0 0 0 0\" group=\"3\"";
    const double far = 2 * size;
    box("table_0", {0, deep + far, 0}, {2 * far, far, kHalf}, hidden);
    box("table_1", {0, -deep - far, 0}, {2 * far, far, kHalf}, hidden);
    box("table_2", {wide + far, 0, 0}, {far, deep, kHalf}, hidden);
    box("table_3", {-wide - far, 0, 0}, {far, deep, kHalf}, hidden);
    box("seen_opening", {0, 0, kHalf}, {wide, deep, 0.0004},
        "rgba=\"0.15 0.12 0.10 1\" contype=\"0\" conaffinity=\"0\"");
    line("</body>");

    const auto around = cell::surroundings(layout_);
    for (const arm::Box& b : around.boxes) {
      if (b.name != "camera mast") continue;
      box("mast_0", b.X_base_box.translation(), b.half_m, "rgba=\"0.2 0.2 0.22 1\"");
    }
    const auto& camera = layout_.camera;
    const Vector3d back = (camera.position_m - camera.look_at_m).normalized();
    const Vector3d right = Vector3d::UnitZ().cross(back).normalized();
    line("<camera name=\"camera\" pos=\"{}\" xyaxes=\"{} {}\" fovy=\"{}\"/>",
         numbers(camera.position_m), numbers(right), numbers(back.cross(right)),
         arm::degrees(camera.vertical_view_rad));
    line(
        "<geom name=\"seen_camera\" type=\"box\" pos=\"{}\" size=\"0.012 0.012 0.010\" "
        "rgba=\"0.1 0.1 0.1 1\" contype=\"0\" conaffinity=\"0\"/>",
        numbers(camera.position_m + 0.02 * back));
  }

  /// The middle of a row of cells, in the board's frame. The top row reaches up to the mouth.
  struct RowOfCells {
    double middle_m;
    double half_m;
  };
  [[nodiscard]] RowOfCells row_of_cells(int row) const {
    const double extra = row == kRows - 1 ? kHeadroom / 2 : 0;
    return {.middle_m = floor() + (2 * row + 1) * radius() + extra, .half_m = radius() + extra};
  }

  /// What pieces and arm may touch of the board is a body for each column and each rib: MuJoCo
  /// compares the shapes of two bodies only if the bodies are near each other.
  void board() {
    const auto& b = layout_.board;
    line("<body name=\"board\" {}>", place(cell::board_pose(layout_)));
    board_to_look_at();
    int part = 0;
    for (int column = 0; column < kColumns; ++column) {
      line("<body name=\"board_column_{}\">", column);
      board_column((column - 3) * b.pitch_m, part);
      line("</body>");
    }
    for (int edge = 0; edge <= kColumns; ++edge) {
      line("<body name=\"board_rib_{}\">", edge);
      board_rib((edge - 3.5) * b.pitch_m, part);
      line("</body>");
    }
    // Feet at both ends carry the board.
    const double height = cell::board_pose(layout_).translation().z();
    for (const double side : {-1.0, 1.0}) {
      line("<body name=\"board_foot_{}\">", part);
      box(fmt::format("board_{}", part++),
          {side * (3.5 * b.pitch_m + rib_half() + 0.003), 0, -height / 2},
          {0.003, slot_half() + b.panel_m, height / 2}, "material=\"board\"");
      line("</body>");
    }
    gate();
    line("</body>");
  }

  [[nodiscard]] double rib_half() const {
    return (layout_.board.pitch_m - layout_.board.slot_width_m) / 2;
  }

  void board_to_look_at() {
    const auto& b = layout_.board;
    for (int row = 0; row < kRows; ++row) {
      const double z = floor() + (2 * row + 1) * radius();
      for (int column = 0; column < kColumns; ++column) {
        for (const double side : {-1.0, 1.0}) {
          line(
              "<geom type=\"mesh\" mesh=\"cell\" pos=\"{}\" material=\"board\" contype=\"0\" "
              "conaffinity=\"0\"/>",
              numbers({(column - 3) * b.pitch_m, side * (slot_half() + visible_panel() / 2), z}));
        }
      }
    }
    // A sheet of paper behind the board: without it the camera would take discs of the magazine or
    // the hand behind the holes for discs in the board.
    const double camera_y = (cell::board_pose(layout_).inverse() * layout_.camera.position_m).y();
    const double back = std::copysign(slot_half() + visible_panel() + 0.001, -camera_y);
    box("seen_sheet", {0, back, floor() + kRows * radius()},
        {3.5 * b.pitch_m, 0.0004, kRows * radius()},
        "rgba=\"0.82 0.83 0.80 1\" contype=\"0\" conaffinity=\"0\"");
  }

  void board_column(double x, int& part) {
    const auto& b = layout_.board;
    for (int row = 0; row < kRows; ++row) {
      const RowOfCells cells = row_of_cells(row);
      for (const double side : {-1.0, 1.0}) {
        box(fmt::format("board_{}", part++),
            {x, side * (slot_half() + b.panel_m / 2), cells.middle_m},
            {b.pitch_m / 2, b.panel_m / 2, cells.half_m}, "rgba=\"0 0 0 0\" group=\"3\"");
      }
    }
    // A funnel: a 45-degree lip along the front and the back of the mouth.
    const double lip = b.lip_m;
    const double thick = lip / 2;
    for (const double side : {-1.0, 1.0}) {
      const Vector3d normal(0, -side * std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2);
      const Vector3d centre =
          Vector3d(x, side * (slot_half() + lip / 2), lip / 2) - normal * thick / 2;
      line(
          "<geom name=\"board_{}\" type=\"box\" pos=\"{}\" size=\"{} {} {}\" euler=\"{} 0 0\" "
          "material=\"board\"/>",
          part++, numbers(centre), b.pitch_m / 2, lip * std::numbers::sqrt2 / 2, thick / 2,
          side * arm::kPi / 4);
    }
  }

  /// Between two columns, with a ridge on top that parts what falls on it.
  void board_rib(double x, int& part) {
    for (int row = 0; row < kRows; ++row) {
      const RowOfCells cells = row_of_cells(row);
      box(fmt::format("board_{}", part++), {x, 0, cells.middle_m},
          {rib_half(), slot_half(), cells.half_m}, "material=\"board\"");
    }
    const double half = rib_half() / std::numbers::sqrt2;
    line(
        "<geom name=\"board_{}\" type=\"box\" pos=\"{}\" size=\"{} {} {}\" euler=\"0 {} 0\" "
        "material=\"board\"/>",
        part++, numbers({x, 0, 0}), half, slot_half(), half, arm::kPi / 4);
  }

  /// Below the columns; slides out to let the pieces fall.
  void gate() {
    const auto& b = layout_.board;
    constexpr double kGate = 0.002;
    line("<body name=\"gate\" pos=\"0 0 {}\">", floor() - kGate);
    line("<joint name=\"gate\" type=\"slide\" axis=\"0 1 0\" damping=\"40\" armature=\"0.2\"/>");
    for (int column = 0; column < kColumns; ++column) {
      box(fmt::format("board_gate_{}", column), {(column - 3) * b.pitch_m, 0, 0},
          {b.pitch_m / 2, slot_half() + b.panel_m / 3, kGate},
          "rgba=\"0.85 0.87 0.90 1\" mass=\"0.02\"");
    }
    line("</body>");
  }

  void magazine() {
    const double r = radius();
    const int cells = layout_.magazine.capacity + 1;
    const Pose X = cell::magazine_pose(layout_);
    line("<body name=\"rail\" {}>", place(X));
    const std::string seen = "material=\"rail\"";
    int part = 0;
    const auto name = [&part] { return fmt::format("rail_{}", part++); };
    if (layout_.piece.shape == PieceShape::kDisc) {
      constexpr double kWall = 0.009;  // lower than the fingers come
      for (int k = 0; k < cells; ++k) {
        const double x = 2 * r * k;
        box(name(), {x, 0, -r - 0.006}, {r, slot_half() + 0.012, 0.006}, seen);
        for (const double side : {-1.0, 1.0}) {
          box(name(), {x, side * (slot_half() + 0.006), -r + kWall / 2}, {r, 0.006, kWall / 2},
              seen);
        }
      }
      box(name(), {-r - 0.004, 0, -r / 2 - 0.003}, {0.004, 0.003, r / 2 + 0.003}, seen);
    } else {
      constexpr double kBar = 0.0015;
      const double beside = 0.55 * r;
      const double below = std::sqrt((r + kBar) * (r + kBar) - beside * beside);
      for (const double side : {-1.0, 1.0}) {
        line(
            "<geom name=\"{}\" type=\"capsule\" size=\"{}\" "
            "fromto=\"{} {} {} {} {} {}\" {}/>",
            name(), kBar, -r, side * beside, -below, 2 * r * cells, side * beside, -below, seen);
      }
      box(name(), {-r - 0.002, 0, -r / 2}, {0.002, 0.0025, r / 2 + 0.002}, seen);
    }
    line("</body>");
    // Posts, to look at.
    for (const double at : {0.0, 2.0 * (cells - 1)}) {
      const Vector3d top = X * Vector3d(at * r, 0, -1.3 * r);
      line(
          "<geom type=\"cylinder\" fromto=\"{} {} 0 {}\" size=\"{}\" material=\"joint\" "
          "contype=\"0\" conaffinity=\"0\"/>",
          top.x(), top.y(), numbers(top), 0.3 * r);
    }
  }

  void pieces() {
    const auto& piece = layout_.piece;
    // A ghost takes the place of a piece that has come to rest.
    const std::string shape =
        piece.shape == PieceShape::kDisc
            ? fmt::format("type=\"cylinder\" size=\"{} {}\"", piece.radius_m, piece.thickness_m / 2)
            : fmt::format("type=\"sphere\" size=\"{}\" condim=\"6\"", piece.radius_m);
    for (int k = 0; k < kPieces; ++k) {
      const char* material = k < kPiecesPerSide ? "robot" : "human";
      line(
          "<body name=\"piece_{0}\" pos=\"{1} 0 -3\"><joint name=\"piece_{0}\" type=\"free\" "
          "armature=\"{2}\"/><geom name=\"piece_{0}\" {3} mass=\"{4}\" material=\"{5}\"/>",
          k, 3 * piece.radius_m * k, 0.3 * piece.mass_kg * piece.radius_m * piece.radius_m, shape,
          piece.mass_kg, material);
      if (piece.shape == PieceShape::kDisc) {
        // MuJoCo gives a cylinder one point of contact with each finger, about which it tilts. The
        // fingers also feel a box inside the disc: four points a side.
        line(
            "<geom name=\"piece_{0}_flat\" type=\"box\" size=\"{1} {1} {2}\" mass=\"0\" "
            "rgba=\"0 0 0 0\" group=\"3\" contype=\"{3}\" conaffinity=\"0\"/>",
            k, 0.6 * piece.radius_m, piece.thickness_m / 2, kFlatOfPiece);
      }
      line("</body>");
      line(
          "<body name=\"ghost_{0}\"><geom name=\"ghost_{0}\" {1} pos=\"{2} 0 -3\" material=\"{3}\" "
          "contype=\"0\" conaffinity=\"0\"/></body>",
          k, shape, 3 * piece.radius_m * k, material);
    }
  }

  const ArmModel& model_;
  const CellLayout& layout_;
};

}  // namespace

double gate_travel_m(const CellLayout& layout) {
  return 2 * (layout.board.slot_depth_m / 2 + layout.board.panel_m / 3) + 0.002;
}

double visible_panel_m(const CellLayout& layout) { return layout.board.panel_m / 3; }

Plate cell_plate(const CellLayout& layout) {
  constexpr int kSides = 32;
  const double half = layout.board.pitch_m / 2;
  const double radius = layout.piece.radius_m;
  const double window = 0.86 * radius;
  Plate plate;
  for (int k = 0; k < kSides; ++k) {
    const double angle = 2 * arm::kPi * (k + 0.5) / kSides;
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    // On the border of the rectangle (pitch wide, one piece high) in the same direction.
    const double reach =
        std::min(half / std::max(std::abs(c), 1e-9), radius / std::max(std::abs(s), 1e-9));
    for (const double side : {-0.5, 0.5}) {
      const double y = side * visible_panel_m(layout);
      plate.vertices_m.emplace_back(window * c, y, window * s);
      plate.vertices_m.emplace_back(reach * c, y, reach * s);
    }
  }
  const auto quad = [&plate](int a, int b, int c, int d) {
    plate.faces.insert(plate.faces.end(), {a, b, c, a, c, d});
  };
  for (int k = 0; k < kSides; ++k) {
    const int i = 4 * k;  // inner front, outer front, inner back, outer back
    const int n = 4 * ((k + 1) % kSides);
    quad(i, i + 1, n + 1, n);          // front
    quad(i + 2, n + 2, n + 3, i + 3);  // back
    quad(i + 1, i + 3, n + 3, n + 1);  // rim
    quad(i, n, n + 2, i + 2);          // window
  }
  return plate;
}

std::string scene_xml(const ArmModel& model, const CellLayout& layout) {
  return SceneText(model, layout).write();
}

}  // namespace rowbot::sim
