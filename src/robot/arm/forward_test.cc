#include "robot/arm/forward.h"

#include <gtest/gtest.h>

#include "robot/arm/angles.h"
#include "robot/arm/random_joints.h"

namespace rowbot::arm {
namespace {

using Eigen::AngleAxisd;
using Eigen::Translation3d;
using Eigen::Vector3d;

class ForwardOfEveryArm : public testing::TestWithParam<const ArmModel*> {};

INSTANTIATE_TEST_SUITE_P(Arms, ForwardOfEveryArm,
                         testing::ValuesIn(all_models().begin(), all_models().end()),
                         [](const auto& param) { return param.param->name; });

TEST_P(ForwardOfEveryArm, AgreesWithTheProductOfElementaryTurnsAndShifts) {
  const ArmModel& model = *GetParam();
  Rng rng(1);
  for (int k = 0; k < 200; ++k) {
    const JointVector q = random_joints(model, rng);
    const JointVector angle = link_angles(model, q);
    Pose X = Pose::Identity();
    for (std::size_t i = 0; i < model.links.size(); ++i) {
      const DhLink& link = model.links[i];
      X = X * AngleAxisd(link.alpha_rad, Vector3d::UnitX()) * Translation3d(link.a_m, 0, 0) *
          AngleAxisd(link.theta_rad + angle[static_cast<Eigen::Index>(i)], Vector3d::UnitZ()) *
          Translation3d(0, 0, link.d_m);
    }
    EXPECT_TRUE(forward(model, q).isApprox(X * model.X_last_tool, 1e-12));
    EXPECT_TRUE(link_frames(model, q).tool().isApprox(forward(model, q), 1e-12));
  }
}

// Carlo 2020, equations 2.6 and 2.7: Rot(z, q) Trans(0, 0, d) Trans(a, 0, 0) Rot(x, delta).
// Shifting a and alpha of each link to the one before it turns our convention into that one.
TEST_P(ForwardOfEveryArm, AgreesWithTheOtherDenavitHartenbergConvention) {
  const ArmModel& model = *GetParam();
  Rng rng(2);
  const JointVector q = random_joints(model, rng);
  const JointVector angle = link_angles(model, q);
  const DhLink& first = model.links.front();
  Pose X = AngleAxisd(first.alpha_rad, Vector3d::UnitX()) * Translation3d(first.a_m, 0, 0) *
           Pose::Identity();
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const bool last = i + 1 == model.links.size();
    const double theta = model.links[i].theta_rad + angle[static_cast<Eigen::Index>(i)];
    const double d = model.links[i].d_m;
    const double a = last ? 0 : model.links[i + 1].a_m;
    const double delta = last ? 0 : model.links[i + 1].alpha_rad;
    const double c = std::cos(theta);
    const double s = std::sin(theta);
    Eigen::Matrix4d T;  // equation 2.7, with the d that its last column needs
    T << c, -std::cos(delta) * s, std::sin(delta) * s, a * c,  //
        s, std::cos(delta) * c, -std::sin(delta) * c, a * s,   //
        0, std::sin(delta), std::cos(delta), d,                //
        0, 0, 0, 1;
    X.matrix() = X.matrix() * T;
  }
  EXPECT_TRUE(forward(model, q).isApprox(X * model.X_last_tool, 1e-12));
}

TEST_P(ForwardOfEveryArm, JacobianIsTheDerivativeOfForward) {
  const ArmModel& model = *GetParam();
  Rng rng(3);
  constexpr double kStep = 1e-6;
  for (int k = 0; k < 50; ++k) {
    const JointVector q = random_joints(model, rng);
    const Jacobian J = jacobian(model, q);
    ASSERT_EQ(J.cols(), joint_count(model));
    for (int i = 0; i < joint_count(model); ++i) {
      JointVector ahead = q;
      JointVector behind = q;
      ahead[i] += kStep;
      behind[i] -= kStep;
      const Pose X_ahead = forward(model, ahead);
      const Pose X_behind = forward(model, behind);
      const Vector3d v = (X_ahead.translation() - X_behind.translation()) / (2 * kStep);
      const Eigen::Matrix3d spin = (X_ahead.linear() - X_behind.linear()) / (2 * kStep) *
                                   forward(model, q).linear().transpose();
      const Vector3d w(spin(2, 1), spin(0, 2), spin(1, 0));
      EXPECT_LT((J.col(i).head<3>() - v).norm(), 1e-8);
      EXPECT_LT((J.col(i).tail<3>() - w).norm(), 1e-8);
    }
  }
}

TEST_P(ForwardOfEveryArm, StandsWithinItsLimitsInEveryNamedPosition) {
  for (const NamedPosition& position : GetParam()->positions) {
    EXPECT_EQ(limit_violation(*GetParam(), position.q_rad), std::nullopt) << position.name;
  }
}

TEST(EezybotForward, RodsKeepTheHandLevel) {
  Rng rng(4);
  for (int k = 0; k < 100; ++k) {
    const Pose X = forward(eezybot(), random_joints(eezybot(), rng));
    EXPECT_NEAR(X.linear().col(2).z(), 0, 1e-12);   // it points forward,
    EXPECT_NEAR(X.linear().col(0).z(), -1, 1e-12);  // and its x axis straight down
  }
}

TEST(EezybotForward, ForearmServoMovesTheForearmAloneAndTheMainArmServoOnlyTheMainArm) {
  JointVector q = neutral(eezybot());
  const Frames before = link_frames(eezybot(), q);
  q[1] -= 0.2;
  const Frames after = link_frames(eezybot(), q);
  // The forearm's direction (x axis of frame 3) stays as it was: that is what the rods are for.
  EXPECT_TRUE(after[3].linear().isApprox(before[3].linear(), 1e-12));
  EXPECT_FALSE(after[2].linear().isApprox(before[2].linear(), 1e-3));
}

TEST(EezybotForward, NothingIsReachableBelow40Millimetres) {
  Rng rng(5);
  double lowest = 1;
  for (int k = 0; k < 20000; ++k) {
    lowest = std::min(lowest, forward(eezybot(), random_joints(eezybot(), rng)).translation().z());
  }
  EXPECT_GT(lowest, 0.040);
  EXPECT_LT(lowest, 0.050);
}

TEST(EezybotForward, ForearmRangeFollowsTheMainArm) {
  JointVector q = neutral(eezybot());
  q << 0, radians(39), 0;
  const Range low = joint_range(eezybot(), q, 2);
  q << 0, radians(120), 0;
  const Range high = joint_range(eezybot(), q, 2);
  EXPECT_GT(high.min, low.min);
  EXPECT_GT(high.max, low.max);
}

TEST(RoboarmForward, StretchedOutItStandsWhereTheFigureSays) {
  const auto& g = std::get<RoboarmGeometry>(roboarm().geometry);
  const JointVector q = JointVector::Zero(4);  // upper arm upright, forearm level
  const Vector3d p = forward(roboarm(), q).translation();
  EXPECT_NEAR(p.x(), g.l2_m - g.l3_m, 1e-12);
  EXPECT_NEAR(p.y(), -g.l4_m, 1e-12);  // to the right
  EXPECT_NEAR(p.z(), g.l5_m + g.l1_m, 1e-12);
}

TEST(PandaForward, ReadyPoseIsWhereTheMakerSaysItIs) {
  const JointVector q = *named_position(panda(), "ready");
  const Pose X = forward(panda(), q);
  EXPECT_NEAR(X.translation().x(), 0.3069, 1e-4);
  EXPECT_NEAR(X.translation().y(), 0, 1e-9);
  EXPECT_NEAR(X.translation().z(), 0.4869, 2e-3);
  EXPECT_NEAR(X.linear().col(2).z(), -1, 1e-9);  // pointing down
}

TEST(Models, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  const auto model = model_by_name("pandda");
  ASSERT_FALSE(model.has_value());
  EXPECT_NE(model.error().message.find("panda"), std::string::npos);
  EXPECT_FALSE(named_position(panda(), "nowhere").has_value());
}

TEST(Models, ClampedIsWithinTheLimits) {
  Rng rng(6);
  for (const ArmModel* model : all_models()) {
    for (int k = 0; k < 500; ++k) {
      JointVector q(joint_count(*model));
      for (int i = 0; i < q.size(); ++i) q[i] = 20 * rng.uniform() - 10;
      EXPECT_TRUE(within_limits(*model, clamped(*model, q)));
    }
  }
}

}  // namespace
}  // namespace rowbot::arm
