#include "robot/sim/scene.h"

#include <cstring>
#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <string_view>
#include <utility>

#include "robot/arm/forward.h"
#include "robot/sim/simulated_arm.h"

namespace rowbot::sim {
namespace {

using arm::JointVector;

int id_of(const mjModel& model, mjtObj type, const std::string& name) {
  return mj_name2id(&model, type, name.c_str());
}

/// MuJoCo's only way to report warnings is one function for the whole process. Without one of ours
/// it prints them and writes a file where the program was started. PhysicsState reads the counters
/// of warnings in the data instead.
void silence_warnings() {
  [[maybe_unused]] static const bool once = [] {
    mju_user_warning = [](const char*) {};
    return true;
  }();
}

Result<OwnedModel> load(const arm::ArmModel& arm, const cell::CellLayout& layout) {
  const std::string xml = scene_xml(arm, layout);
  const auto vfs = std::make_unique<mjVFS>();
  mj_defaultVFS(vfs.get());
  constexpr const char* kFile = "scene.xml";
  if (mj_makeEmptyFileVFS(vfs.get(), kFile, static_cast<int>(xml.size())) != 0) {
    return Error{"the scene does not fit into memory"};
  }
  std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), kFile)], xml.data(), xml.size());
  std::array<char, 1000> why{};
  OwnedModel model(mj_loadXML(kFile, vfs.get(), why.data(), static_cast<int>(why.size())));
  mj_deleteVFS(vfs.get());
  if (!model) {
    return Error{fmt::format("MuJoCo does not take the scene of {}: {}", arm.name, why.data())};
  }
  return model;
}

PieceIds find_piece(const mjModel& model, std::size_t number) {
  const std::string name = fmt::format("piece_{}", number);
  const int joint = id_of(model, mjOBJ_JOINT, name);
  const int body = model.jnt_bodyid[joint];
  return {.qpos = model.jnt_qposadr[joint],
          .dof = model.jnt_dofadr[joint],
          .body = body,
          .geoms = model.body_geomnum[body],
          .geom = id_of(model, mjOBJ_GEOM, name),
          .flat_geom = id_of(model, mjOBJ_GEOM, name + "_flat"),
          .ghost_geom = id_of(model, mjOBJ_GEOM, fmt::format("ghost_{}", number))};
}

GeomKind kind_of(const mjModel& model, int geom) {
  const char* text = mj_id2name(&model, mjOBJ_GEOM, geom);
  const std::string_view name = text == nullptr ? "" : text;
  if (name.starts_with("arm_")) return GeomKind::kArm;
  if (name.starts_with("finger_")) return GeomKind::kFinger;
  if (name.starts_with("piece_") || name.starts_with("ghost_")) return GeomKind::kPiece;
  for (const std::string_view solid : {"board_", "table_", "rail_", "mast_"}) {
    if (name.starts_with(solid)) return GeomKind::kObstacle;
  }
  return GeomKind::kOther;
}

void find_parts(Scene& scene, mjModel& model) {
  for (std::size_t k = 0; k < scene.pieces.size(); ++k) {
    scene.pieces[k] = find_piece(model, k);
    // MuJoCo believes that a body's only shape stays in the middle of the body; a ghost is moved.
    model.geom_sameframe[scene.pieces[k].ghost_geom] = 0;
  }
  for (std::size_t i = 1; i <= scene.arm.links.size(); ++i) {
    const int joint = id_of(model, mjOBJ_JOINT, fmt::format("link_{}", i));
    scene.link_qpos.push_back(model.jnt_qposadr[joint]);
    scene.link_dof.push_back(model.jnt_dofadr[joint]);
  }
  scene.finger_qpos = model.jnt_qposadr[id_of(model, mjOBJ_JOINT, "finger_left")];
  scene.left_finger_geom = id_of(model, mjOBJ_GEOM, "finger_left");
  scene.board_body = id_of(model, mjOBJ_BODY, "board");
  scene.tool_site = id_of(model, mjOBJ_SITE, "tool");
  for (int geom = 0; geom < model.ngeom; ++geom) {
    scene.kind_of_geom.push_back(kind_of(model, geom));
  }
  // What is only seen of the board need not be asked whether it touches anything.
  model.body_geomnum[scene.board_body] = 0;
}

/// Of the links, in the pose that the data has.
Eigen::MatrixXd link_inertia(const Scene& scene, const mjModel& model, mjData& data) {
  mj_forward(&model, &data);
  const auto nv = static_cast<Eigen::Index>(model.nv);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> full(nv, nv);
  mj_fullM(&model, full.data(), data.qM);
  return full(scene.link_dof, scene.link_dof);
}

/// Each motor is a spring and a damper, critically damped for the inertia it moves in the neutral
/// pose: no table of gains per robot.
void tune_motors(Scene& scene, mjModel& model, mjData& data) {
  const int n = arm::joint_count(scene.arm);
  const auto links = static_cast<Eigen::Index>(scene.arm.links.size());
  const JointVector link_rad = arm::link_angles(scene.arm, arm::neutral(scene.arm));
  for (Eigen::Index i = 0; i < links; ++i) {
    data.qpos[scene.link_qpos[static_cast<std::size_t>(i)]] = link_rad[i];
  }
  // Gear boxes give every joint an inertia of its own; without it a light wrist behind a heavy
  // shoulder would shake.
  const double gear = 0.08 * link_inertia(scene, model, data).diagonal().maxCoeff();
  for (const int dof : scene.link_dof) model.dof_armature[dof] = gear;
  const Eigen::MatrixXd M = link_inertia(scene, model, data);
  const Eigen::MatrixXd M_joint =
      scene.arm.link_from_joint.transpose() * M * scene.arm.link_from_joint;
  scene.stiffness = kServoBandwidth * kServoBandwidth * M_joint.diagonal();
  scene.damping = JointVector::Zero(links);
  for (Eigen::Index i = 0; i < links; ++i) {
    if (i < n) scene.damping[i] = 2 * kServoBandwidth * M(i, i);
    model.dof_damping[scene.link_dof[static_cast<std::size_t>(i)]] = scene.damping[i];
  }
  for (int i = 0; i < n; ++i) {
    model.actuator_gainprm[i * mjNGAIN] = scene.stiffness[i];
    model.actuator_biasprm[i * mjNBIAS + 1] = -scene.stiffness[i];
  }
  for (const int finger : {n, n + 1}) model.actuator_forcelimited[finger] = 1;
}

}  // namespace

void DeleteMujoco::operator()(const mjModel_* model) const {
  mj_deleteModel(const_cast<mjModel*>(model));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

void DeleteMujoco::operator()(const mjData_* data) const {
  mj_deleteData(const_cast<mjData*>(data));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

Result<std::shared_ptr<const Scene>> Scene::compile(const arm::ArmModel& arm,
                                                    const cell::CellLayout& layout) {
  if (auto sound = cell::check_layout(layout); !sound) return sound.error();
  silence_warnings();
  auto model = load(arm, layout);
  if (!model) return model.error();
  OwnedData data(mj_makeData(model->get()));
  auto scene = std::make_shared<Scene>();
  scene->arm = arm;
  scene->layout = layout;
  find_parts(*scene, **model);
  tune_motors(*scene, **model, *data);
  scene->start_qpos.assign(data->qpos, data->qpos + (*model)->nq);
  scene->start_qacc.assign(data->qacc_warmstart, data->qacc_warmstart + (*model)->nv);
  scene->model = *std::move(model);
  return std::shared_ptr<const Scene>(std::move(scene));
}

}  // namespace rowbot::sim
