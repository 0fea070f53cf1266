#include "robot/sim/neighbourhood.h"

#include <algorithm>
#include <mujoco/mujoco.h>
#include <string>
#include <string_view>

namespace rowbot::sim {
namespace {

using Eigen::Vector3d;

/// How far a mover may come within a step, and more.
constexpr double kMargin = 0.02;

std::string_view body_name(const mjModel& model, int body) {
  const char* name = mj_id2name(&model, mjOBJ_BODY, body);
  return name == nullptr ? std::string_view() : name;
}

Vector3d vector_at(const mjtNum* from) { return Eigen::Map<const Vector3d>(from); }

bool near(const Vector3d& p, double radius_m, const Vector3d& low_m, const Vector3d& high_m) {
  const double reach = radius_m + kMargin;
  return (p - p.cwiseMax(low_m).cwiseMin(high_m)).squaredNorm() < reach * reach;
}

}  // namespace

Neighbourhood::Neighbourhood(const mjModel& model) {
  for (int body = 1; body < model.nbody; ++body) {
    const std::string_view name = body_name(model, body);
    const int first = model.body_geomadr[body];
    const int count = model.body_geomnum[body];
    if (name.starts_with("board_") || name == "rail") {
      Standing part{.body = body,
                    .geoms = count,
                    .low_m = Vector3d::Constant(mjMAXVAL),
                    .high_m = Vector3d::Constant(-mjMAXVAL)};
      for (int geom = first; geom < first + count; ++geom) {
        const Vector3d middle = vector_at(model.geom_pos + 3 * geom);
        const Vector3d reach = Vector3d::Constant(model.geom_rbound[geom]);
        part.low_m = part.low_m.cwiseMin(middle - reach);
        part.high_m = part.high_m.cwiseMax(middle + reach);
      }
      standing_.push_back(part);
    } else if (name.starts_with("piece_")) {
      const std::string ghost = "ghost_" + std::string(name.substr(std::string("piece_").size()));
      pieces_.push_back({.body = body,
                         .qpos = model.jnt_qposadr[model.body_jntadr[body]],
                         .ghost_body = mj_name2id(&model, mjOBJ_BODY, ghost.c_str()),
                         .ghost_geom = mj_name2id(&model, mjOBJ_GEOM, ghost.c_str()),
                         .radius_m = model.geom_rbound[first]});
    } else if (model.body_weldid[body] != 0 && name != "gate") {
      for (int geom = first; geom < first + count; ++geom) arm_geoms_.push_back(geom);
    }
  }
}

void Neighbourhood::refresh(mjModel& model, const mjData& data) {
  movers_.clear();
  for (const int geom : arm_geoms_) {
    movers_.push_back(
        {.centre_m = vector_at(data.geom_xpos + 3 * geom), .radius_m = model.geom_rbound[geom]});
  }
  for (const Piece& piece : pieces_) {
    if (model.body_geomnum[piece.body] == 0) continue;
    movers_.push_back({.centre_m = vector_at(data.qpos + piece.qpos), .radius_m = piece.radius_m});
  }
  for (const Standing& part : standing_) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(data.xmat +
                                                                           9 * part.body);
    const Vector3d origin = vector_at(data.xpos + 3 * part.body);
    const bool wanted = std::ranges::any_of(movers_, [&](const Mover& mover) {
      return near(R.transpose() * (mover.centre_m - origin), mover.radius_m, part.low_m,
                  part.high_m);
    });
    model.body_geomnum[part.body] = wanted ? part.geoms : 0;
  }
  for (const Piece& piece : pieces_) {
    const Vector3d at = vector_at(model.geom_pos + 3 * piece.ghost_geom);
    const bool wanted = model.geom_contype[piece.ghost_geom] != 0 &&
                        std::ranges::any_of(movers_, [&](const Mover& mover) {
                          return near(mover.centre_m, mover.radius_m + piece.radius_m, at, at);
                        });
    model.body_geomnum[piece.ghost_body] = wanted ? 1 : 0;
  }
}

}  // namespace rowbot::sim
