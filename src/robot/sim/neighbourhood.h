// Which standing things MuJoCo has to compare with the moving ones. It compares every shape of one
// body with every shape of the other, and the board alone has 150; most of the time nothing is near
// it. A body that nothing is near lends MuJoCo no shapes, which changes no contact and makes a step
// several times cheaper.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "robot/sim/mujoco_types.h"

namespace rowbot::sim {

class Neighbourhood {
 public:
  /// Of a model whose pieces, ghosts and parts of the board have the names that scene_xml gives.
  explicit Neighbourhood(const mjModel_& model);

  /// Before each step, with the positions after the last one.
  void refresh(mjModel_& model, const mjData_& data);

 private:
  struct Standing {
    int body = 0;
    int geoms = 0;
    Eigen::Vector3d low_m;  // in the body's frame
    Eigen::Vector3d high_m;
  };
  struct Piece {
    int body = 0;
    int qpos = 0;
    int ghost_body = 0;
    int ghost_geom = 0;
    double radius_m = 0;
  };
  struct Mover {
    Eigen::Vector3d centre_m;
    double radius_m = 0;
  };

  std::vector<Standing> standing_;
  std::vector<Piece> pieces_;
  std::vector<int> arm_geoms_;
  std::vector<Mover> movers_;  // kept for its memory
};

}  // namespace rowbot::sim
