#include "robot/arm/inverse.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/arm/angles.h"
#include "robot/arm/closed_forms.h"
#include "robot/arm/forward.h"
#include "robot/arm/random_joints.h"
#include "trials/round_trip.h"

namespace rowbot::arm {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

Pose at(double x, double y, double z) {
  Pose X = Pose::Identity();
  X.translation() = Vector3d(x, y, z);
  return X;
}

class InverseOfEveryArm : public testing::TestWithParam<const ArmModel*> {};

INSTANTIATE_TEST_SUITE_P(Arms, InverseOfEveryArm,
                         testing::ValuesIn(all_models().begin(), all_models().end()),
                         [](const auto& param) { return param.param->name; });

TEST_P(InverseOfEveryArm, InverseAfterForwardComesBackToTheSamePose) {
  const trials::RoundTripReport report = trials::round_trip(*GetParam(), 2000, 11);
  EXPECT_EQ(report.poses, 2000U);
  EXPECT_EQ(report.solved, report.poses);
  EXPECT_LT(report.max_error_m, 1e-9);
  EXPECT_LT(report.max_error_rad, 1e-9);
  EXPECT_EQ(report.limit_violations, 0U);
}

TEST_P(InverseOfEveryArm, TheJointsWeStartedFromAreAmongTheSolutions) {
  const ArmModel& model = *GetParam();
  Rng rng(12);
  for (int k = 0; k < 500; ++k) {
    const JointVector q = random_joints(model, rng);
    double nearest = 1e9;
    for (const IkSolution& s : solve_all(model, forward(model, q), q[joint_count(model) - 1])) {
      nearest = std::min(nearest, (s.q_rad - q).norm());
    }
    EXPECT_LT(nearest, 1e-6) << "joints " << q.transpose();
  }
}

TEST_P(InverseOfEveryArm, EverySolutionReachesThePoseWithinLimits) {
  const ArmModel& model = *GetParam();
  Rng rng(13);
  for (int k = 0; k < 500; ++k) {
    const JointVector q = random_joints(model, rng);
    const Pose X = forward(model, q);
    for (const IkSolution& s : solve_all(model, X, q[joint_count(model) - 1])) {
      EXPECT_TRUE(within_limits(model, s.q_rad));
      EXPECT_LT((forward(model, s.q_rad).translation() - X.translation()).norm(), 1e-9);
      EXPECT_NEAR(rotation_distance(forward(model, s.q_rad).linear(), X.linear()),
                  s.orientation_error_rad, 1e-12);
    }
  }
}

TEST_P(InverseOfEveryArm, AFarPointIsExplainedWithTheNearestReachableOne) {
  const ArmModel& model = *GetParam();
  const auto answer = inverse(model, at(3, 0.1, 0.2));
  ASSERT_FALSE(answer.has_value());
  EXPECT_THAT(answer.error().message, HasSubstr("cannot reach"));
  EXPECT_THAT(answer.error().message, HasSubstr("nearest"));
  const Unreachable why = explain_unreachable(model, at(3, 0.1, 0.2));
  EXPECT_TRUE(within_limits(model, why.nearest_q_rad));
  EXPECT_NEAR((why.X_base_nearest.translation() - Vector3d(3, 0.1, 0.2)).norm(), why.distance_m,
              1e-12);
  // No random pose gets nearer.
  Rng rng(14);
  for (int k = 0; k < 20000; ++k) {
    const Vector3d p = forward(model, random_joints(model, rng)).translation();
    EXPECT_GT((p - Vector3d(3, 0.1, 0.2)).norm(), why.distance_m - 1e-4);
  }
}

TEST_P(InverseOfEveryArm, RefusesWhatIsNotANumber) {
  EXPECT_FALSE(inverse(*GetParam(), at(std::nan(""), 0, 0)).has_value());
  EXPECT_FALSE(inverse(*GetParam(), at(0, HUGE_VAL, 0)).has_value());
}

TEST(EezybotInverse, SaysWhichJointStandsInTheWay) {
  const auto answer = inverse(eezybot(), at(0.12, 0.12, 0.12));  // 45 degrees to the left
  ASSERT_FALSE(answer.has_value());
  EXPECT_THAT(answer.error().message, HasSubstr("base"));
  EXPECT_THAT(answer.error().message, HasSubstr("45.0 degrees"));
}

TEST(RoboarmInverse, HasAnElbowAboveAndOneBelow) {
  const auto& g = std::get<RoboarmGeometry>(roboarm().geometry);
  const IkSolutions all = roboarm_solutions(g, at(0.3, 0.05, 0.3));
  ASSERT_EQ(all.size(), 4U);  // and the same again with the base turned round
  for (const IkSolution& s : all) {
    const Vector3d p = forward(roboarm(), s.q_rad).translation();
    EXPECT_LT((p - Vector3d(0.3, 0.05, 0.3)).norm(), 1e-12);
  }
  // The choice of branch in Rhodes 1993, "the positive square root": the higher elbow, which comes
  // first.
  EXPECT_GT(link_frames(roboarm(), all[0].q_rad)[3].translation().z(),
            link_frames(roboarm(), all[1].q_rad)[3].translation().z());
}

// The report computes r'' from l3; its own figure 3 says that OB is l4. With l3 the hand misses.
TEST(RoboarmInverse, TheFormulaAsPrintedContradictsItsFigureAndMissesTheTarget) {
  const auto& g = std::get<RoboarmGeometry>(roboarm().geometry);
  const auto miss_with = [&g](double under_the_root) {
    const double r = 0.32;
    const double theta = 0.4;
    const double z = 0.30;
    const double r2 = std::sqrt(r * r - under_the_root * under_the_root);
    const double r1 = r2 + g.l3_m;
    const double base = theta + std::acos(r2 / r);
    const double z1 = z - g.l5_m;
    const double w = (g.l1_m * g.l1_m + r1 * r1 + z1 * z1 - g.l2_m * g.l2_m) / 2;
    const double d2 = r1 * r1 + z1 * z1;
    const double v =
        (z1 * w + std::sqrt(z1 * z1 * w * w - d2 * (w * w - r1 * r1 * g.l1_m * g.l1_m))) / d2;
    double phi = std::acos(v / g.l1_m);
    const double u = std::sqrt(g.l1_m * g.l1_m - v * v);
    if (std::abs(std::hypot(r1 - u, z1 - v) - g.l2_m) > 1e-9) phi = -phi;  // its sign test
    const double rho = std::asin((v - z1) / g.l2_m);
    JointVector q(4);
    q << base, phi, rho - phi, 0;
    const Vector3d p = forward(roboarm(), q).translation();
    return (p - Vector3d(r * std::cos(theta), r * std::sin(theta), z)).norm();
  };
  EXPECT_LT(miss_with(g.l4_m), 1e-12);  // derived: OB = l4
  EXPECT_GT(miss_with(g.l3_m), 0.010);  // printed: more than a centimetre off
}

TEST(RoboarmInverse, CannotReachInsideItsOwnOffset) {
  const auto answer = inverse(roboarm(), at(0.02, 0, 0.3));  // nearer to the axis than l4
  ASSERT_FALSE(answer.has_value());
  EXPECT_THAT(answer.error().message, HasSubstr("20 mm from the base axis"));
}

TEST(RoboarmInverse, TurnsTheWristAsAsked) {
  JointVector q(4);
  q << 0.3, 0.2, 0.4, 0.7;
  const auto s = solve(roboarm(), forward(roboarm(), q));
  ASSERT_TRUE(s.has_value());
  EXPECT_LT((s->q_rad - q).norm(), 1e-9);
  EXPECT_LT(s->orientation_error_rad, 1e-9);
}

TEST(PandaInverse, PrefersThePostureItIsGiven) {
  const Pose X = forward(panda(), neutral(panda()));
  const auto near_neutral = solve(panda(), X);
  ASSERT_TRUE(near_neutral.has_value());
  EXPECT_LT((near_neutral->q_rad - neutral(panda())).norm(), 1e-6);
  const auto fixed = solve(panda(), X, {.prefer_rad = {}, .redundancy_rad = neutral(panda())[6]});
  ASSERT_TRUE(fixed.has_value());
  EXPECT_LT((fixed->q_rad - neutral(panda())).norm(), 1e-6);
}

TEST(PandaInverse, SolvesUprightWhereShoulderJointsOneAndThreeAreOneJoint) {
  JointVector q = neutral(panda());
  q[1] = 0;
  const auto s = solve(panda(), forward(panda(), q), {.prefer_rad = q, .redundancy_rad = q[6]});
  ASSERT_TRUE(s.has_value());
  EXPECT_LT((forward(panda(), s->q_rad).translation() - forward(panda(), q).translation()).norm(),
            1e-7);
}

TEST(PandaInverse, AWholeBoardOfDropPosesIsReachable) {
  // Fingers down, closing across the board, over a field of 60 x 60 cm in front of the arm.
  Rng rng(15);
  int solved = 0;
  constexpr int kCount = 1000;
  for (int k = 0; k < kCount; ++k) {
    Pose X = Pose::Identity();
    X.linear() = (Eigen::AngleAxisd(kPi * (rng.uniform() - 0.5), Vector3d::UnitZ()) *
                  Eigen::AngleAxisd(kPi, Vector3d::UnitX()))
                     .toRotationMatrix();
    X.translation() = Vector3d(0.30 + 0.30 * rng.uniform(), 0.6 * rng.uniform() - 0.3,
                               0.10 + 0.30 * rng.uniform());
    solved += solve(panda(), X).has_value() ? 1 : 0;
  }
  EXPECT_EQ(solved, kCount);
}

}  // namespace
}  // namespace rowbot::arm
