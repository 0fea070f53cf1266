#include "robot/sim/world.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <string_view>

#include "robot/arm/angles.h"
#include "robot/arm/forward.h"
#include "robot/sim/last_good_state.h"

namespace rowbot::sim {
namespace {

using arm::JointVector;
using arm::Pose;
using Eigen::Vector3d;

constexpr double kServoBandwidth = 80;  // rad/s: how stiffly the motors hold their commands
constexpr double kStoreDepth = -3;

int joint_of(const mjModel* model, const std::string& name) {
  return mj_name2id(model, mjOBJ_JOINT, name.c_str());
}

}  // namespace

World::World(const arm::ArmModel& model, const cell::CellLayout& layout, std::uint64_t seed)
    : arm_(model), layout_(layout), marks_(layout), rng_(seed) {}

World::~World() {
  if (data_ != nullptr) mj_deleteData(data_);
  if (model_ != nullptr) mj_deleteModel(model_);
}

Result<std::unique_ptr<World>> World::create(const arm::ArmModel& model,
                                             const cell::CellLayout& layout, std::uint64_t seed) {
  if (auto sound = cell::check_layout(layout); !sound) return sound.error();
  std::unique_ptr<World> world(new World(model, layout, seed));
  const std::string xml = scene_xml(model, layout);
  std::array<char, 1000> why{};
  const auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  constexpr const char* kFile = "scene.xml";
  if (mj_makeEmptyFileVFS(vfs.get(), kFile, static_cast<int>(xml.size())) != 0) {
    return Error{"the scene does not fit into memory"};
  }
  const int index = mj_findFileVFS(vfs.get(), kFile);
  std::memcpy(vfs->filedata[index], xml.data(), xml.size());
  world->model_ = mj_loadXML(kFile, vfs.get(), why.data(), static_cast<int>(why.size()));
  mj_deleteVFS(vfs.get());
  if (world->model_ == nullptr) {
    return Error{fmt::format("MuJoCo does not take the scene of {}: {}", model.name, why.data())};
  }
  world->data_ = mj_makeData(world->model_);
  world->neighbourhood_.emplace(*world->model_);
  world->last_good_ = std::make_unique<LastGoodState>(*world->model_);
  // It would print them, and write a file where the program was started.
  mju_user_warning = [](const char*) {};
  world->find_names();
  world->tune_motors();
  world->reload();
  return world;
}

void World::find_names() {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const std::string name = fmt::format("piece_{}", k);
    const int joint = joint_of(model_, name);
    pieces_[k].joint_qpos = model_->jnt_qposadr[joint];
    pieces_[k].joint_dof = model_->jnt_dofadr[joint];
    pieces_[k].body = model_->jnt_bodyid[joint];
    pieces_[k].geoms = model_->body_geomnum[pieces_[k].body];
    pieces_[k].body_geom = mj_name2id(model_, mjOBJ_GEOM, name.c_str());
    pieces_[k].flat_geom = mj_name2id(model_, mjOBJ_GEOM, (name + "_flat").c_str());
    pieces_[k].ghost_geom = mj_name2id(model_, mjOBJ_GEOM, fmt::format("ghost_{}", k).c_str());
    // MuJoCo believes that a body's only shape stays in the middle of the body; a ghost is moved.
    model_->geom_sameframe[pieces_[k].ghost_geom] = 0;
  }
  for (std::size_t i = 1; i <= arm_.links.size(); ++i) {
    const int joint = joint_of(model_, fmt::format("link_{}", i));
    link_qpos_.push_back(model_->jnt_qposadr[joint]);
    link_dof_.push_back(model_->jnt_dofadr[joint]);
  }
  finger_qpos_ = model_->jnt_qposadr[joint_of(model_, "finger_left")];
  for (int g = 0; g < model_->ngeom; ++g) {
    const char* text = mj_id2name(model_, mjOBJ_GEOM, g);
    const std::string_view name = text == nullptr ? "" : text;
    Kind kind = Kind::kOther;
    if (name.starts_with("arm_")) kind = Kind::kArm;
    if (name.starts_with("finger_")) kind = Kind::kFinger;
    if (name.starts_with("piece_") || name.starts_with("ghost_")) kind = Kind::kPiece;
    for (const std::string_view solid : {"board_", "table_", "rail_", "mast_"}) {
      if (name.starts_with(solid)) kind = Kind::kObstacle;
    }
    kind_of_geom_.push_back(kind);
  }
  // What is only seen of the board need not be asked whether it touches anything.
  model_->body_geomnum[mj_name2id(model_, mjOBJ_BODY, "board")] = 0;
}

/// Each motor is a spring and a damper, critically damped for the inertia it moves in the neutral
/// pose: no table of gains per robot.
void World::tune_motors() {
  const int n = arm::joint_count(arm_);
  const JointVector neutral = arm::neutral(arm_);
  const JointVector link_rad = arm::link_angles(arm_, neutral);
  const auto links = static_cast<int>(arm_.links.size());
  for (int i = 0; i < links; ++i) {
    data_->qpos[link_qpos_[static_cast<std::size_t>(i)]] = link_rad[i];
  }
  const auto inertia = [&] {
    mj_forward(model_, data_);
    std::vector<double> full(static_cast<std::size_t>(model_->nv) *
                             static_cast<std::size_t>(model_->nv));
    mj_fullM(model_, full.data(), data_->qM);
    Eigen::MatrixXd M(links, links);
    for (int i = 0; i < links; ++i) {
      for (int k = 0; k < links; ++k) {
        M(i, k) =
            full[static_cast<std::size_t>(link_dof_[static_cast<std::size_t>(i)] * model_->nv +
                                          link_dof_[static_cast<std::size_t>(k)])];
      }
    }
    return M;
  };
  // Gear boxes give every joint an inertia of its own; without it a light wrist behind a heavy
  // shoulder would shake.
  const double gear = 0.08 * inertia().diagonal().maxCoeff();
  for (const int dof : link_dof_) model_->dof_armature[dof] = gear;
  const Eigen::MatrixXd M = inertia();
  const Eigen::MatrixXd M_joint = arm_.link_from_joint.transpose() * M * arm_.link_from_joint;
  stiffness_ = kServoBandwidth * kServoBandwidth * M_joint.diagonal();
  damping_ = JointVector::Zero(links);
  for (int i = 0; i < links; ++i) {
    damping_[i] = i < n ? 2 * kServoBandwidth * M(i, i) : 0.0;
    model_->dof_damping[link_dof_[static_cast<std::size_t>(i)]] = damping_[i];
  }
  for (int i = 0; i < n; ++i) {
    model_->actuator_gainprm[i * mjNGAIN] = stiffness_[i];
    model_->actuator_biasprm[i * mjNBIAS + 1] = -stiffness_[i];
  }
  for (const int finger : {n, n + 1}) model_->actuator_forcelimited[finger] = 1;
  command(neutral, JointVector::Zero(n));
  command_gripper(layout_.grip_opening_m, layout_.grip_force_n);
  data_->qpos[finger_qpos_] = data_->qpos[finger_qpos_ + 1] = layout_.grip_opening_m / 2;
}

void World::command(const JointVector& q_rad, const JointVector& v_rad_s) {
  // Feed forward what holds the arm against its weight and its own friction.
  const auto links = static_cast<Eigen::Index>(arm_.links.size());
  const JointVector link_v = arm::link_angles(arm_, v_rad_s);
  JointVector load(links);
  for (Eigen::Index i = 0; i < links; ++i) {
    load[i] = data_->qfrc_bias[link_dof_[static_cast<std::size_t>(i)]] + damping_[i] * link_v[i];
  }
  const JointVector joint_load = arm_.link_from_joint.transpose() * load;
  for (int i = 0; i < arm::joint_count(arm_); ++i) {
    data_->ctrl[i] = q_rad[i] + joint_load[i] / stiffness_[i];
  }
}

void World::command_gripper(double width_m, double force_n) {
  const int n = arm::joint_count(arm_);
  for (const int finger : {n, n + 1}) {
    data_->ctrl[finger] = width_m / 2;
    model_->actuator_forcerange[2 * finger] = -force_n;
    model_->actuator_forcerange[2 * finger + 1] = force_n;
  }
}

void World::step() {
  neighbourhood_->refresh(*model_, *data_);
  last_good_->remember(*model_, *data_);
  mj_step(model_, data_);
  if (const auto dof = last_good_->restore_if_broken(*model_, *data_)) take_back_broken_step(*dof);
  ++counters_.steps;
  tend_pieces();
  feed_rail();
  watch();
}

/// A piece that broke the physics is off the table; an arm that did stands still.
void World::take_back_broken_step(int dof) {
  ++counters_.broken_steps;
  const auto piece = std::ranges::find_if(pieces_, [dof](const PieceInfo& info) {
    return dof >= info.joint_dof && dof < info.joint_dof + 6;
  });
  if (piece != pieces_.end()) {
    store(static_cast<std::size_t>(piece - pieces_.begin()));
  } else {
    for (const int link : link_dof_) data_->qvel[link] = 0;
  }
  mj_forward(model_, data_);
}

double World::step_s() const { return model_->opt.timestep; }
double World::time_s() const { return static_cast<double>(counters_.steps) * step_s(); }

JointVector World::joints_rad() const {
  const int n = arm::joint_count(arm_);
  JointVector q(n);
  for (int i = 0; i < n; ++i) q[i] = data_->ten_length[i];
  return q;
}

JointVector World::velocities_rad_s() const {
  const int n = arm::joint_count(arm_);
  JointVector v(n);
  for (int i = 0; i < n; ++i) v[i] = data_->ten_velocity[i];
  return v;
}

/// A critically damped joint that is told to stop s ahead moves with
///   v(t) = e^(-wt) (v + w (ws - v) t),
/// where w is the bandwidth. With s = 0 it swings past its goal and creeps back; with s = 0.6 v/w
/// it is within a fiftieth of its speed after 2.1/w and stays there.
JointVector World::stopping_way_rad() const { return 0.6 / kServoBandwidth * velocities_rad_s(); }

double World::gripper_width_m() const {
  return data_->qpos[finger_qpos_] + data_->qpos[finger_qpos_ + 1];
}

Pose World::tool_pose() const {
  const int site = mj_name2id(model_, mjOBJ_SITE, "tool");
  Pose X = Pose::Identity();
  X.translation() = Eigen::Map<const Vector3d>(data_->site_xpos + 3 * site);
  X.linear() =
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data_->site_xmat + 9 * site);
  return X;
}

// ---- pieces

Pose World::pose_of(std::size_t piece) const {
  const double* at = data_->qpos + pieces_[piece].joint_qpos;
  Pose X = Pose::Identity();
  X.translation() = Vector3d(at[0], at[1], at[2]);
  X.linear() = Eigen::Quaterniond(at[3], at[4], at[5], at[6]).normalized().toRotationMatrix();
  return X;
}

std::optional<Pose> World::piece_pose(std::size_t piece) const {
  if (pieces_[piece].state == PieceState::kStored) return std::nullopt;
  return pose_of(piece);
}

void World::put(std::size_t piece, const Pose& X) {
  double* at = data_->qpos + pieces_[piece].joint_qpos;
  const Eigen::Quaterniond q(X.linear());
  at[0] = X.translation().x();
  at[1] = X.translation().y();
  at[2] = X.translation().z();
  at[3] = q.w();
  at[4] = q.x();
  at[5] = q.y();
  at[6] = q.z();
  std::fill_n(data_->qvel + pieces_[piece].joint_dof, 6, 0.0);
  std::fill_n(data_->qacc_warmstart + pieces_[piece].joint_dof, 6, 0.0);
}

void World::let_touch(const PieceInfo& info, Solid solid) {
  const auto set = [this](int geom, bool on) {
    model_->geom_contype[geom] = model_->geom_conaffinity[geom] = on ? 1 : 0;
  };
  set(info.body_geom, solid.body);
  set(info.ghost_geom, solid.ghost);
  if (info.flat_geom >= 0) model_->geom_contype[info.flat_geom] = solid.body ? kFlatOfPiece : 0;
  // MuJoCo compares the shapes of two bodies before it asks whether they may touch.
  model_->body_geomnum[info.body] = solid.body ? info.geoms : 0;
}

void World::store(std::size_t piece) {
  PieceInfo& info = pieces_[piece];
  info.state = PieceState::kStored;
  info.stuck = false;
  let_touch(info, {.body = false, .ghost = false});
  model_->geom_pos[3 * info.ghost_geom + 2] = kStoreDepth;
  Pose X = Pose::Identity();
  X.translation() =
      Vector3d(3 * layout_.piece.radius_m * static_cast<double>(piece), 0, kStoreDepth);
  put(piece, X);
}

void World::rest(std::size_t piece) {
  PieceInfo& info = pieces_[piece];
  const double* at = data_->qpos + info.joint_qpos;
  std::copy_n(at, 3, model_->geom_pos + 3 * info.ghost_geom);
  std::copy_n(at + 3, 4, model_->geom_quat + 4 * info.ghost_geom);
  let_touch(info, {.body = false, .ghost = true});
  model_->geom_rgba[4 * info.body_geom + 3] = 0;
  info.state = PieceState::kResting;
}

void World::wake(std::size_t piece) {
  PieceInfo& info = pieces_[piece];
  if (info.state == PieceState::kResting) {
    if (info.stuck) return;
    model_->geom_pos[3 * info.ghost_geom + 2] = kStoreDepth;
  }
  let_touch(info, {.body = true, .ghost = false});
  model_->geom_rgba[4 * info.body_geom + 3] = 1;
  std::fill_n(data_->qvel + info.joint_dof, 6, 0.0);
  info.state = PieceState::kMoving;
  info.still_s = 0;
}

std::optional<World::Spot> World::spot_of(std::size_t piece) const {
  const Vector3d p = cell::board_pose(layout_).inverse() * pose_of(piece).translation();
  const double r = layout_.piece.radius_m;
  const double floor = cell::board_floor_m(layout_) - cell::board_pose(layout_).translation().z();
  const double column = p.x() / layout_.board.pitch_m + 3;
  const double row = (p.z() - floor - r) / (2 * r);
  if (std::abs(p.y()) > layout_.board.slot_depth_m / 2) return std::nullopt;
  const Spot spot{.column = static_cast<int>(std::lround(column)),
                  .row = static_cast<int>(std::lround(row))};
  if (std::abs(column - spot.column) > 0.3 || std::abs(row - spot.row) > 0.4) return std::nullopt;
  if (spot.column < 0 || spot.column >= kColumns || spot.row < 0 || spot.row >= kRows) {
    return std::nullopt;
  }
  return spot;
}

bool World::on_rail(std::size_t piece) const {
  const Vector3d p = cell::magazine_pose(layout_).inverse() * pose_of(piece).translation();
  const double r = layout_.piece.radius_m;
  return p.x() > -r && p.x() < 2 * r * (layout_.magazine.capacity + 1) &&
         std::abs(p.y()) < layout_.board.slot_depth_m / 2 && std::abs(p.z()) < r;
}

std::optional<std::size_t> World::stored_piece(Side side) const {
  const std::size_t first = side == Side::kRobot ? 0 : kPiecesPerSide;
  for (std::size_t k = first; k < first + kPiecesPerSide; ++k) {
    if (pieces_[k].state == PieceState::kStored) return k;
  }
  return std::nullopt;
}

void World::tend_pieces() {
  const double r = layout_.piece.radius_m;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    PieceInfo& info = pieces_[k];
    if (info.state != PieceState::kMoving) {
      // Not part of the physics: keep the body where it was.
      if (info.state == PieceState::kResting) {
        std::copy_n(model_->geom_pos + 3 * info.ghost_geom, 3, data_->qpos + info.joint_qpos);
      } else {
        data_->qpos[info.joint_qpos + 2] = kStoreDepth;
      }
      std::fill_n(data_->qvel + info.joint_dof, 6, 0.0);
      std::fill_n(data_->qacc_warmstart + info.joint_dof, 6, 0.0);
      continue;
    }
    const Vector3d p = pose_of(k).translation();
    if (p.z() < -0.15) {  // through the opening, or off the table
      store(k);
      continue;
    }
    const double* v = data_->qvel + info.joint_dof;
    const double speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double spin = r * std::sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
    info.still_s = speed < 0.008 && spin < 0.02 ? info.still_s + step_s() : 0;
    if (info.still_s > 0.1 && !gate_open_ && (spot_of(k).has_value() || on_rail(k))) {
      // Not while the fingers are at it.
      const double reach = (p - tool_pose().translation()).norm();
      if (reach > 3 * r) rest(k);
    }
  }
}

BoardTruth World::board() const {
  BoardTruth truth;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state == PieceState::kStored || pieces_[k].stuck) continue;
    if (const auto spot = spot_of(k)) {
      truth[static_cast<std::size_t>(spot->column)][static_cast<std::size_t>(spot->row)] =
          k < kPiecesPerSide ? Side::kRobot : Side::kHuman;
    }
  }
  return truth;
}

int World::pieces_in_board() const {
  int count = 0;
  for (const auto& column : board()) {
    for (const auto& cell : column) count += cell.has_value() ? 1 : 0;
  }
  return count;
}

int World::pieces_on_rail() const {
  int count = 0;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state != PieceState::kStored && on_rail(k)) ++count;
  }
  return count;
}

std::array<bool, kColumns> World::pieces_in_mouths() const {
  std::array<bool, kColumns> touched{};
  const Pose X_board_base = cell::board_pose(layout_).inverse();
  const double r = layout_.piece.radius_m;
  const double mouth =
      cell::board_floor_m(layout_) - cell::board_pose(layout_).translation().z() + 2 * r * kRows;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state != PieceState::kMoving) continue;
    const Vector3d p = X_board_base * pose_of(k).translation();
    // A piece at rest in the topmost row has passed.
    if (std::abs(p.z() - mouth) > 0.8 * r || std::abs(p.y()) > layout_.board.slot_depth_m / 2) {
      continue;
    }
    const auto column = std::lround(p.x() / layout_.board.pitch_m + 3);
    if (column >= 0 && column < kColumns) touched[static_cast<std::size_t>(column)] = true;
  }
  return touched;
}

bool World::all_at_rest() const {
  return std::ranges::none_of(pieces_, [](const PieceInfo& p) {
    return p.state == PieceState::kMoving && p.still_s < 0.1;
  });
}

bool World::holds_piece() const {
  std::array<bool, kPieces> left{};
  std::array<bool, kPieces> right{};
  const int left_finger = mj_name2id(model_, mjOBJ_GEOM, "finger_left");
  for (int c = 0; c < data_->ncon; ++c) {
    const mjContact& contact = data_->contact[c];
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      const auto of_piece = [&info = pieces_[k]](int geom) {
        return geom == info.body_geom || geom == info.flat_geom;
      };
      if (!of_piece(contact.geom1) && !of_piece(contact.geom2)) continue;
      const int other = of_piece(contact.geom1) ? contact.geom2 : contact.geom1;
      if (kind_of_geom_[static_cast<std::size_t>(other)] != Kind::kFinger) continue;
      (other == left_finger ? left : right)[k] = true;
    }
  }
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (left[k] && right[k]) return true;
  }
  return false;
}

Pose World::upright_in_board(const Vector3d& p_board) const {
  // A disc's axis (z of its shape) lies across the board.
  Pose X = cell::board_pose(layout_);
  X.translation() = X * p_board;
  X.linear() = X.linear() * Eigen::AngleAxisd(-arm::kPi / 2, Vector3d::UnitX()).toRotationMatrix();
  return X;
}

void World::reload() {
  for (std::size_t k = 0; k < pieces_.size(); ++k) store(k);
  fed_s_ = -1;
  // The first pieces stand in a row at once, as a person would place them.
  for (int i = 0; i < layout_.magazine.capacity && feeding_; ++i) {
    const auto piece = stored_piece(Side::kRobot);
    if (!piece) break;
    Pose X = cell::magazine_pose(layout_);
    X.translation() = X * Vector3d(2.001 * layout_.piece.radius_m * i, 0, 0);
    X.linear() =
        X.linear() * Eigen::AngleAxisd(-arm::kPi / 2, Vector3d::UnitX()).toRotationMatrix();
    put(*piece, X);
    wake(*piece);
  }
  mj_forward(model_, data_);
}

void World::set_feeding(bool on) { feeding_ = on; }

void World::let_rail_roll() {
  // A piece at rest must lean on the stop or on the piece before it; otherwise it rolls on.
  const double r = layout_.piece.radius_m;
  const Pose X_rail_base = cell::magazine_pose(layout_).inverse();
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state != PieceState::kResting || !on_rail(k)) continue;
    const double x = (X_rail_base * pose_of(k).translation()).x();
    bool held = x < 0.2 * r;
    for (std::size_t i = 0; i < pieces_.size() && !held; ++i) {
      if (i == k || pieces_[i].state == PieceState::kStored || !on_rail(i)) continue;
      const double ahead = x - (X_rail_base * pose_of(i).translation()).x();
      held = ahead > 0 && ahead < 2.1 * r;
    }
    if (!held) wake(k);
  }
}

void World::feed_rail() {
  if (counters_.steps % 50 == 0) let_rail_roll();
  if (!feeding_ || time_s() - fed_s_ < 0.4) return;
  fed_s_ = time_s();
  if (pieces_on_rail() >= layout_.magazine.capacity) return;
  const double r = layout_.piece.radius_m;
  const Pose X_rail = cell::magazine_pose(layout_);
  const double at = 2 * r * (layout_.magazine.capacity + 0.2);
  for (std::size_t k = 0; k < pieces_.size(); ++k) {  // is there room?
    if (pieces_[k].state == PieceState::kStored) continue;
    const Vector3d p = X_rail.inverse() * pose_of(k).translation();
    if (std::abs(p.x() - at) < 2.2 * r && p.norm() < 10 * r * layout_.magazine.capacity &&
        std::abs(p.z()) < 3 * r) {
      return;
    }
  }
  const auto piece = stored_piece(Side::kRobot);
  if (!piece) return;
  Pose X = X_rail;
  X.translation() = X_rail * Vector3d(at, 0, 0.3 * r);
  X.linear() = X.linear() * Eigen::AngleAxisd(-arm::kPi / 2, Vector3d::UnitX()).toRotationMatrix();
  put(*piece, X);
  wake(*piece);
}

void World::wake_rail() {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state == PieceState::kResting && on_rail(k)) wake(k);
  }
}

void World::wake_all() {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (pieces_[k].state == PieceState::kResting) wake(k);
  }
}

void World::watch() {
  const JointVector q = joints_rad();
  const JointVector v = velocities_rad_s();
  constexpr double kPositionTolerance = 0.002;
  constexpr double kSpeedTolerance = 1.05;
  bool broken = !arm::within_limits(arm_, q, kPositionTolerance);
  for (int i = 0; i < arm::joint_count(arm_); ++i) {
    broken = broken || std::abs(v[i]) > kSpeedTolerance *
                                            arm_.joints[static_cast<std::size_t>(i)].velocity_rad_s;
  }
  if (broken) ++counters_.limit_violations;
  for (int c = 0; c < data_->ncon; ++c) {
    const mjContact& contact = data_->contact[c];
    if (contact.dist > 0) continue;
    const Kind a = kind_of_geom_[static_cast<std::size_t>(contact.geom1)];
    const Kind b = kind_of_geom_[static_cast<std::size_t>(contact.geom2)];
    const auto is_arm = [](Kind k) { return k == Kind::kArm || k == Kind::kFinger; };
    // Arm on furniture, or any part but the fingers on a piece.
    const bool unwanted =
        (is_arm(a) && b == Kind::kObstacle) || (is_arm(b) && a == Kind::kObstacle) ||
        (a == Kind::kArm && b == Kind::kPiece) || (b == Kind::kArm && a == Kind::kPiece);
    if (!unwanted) continue;
    if (counters_.unwanted_contacts++ == 0) {
      counters_.first_unwanted =
          fmt::format("{} touches {} at {:.2f} s", mj_id2name(model_, mjOBJ_GEOM, contact.geom1),
                      mj_id2name(model_, mjOBJ_GEOM, contact.geom2), time_s());
    }
  }
}

}  // namespace rowbot::sim
