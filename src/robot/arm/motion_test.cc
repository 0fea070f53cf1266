#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/arm/angles.h"
#include "robot/arm/collision.h"
#include "robot/arm/forward.h"
#include "robot/arm/inverse.h"
#include "robot/arm/planner.h"
#include "robot/arm/random_joints.h"
#include "robot/arm/trajectory.h"

namespace rowbot::arm {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

Box box_at(const std::string& name, const Vector3d& centre, const Vector3d& half) {
  Box box{.name = name, .X_base_box = Pose::Identity(), .half_m = half};
  box.X_base_box.translation() = centre;
  return box;
}

class MotionOfEveryArm : public testing::TestWithParam<const ArmModel*> {};

INSTANTIATE_TEST_SUITE_P(Arms, MotionOfEveryArm,
                         testing::ValuesIn(all_models().begin(), all_models().end()),
                         [](const auto& param) { return param.param->name; });

TEST(SegmentBoxDistance, AgreesWithDenseSampling) {
  Rng rng(21);
  const auto random_vector = [&rng](double size) -> Vector3d {
    return size * Vector3d(rng.uniform() - 0.5, rng.uniform() - 0.5, rng.uniform() - 0.5);
  };
  for (int k = 0; k < 300; ++k) {
    Box box = box_at("box", random_vector(1), random_vector(0.5).cwiseAbs());
    box.X_base_box.rotate(Eigen::AngleAxisd(6 * rng.uniform(), random_vector(1).normalized()));
    const Vector3d a = random_vector(2);
    const Vector3d b = random_vector(2);
    double least = 1e9;
    for (int i = 0; i <= 2000; ++i) {
      const Vector3d p = box.X_base_box.inverse() * (a + (b - a) * i / 2000.0);
      least = std::min(least, (p.cwiseAbs() - box.half_m).cwiseMax(0).norm());
    }
    EXPECT_NEAR(segment_box_distance(a, b, box), least, 1e-3);
    EXPECT_LE(segment_box_distance(a, b, box), least + 1e-12);
  }
}

TEST(SegmentDistance, AgreesWithDenseSampling) {
  Rng rng(22);
  const auto random_vector = [&rng] {
    return Vector3d(rng.uniform(), rng.uniform(), rng.uniform());
  };
  for (int k = 0; k < 200; ++k) {
    const Vector3d a0 = random_vector();
    const Vector3d a1 = random_vector();
    const Vector3d b0 = random_vector();
    const Vector3d b1 = k % 5 == 0 ? Vector3d(b0 + (a1 - a0)) : random_vector();  // also parallel
    double least = 1e9;
    for (int i = 0; i <= 100; ++i) {
      for (int j = 0; j <= 100; ++j) {
        least = std::min(least, (a0 + (a1 - a0) * i / 100.0 - b0 - (b1 - b0) * j / 100.0).norm());
      }
    }
    EXPECT_NEAR(segment_distance(a0, a1, b0, b1), least, 0.02);
    EXPECT_LE(segment_distance(a0, a1, b0, b1), least + 1e-12);
  }
}

TEST(Ramp, StartsAndEndsAtRestAndCoversTheWayOnce) {
  for (const double share : {0.5, 0.3, 0.05}) {
    const Ramp ramp{.share = share};
    EXPECT_NEAR(ramp.at(0).s, 0, 1e-12);
    EXPECT_NEAR(ramp.at(1).s, 1, 1e-12);
    for (const double end : {0.0, 1.0}) {
      EXPECT_NEAR(ramp.at(end).ds, 0, 1e-12);
      EXPECT_NEAR(ramp.at(end).dds, 0, 1e-9);
    }
    for (int i = 1; i < 1000; ++i) {  // derivatives belong to each other
      const double t = i / 1000.0;
      const double h = 1e-6;
      EXPECT_NEAR((ramp.at(t + h).s - ramp.at(t - h).s) / (2 * h), ramp.at(t).ds, 1e-3);
      EXPECT_NEAR((ramp.at(t + h).ds - ramp.at(t - h).ds) / (2 * h), ramp.at(t).dds, 0.05);
    }
  }
}

TEST_P(MotionOfEveryArm, JointMovesKeepAllLimitsAndUseThem) {
  const ArmModel& model = *GetParam();
  Rng rng(23);
  for (int k = 0; k < 40; ++k) {
    const JointVector from = random_joints(model, rng);
    const JointVector to = random_joints(model, rng);
    const Trajectory move = joint_move(model, from, to);
    EXPECT_TRUE(move.at(0).q_rad.isApprox(from));
    EXPECT_TRUE(move.at(move.duration_s()).q_rad.isApprox(to));
    double fullest = 0;
    for (int i = 0; i <= 3000; ++i) {
      const JointState s = move.at(move.duration_s() * i / 3000);
      for (int j = 0; j < joint_count(model); ++j) {
        const JointLimits& limits = model.joints[static_cast<std::size_t>(j)];
        const double v = std::abs(s.v_rad_s[j]) / limits.velocity_rad_s;
        const double a = std::abs(s.a_rad_s2[j]) / limits.acceleration_rad_s2;
        fullest = std::max({fullest, v, a});
      }
    }
    EXPECT_LE(fullest, 1.0);
    EXPECT_GT(fullest, 0.9);  // not slower than it must be
  }
}

TEST_P(MotionOfEveryArm, VelocityIsTheDerivativeOfPosition) {
  const ArmModel& model = *GetParam();
  Rng rng(24);
  std::vector<JointVector> points;
  for (int i = 0; i < 5; ++i) points.push_back(random_joints(model, rng));
  const Trajectory sweep(model, points);
  for (int i = 1; i < 500; ++i) {
    const double t = sweep.duration_s() * i / 500;
    const double h = 1e-5;
    const JointVector v = (sweep.at(t + h).q_rad - sweep.at(t - h).q_rad) / (2 * h);
    const JointVector a = (sweep.at(t + h).v_rad_s - sweep.at(t - h).v_rad_s) / (2 * h);
    EXPECT_LT((v - sweep.at(t).v_rad_s).norm(), 1e-3);
    EXPECT_LT((a - sweep.at(t).a_rad_s2).norm(), 0.05);
  }
}

TEST_P(MotionOfEveryArm, StandingStillIsAMotionToo) {
  const JointVector q = neutral(*GetParam());
  const Trajectory still = joint_move(*GetParam(), q, q);
  EXPECT_LT(still.duration_s(), 0.1);
  EXPECT_TRUE(check(*GetParam(), still, {}).has_value());
  EXPECT_TRUE(still.at(5).q_rad.isApprox(q));
}

TEST_P(MotionOfEveryArm, AStraightLineIsStraight) {
  const ArmModel& model = *GetParam();
  const JointVector from = neutral(model);
  const Pose X_from = forward(model, from);
  Pose X_to = X_from;
  X_to.translation() += Vector3d(0.005, 0.01, -0.03);
  const auto line = straight_line(model, from, X_to);
  ASSERT_TRUE(line.has_value()) << line.error().message;
  EXPECT_TRUE(check(model, *line, {}).has_value());
  const Vector3d way = (X_to.translation() - X_from.translation()).normalized();
  for (int i = 0; i <= 100; ++i) {
    const JointState state = line->at(line->duration_s() * i / 100);
    const Vector3d p = forward(model, state.q_rad).translation() - X_from.translation();
    EXPECT_LT((p - way * p.dot(way)).norm(), 5e-5);
  }
  EXPECT_LT((forward(model, line->end_rad()).translation() - X_to.translation()).norm(), 1e-9);
}

TEST_P(MotionOfEveryArm, ALineOutOfReachSaysHowFarItGets) {
  const ArmModel& model = *GetParam();
  Pose X_to = forward(model, neutral(model));
  X_to.translation().z() += 2;
  const auto line = straight_line(model, neutral(model), X_to);
  ASSERT_FALSE(line.has_value());
  EXPECT_THAT(line.error().message, HasSubstr("mm"));
}

TEST_P(MotionOfEveryArm, CheckRefusesWhatLeavesTheRange) {
  const ArmModel& model = *GetParam();
  JointVector to = neutral(model);
  to[0] = model.joints[0].max_rad + 0.1;
  const auto verdict = check(model, joint_move(model, neutral(model), to), {});
  ASSERT_FALSE(verdict.has_value());
  EXPECT_THAT(verdict.error().message, HasSubstr("degrees"));
}

TEST_P(MotionOfEveryArm, CheckRefusesAMotionFasterThanTheArm) {
  ArmModel fast = *GetParam();
  for (JointLimits& joint : fast.joints) joint.velocity_rad_s *= 2;
  for (JointLimits& joint : fast.joints) joint.acceleration_rad_s2 *= 4;
  JointVector to = neutral(fast);
  to[0] -= 0.4;
  const auto verdict = check(*GetParam(), joint_move(fast, neutral(fast), to), {});
  ASSERT_FALSE(verdict.has_value());
  EXPECT_THAT(verdict.error().message, HasSubstr("its limit is"));
}

TEST_P(MotionOfEveryArm, CheckRefusesAMotionThroughAThinWall) {
  const ArmModel& model = *GetParam();
  JointVector from = neutral(model);
  JointVector to = neutral(model);
  from[0] = -0.4;
  to[0] = 0.4;
  const Vector3d p = forward(model, (from + to) / 2).translation();
  Surroundings around;
  around.boxes = {box_at("wall", p, {0.03, 0.0005, 0.03})};
  EXPECT_TRUE(check(model, joint_move(model, from, to), {}).has_value());
  const auto verdict = check(model, joint_move(model, from, to), around);
  ASSERT_FALSE(verdict.has_value());
  EXPECT_THAT(verdict.error().message, HasSubstr("wall"));
  EXPECT_FALSE(line_is_free(model, from, to, around));
}

TEST_P(MotionOfEveryArm, ThePlannerGoesAroundAWallAndRepeatsItself) {
  const ArmModel& model = *GetParam();
  JointVector from = neutral(model);
  JointVector to = neutral(model);
  from[0] = -0.4;
  to[0] = 0.4;
  const Vector3d p = forward(model, (from + to) / 2).translation();
  Surroundings around;
  // Low enough to be passed above or drawn back from.
  around.boxes = {box_at("wall", p - Vector3d(0, 0, 0.02), {0.02, 0.005, 0.025})};
  const auto plan = plan_move(model, from, to, around, {.seed = 5});
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_TRUE(check(model, plan->trajectory, around).has_value());
  EXPECT_GT(plan->length_rad, plan->straight_rad);
  const auto again = plan_move(model, from, to, around, {.seed = 5});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->points_rad, plan->points_rad);
}

TEST_P(MotionOfEveryArm, ThePlannerTakesTheStraightWayWhereItIsFree) {
  const ArmModel& model = *GetParam();
  JointVector to = neutral(model);
  to[0] += 0.2;
  const auto plan = plan_move(model, neutral(model), to, {});
  ASSERT_TRUE(plan.has_value());
  EXPECT_DOUBLE_EQ(plan->length_rad, plan->straight_rad);
}

TEST_P(MotionOfEveryArm, ThePlannerRefusesAGoalInsideAWall) {
  const ArmModel& model = *GetParam();
  Surroundings around;
  around.boxes = {box_at("wall", forward(model, neutral(model)).translation(), {0.1, 0.1, 0.1})};
  const auto plan = plan_move(model, neutral(model), neutral(model), around);
  ASSERT_FALSE(plan.has_value());
  EXPECT_THAT(plan.error().message, HasSubstr("wall"));
}

TEST_P(MotionOfEveryArm, TheFingersAreCoveredHoweverFarTheyAreOpen) {
  const ArmModel& model = *GetParam();
  const Gripper& gripper = model.gripper;
  const Vector3d size = gripper.finger_size_m;
  const int tool = static_cast<int>(model.links.size()) + 1;
  Rng rng(8);
  double worst = 0;
  for (int k = 0; k < 2000; ++k) {
    const double inner = gripper.max_width_m / 2 * rng.uniform();
    const double side = rng.below(2) == 0 ? 1 : -1;
    const Vector3d point(size.x() * (rng.uniform() - 0.5),
                         side * (inner + size.y() * rng.uniform()),
                         gripper.fingertip_m - size.z() * rng.uniform());
    double nearest = 1;
    for (const Capsule& c : model.shape) {
      if (c.link != tool) continue;
      nearest = std::min(nearest, segment_distance(c.start_m, c.end_m, point, point) - c.radius_m);
    }
    worst = std::max(worst, nearest);
  }
  EXPECT_LT(worst, 0.0008) << "more than the smallest margin of a cell";
}

TEST(Collision, TheServedBoxMayBeApproachedByTheHandButNotByTheArm) {
  const JointVector q = neutral(panda());
  Surroundings around;
  around.boxes = {box_at("board", forward(panda(), q).translation(), {0.05, 0.05, 0.02})};
  EXPECT_TRUE(collides(panda(), q, around));
  around.served = {"board"};
  EXPECT_FALSE(collides(panda(), q, around));
  around.boxes.front().X_base_box.translation() = link_frames(panda(), q)[4].translation();
  EXPECT_TRUE(collides(panda(), q, around));
}

TEST(Collision, ACarriedPieceCountsAsPartOfTheArm) {
  const JointVector q = neutral(panda());
  const Vector3d below = forward(panda(), q) * Vector3d(0, 0, 0.06);
  Surroundings around;
  around.boxes = {box_at("board", below, {0.01, 0.01, 0.01})};
  EXPECT_FALSE(collides(panda(), q, around));
  around.carried =
      Capsule{.link = 0, .start_m = {0, 0, 0}, .end_m = {0, 0, 0.05}, .radius_m = 0.01};
  EXPECT_THAT(contact(panda(), q, around).value_or(""), HasSubstr("piece"));
}

TEST(Collision, ThePandaDoesNotPutItsHandThroughItsShoulder) {
  JointVector q = neutral(panda());
  q << 0, -1.7, 0, -3.0, 0, 0.6, 0;
  EXPECT_TRUE(collides(panda(), q, {}));
  EXPECT_FALSE(collides(panda(), neutral(panda()), {}));
}

}  // namespace
}  // namespace rowbot::arm
