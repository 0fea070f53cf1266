#include "robot/sim/neighbourhood.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <mujoco/mujoco.h>
#include <set>
#include <utility>

#include "robot/cell/drop_plan.h"
#include "robot/sim/twin.h"

namespace rowbot::sim {
namespace {

using Pairs = std::set<std::pair<int, int>>;

Pairs touching(const mjModel& model, const mjData& data) {
  Pairs pairs;
  const int gate = mj_name2id(&model, mjOBJ_BODY, "gate");
  for (int c = 0; c < data.ncon; ++c) {
    const mjContact& contact = data.contact[c];
    const int a = model.geom_bodyid[contact.geom1];
    const int b = model.geom_bodyid[contact.geom2];
    // The gate slides along the board; what they do to each other is nobody's concern.
    const bool gate_on_board =
        (a == gate && model.body_weldid[b] == 0) || (b == gate && model.body_weldid[a] == 0);
    if (!gate_on_board) pairs.emplace(contact.geom1, contact.geom2);
  }
  return pairs;
}

/// The same instant with every shape of the board and of the pieces at rest compared.
class WithoutNeighbourhood {
 public:
  explicit WithoutNeighbourhood(const World& world)
      : model_(mj_copyModel(nullptr, &world.state.model())), data_(mj_makeData(model_.get())) {
    for (int body = 0; body < model_->nbody; ++body) {
      int geoms = 0;
      for (int geom = 0; geom < model_->ngeom; ++geom) {
        geoms += model_->geom_bodyid[geom] == body ? 1 : 0;
      }
      model_->body_geomnum[body] = geoms;
    }
  }

  Pairs touching_at(const World& world) {
    mju_copy(data_->qpos, world.state.data().qpos, model_->nq);
    mju_copy(model_->geom_pos, world.state.model().geom_pos, 3 * model_->ngeom);
    mju_copy(model_->geom_quat, world.state.model().geom_quat, 4 * model_->ngeom);
    std::copy_n(world.state.model().geom_contype, model_->ngeom, model_->geom_contype);
    std::copy_n(world.state.model().geom_conaffinity, model_->ngeom, model_->geom_conaffinity);
    mj_kinematics(model_.get(), data_.get());
    mj_collision(model_.get(), data_.get());
    return touching(*model_, *data_);
  }

 private:
  struct DeleteModel {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
  };
  struct DeleteData {
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjModel, DeleteModel> model_;
  std::unique_ptr<mjData, DeleteData> data_;
};

TEST(Neighbourhood, LosesNoContact) {
  for (const arm::ArmModel* model : {&arm::eezybot(), &arm::panda()}) {
    auto twin = Twin::create(cell::default_layout(*model));
    ASSERT_TRUE(twin.has_value());
    ASSERT_TRUE((*twin)->configure().has_value());
    ASSERT_TRUE((*twin)->activate().has_value());
    WithoutNeighbourhood all((*twin)->world());
    Pairs expected;
    std::size_t seen = 0;
    (*twin)->on_step([&](const World& world) {
      // MuJoCo's contacts are those of the positions before the step.
      if (world.state.steps() % 61 == 60) {
        const Pairs found = touching(world.state.model(), world.state.data());
        EXPECT_EQ(found, expected) << model->name << " at " << world.state.time_s() << " s";
        seen += found.size();
      }
      if (world.state.steps() % 61 == 59) expected = all.touching_at(world);
    });
    (*twin)->advance(0.1);
    for (const int column : {0, 3}) {
      auto plan =
          cell::plan_drop(cell::default_layout(*model), game::Column(column), arm::neutral(*model));
      ASSERT_TRUE(plan.has_value());
      ASSERT_TRUE(cell::run_plan(**twin, *plan).has_value());
      (*twin)->human_drop(game::Column(column));
      (*twin)->settle(2);
    }
    EXPECT_GT(seen, 100U);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace rowbot::sim
