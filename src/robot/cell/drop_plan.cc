#include "robot/cell/drop_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include "robot/arm/angles.h"
#include "robot/arm/forward.h"
#include "robot/arm/inverse.h"
#include "robot/arm/planner.h"

namespace rowbot::cell {
namespace {

using arm::ArmModel;
using arm::JointVector;
using arm::Pose;
using arm::Surroundings;
using arm::Trajectory;
using Eigen::Vector3d;

bool chooses_orientation(const ArmModel& model) { return arm::joint_count(model) >= 6; }

/// A place to go down to and come up from.
struct Place {
  JointVector above_rad;
  Trajectory down;
  Trajectory up;
};

/// A point that the hand serves.
struct Spot {
  std::string name;
  Vector3d point_m;
  Vector3d along;      // of the slot or the rail; horizontal
  Vector3d away;       // in which the hand leaves
  std::string served;  // the box that belongs to it
};

using WaysOf = std::function<Result<std::vector<Trajectory>>(const Place&)>;
struct Visit {
  Place place;
  std::vector<Trajectory> ways;
};

/// How far a piece may be turned against the slot before it jams.
double slot_tolerance_rad(const CellLayout& layout) {
  if (layout.piece.shape == PieceShape::kBall) return arm::kPi;
  return std::atan2(layout.board.slot_depth_m - layout.piece.thickness_m,
                    2 * layout.piece.radius_m);
}

/// Square to the rail: straight up from a slope, the piece would drag the next one along.
Vector3d out_of_magazine(const CellLayout& layout) { return magazine_pose(layout).linear().col(2); }

Error in_step(DropStepKind kind, const Error& error) {
  return Error{fmt::format("{}: {}", drop_step_name(kind), error.message)};
}

class Planning {
 public:
  Planning(const CellLayout& layout, const ArmModel& model, const DropOptions& options)
      : layout_(layout), model_(model), options_(options), around_(surroundings(layout)) {}

  /// Where to stand above a point, the straight lines to it and back, and the ways to get there
  /// and on: in the first posture for which all of them are found.
  Result<Visit> visit(const Spot& spot, const WaysOf& ways_of) const {
    Surroundings around = around_;
    around.served = {spot.served};
    if (auto taught = taught_place(spot.name)) {
      auto place = checked(*std::move(taught), around);
      if (!place) return Error{spot.name + ": " + place.error().message};
      auto ways = ways_of(*place);
      if (!ways) return ways.error();
      return Visit{.place = *std::move(place), .ways = *std::move(ways)};
    }
    std::optional<Error> first_error;
    const auto note = [&first_error](std::string message) {
      if (!first_error) first_error = Error{std::move(message)};
    };
    for (const Pose& X : hold_poses(layout_, spot.point_m, spot.along)) {
      Pose X_above = X;
      X_above.translation() += layout_.lift_m * spot.away;
      const auto preferred = arm::inverse(model_, X_above);
      if (!preferred) {
        note(spot.name + ": " + preferred.error().message);
        continue;
      }
      for (const JointVector& above_rad : postures(X_above, preferred->q_rad)) {
        auto place = try_posture(above_rad, X, X_above, spot.along, around);
        if (!place) {
          note(spot.name + ": " + place.error().message);
          continue;
        }
        auto ways = ways_of(*place);
        if (ways) return Visit{.place = *std::move(place), .ways = *std::move(ways)};
        note(ways.error().message);
      }
    }
    return *first_error;
  }

  /// The way there is from where the arm stands.
  Result<Visit> visit_magazine(const JointVector& from_rad) const {
    const Vector3d rail =
        Eigen::AngleAxisd(layout_.magazine.yaw_rad, Vector3d::UnitZ()) * Vector3d::UnitX();
    const Spot spot{.name = "pick",
                    .point_m = layout_.magazine.pick_m,
                    .along = rail,
                    .away = out_of_magazine(layout_),
                    .served = "magazine"};
    return visit(spot, [&](const Place& p) -> Result<std::vector<Trajectory>> {
      auto approach = travel_in(DropStepKind::kApproach, from_rad, p.above_rad, false);
      if (!approach) return approach.error();
      return std::vector{*std::move(approach)};
    });
  }

  /// The ways are from where the piece was picked up to the column, and from there home.
  Result<Visit> visit_column(game::Column column, const JointVector& from_rad) const {
    const Spot spot{.name = fmt::format("column {}", column.number()),
                    .point_m = slot_m(layout_, column) + options_.offset_m +
                               Vector3d(0, 0, layout_.board.release_height_m),
                    .along = board_pose(layout_).linear().col(0),
                    .away = Vector3d::UnitZ(),
                    .served = "board"};
    return visit(spot, [&](const Place& p) -> Result<std::vector<Trajectory>> {
      auto carry = travel_in(DropStepKind::kCarry, from_rad, p.above_rad, true);
      if (!carry) return carry.error();
      auto home = travel_in(DropStepKind::kNeutral, p.up.end_rad(), arm::neutral(model_), false);
      if (!home) return home.error();
      return std::vector{*std::move(carry), *std::move(home)};
    });
  }

  Result<Trajectory> travel(const JointVector& from, const JointVector& to, bool carrying) const {
    Surroundings obstacles = around(carrying);
    // Where the hand is clear of board and magazine at both ends, it keeps clear on the way too.
    // Else the fingers start or end close to what they serve; the arm keeps its distance.
    if (arm::collides(model_, from, obstacles) || arm::collides(model_, to, obstacles)) {
      obstacles.served = {"board", "magazine"};
    }
    auto move = arm::plan_move(model_, from, to, obstacles,
                               {.seed = options_.seed, .speed = options_.speed});
    if (!move) return move.error();
    return std::move(move->trajectory);
  }

  /// The straight line out of the furniture that the hand stands in, if it does.
  [[nodiscard]] std::optional<Trajectory> retreat(const JointVector& from) const {
    const std::array<std::pair<const char*, Vector3d>, 2> exits = {{
        {"board", Vector3d::UnitZ()},
        {"magazine", out_of_magazine(layout_)},
    }};
    for (const auto& [name, away] : exits) {
      Surroundings only = around(options_.holding);
      std::erase_if(only.boxes, [name = name](const arm::Box& box) { return box.name != name; });
      if (!arm::collides(model_, from, only)) continue;
      Surroundings leaving = around(options_.holding);
      leaving.served = {name};
      for (const double part : {1.0, 0.5}) {
        Pose X = arm::forward(model_, from);
        X.translation() += part * layout_.lift_m * away;
        auto line = arm::straight_line(model_, from, X, options_.speed);
        if (line && arm::check(model_, *line, leaving)) return *std::move(line);
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Result<Trajectory> travel_in(DropStepKind kind, const JointVector& from,
                                             const JointVector& to, bool carrying) const {
    auto found = travel(from, to, carrying);
    if (!found) return in_step(kind, found.error());
    return found;
  }

  [[nodiscard]] Surroundings around(bool carrying) const {
    Surroundings all = around_;
    if (carrying) {
      all.carried = arm::Capsule{.link = 0,
                                 .start_m = Vector3d::Zero(),
                                 .end_m = Vector3d::Zero(),
                                 .radius_m = layout_.piece.radius_m};
    }
    return all;
  }

  /// The preferred one first; then, for an arm with a joint to spare, others near to it.
  [[nodiscard]] std::vector<JointVector> postures(const Pose& X_above,
                                                  const JointVector& preferred_rad) const {
    std::vector<JointVector> all = {preferred_rad};
    if (arm::joint_count(model_) < 7) return all;
    constexpr int kSteps = 16;
    const arm::JointLimits& spare = model_.joints.back();
    for (int i = 1; i < kSteps; ++i) {
      const double q_rad = spare.min_rad + (spare.max_rad - spare.min_rad) * i / kSteps;
      for (const arm::IkSolution& s : arm::solve_all(model_, X_above, q_rad)) {
        all.push_back(s.q_rad);
      }
    }
    std::sort(all.begin() + 1, all.end(), [&](const JointVector& a, const JointVector& b) {
      return (a - preferred_rad).squaredNorm() < (b - preferred_rad).squaredNorm();
    });
    return all;
  }

  [[nodiscard]] Result<Place> try_posture(const JointVector& above_rad, const Pose& X_base_tool,
                                          const Pose& X_above, const Vector3d& along,
                                          const Surroundings& around) const {
    // A hand with few joints is turned as its place wants it; the piece must still fit the slot.
    const Vector3d closing = arm::forward(model_, above_rad).linear().col(1);
    const double skew = std::asin(std::min(1.0, std::abs(closing.dot(along))));
    if (skew > slot_tolerance_rad(layout_)) {
      return Error{
          fmt::format("{} would hold the piece {:.1f} degrees askew, and {:.1f} fit; turn "
                      "the board or the magazine towards the arm",
                      model_.name, arm::degrees(skew), arm::degrees(slot_tolerance_rad(layout_)))};
    }
    auto down = arm::straight_line(model_, above_rad, X_base_tool, options_.speed);
    if (!down) return down.error();
    auto up = arm::straight_line(model_, down->end_rad(), X_above, options_.speed);
    if (!up) return up.error();
    return checked(Place{.above_rad = above_rad, .down = *down, .up = *up}, around);
  }

  [[nodiscard]] Result<Place> checked(Place place, const Surroundings& around) const {
    for (const Trajectory* line : {&place.down, &place.up}) {
      if (auto verdict = arm::check(model_, *line, around); !verdict) return verdict.error();
    }
    return place;
  }

  [[nodiscard]] std::optional<Place> taught_place(const std::string& what) const {
    const auto find = [this](const std::string& name) -> const JointVector* {
      for (const Taught& taught : layout_.taught) {
        if (taught.name == name) return &taught.q_rad;
      }
      return nullptr;
    };
    const JointVector* at = find(what);
    const JointVector* above = find(what + " above");
    if (at == nullptr || above == nullptr) return std::nullopt;
    return Place{.above_rad = *above,
                 .down = arm::joint_move(model_, *above, *at, options_.speed),
                 .up = arm::joint_move(model_, *at, *above, options_.speed)};
  }

  const CellLayout& layout_;
  const ArmModel& model_;
  const DropOptions& options_;
  Surroundings around_;
};

}  // namespace

const char* drop_step_name(DropStepKind kind) {
  constexpr std::array kNames = {"open",  "approach", "pick",    "close",   "lift",
                                 "carry", "align",    "release", "retreat", "neutral"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::vector<Pose> hold_poses(const CellLayout& layout, const Vector3d& point_m,
                             const Vector3d& along) {
  const ArmModel& model = **arm::model_by_name(layout.robot);
  const Vector3d normal = Vector3d::UnitZ().cross(along).normalized();
  std::vector<Pose> poses;
  for (const double side : {1.0, -1.0}) {
    Pose X = Pose::Identity();
    X.translation() = point_m;
    Eigen::Matrix3d R;
    if (chooses_orientation(model)) {
      R.col(2) = -Vector3d::UnitZ();  // fingers down,
      R.col(1) = side * normal;       // closing across the slot
      R.col(0) = R.col(1).cross(R.col(2));
    } else {
      R.col(0) = -Vector3d::UnitZ();  // hand upright; its direction follows from the place
      R.col(1) = side * normal;
      R.col(2) = R.col(0).cross(R.col(1));
    }
    X.linear() = R;
    poses.push_back(X);
    if (!chooses_orientation(model)) break;
  }
  return poses;
}

Result<DropPlan> plan_drop(const CellLayout& layout, game::Column column,
                           const JointVector& from_rad, const DropOptions& options) {
  if (auto sound = check_layout(layout); !sound) return sound.error();
  const ArmModel& model = **arm::model_by_name(layout.robot);
  if (from_rad.size() != arm::joint_count(model)) {
    return Error{fmt::format("{} has {} joints, but the start has {}", model.name,
                             arm::joint_count(model), from_rad.size())};
  }
  const Planning planning(layout, model, options);

  std::optional<Visit> pick;
  if (!options.holding) {
    auto found = planning.visit_magazine(from_rad);
    if (!found) return found.error();
    pick = *std::move(found);
  }
  auto drop = planning.visit_column(column, pick ? pick->place.up.end_rad() : from_rad);
  if (!drop) return drop.error();

  const GripCommand open{.width_m = layout.grip_opening_m, .force_n = layout.grip_force_n};
  const GripCommand close{.width_m = 0, .force_n = layout.grip_force_n};
  DropPlan plan;
  const auto grip = [&plan](DropStepKind kind, const GripCommand& command) {
    plan.steps.push_back({.kind = kind, .motion = std::nullopt, .grip = command});
  };
  const auto move = [&plan](DropStepKind kind, Trajectory motion) {
    plan.moving_s += motion.duration_s();
    plan.steps.push_back({.kind = kind, .motion = std::move(motion), .grip = {}});
  };
  if (pick) {
    grip(DropStepKind::kOpen, open);
    move(DropStepKind::kApproach, std::move(pick->ways[0]));
    move(DropStepKind::kPick, std::move(pick->place.down));
    grip(DropStepKind::kClose, close);
    move(DropStepKind::kLift, std::move(pick->place.up));
  }
  move(DropStepKind::kCarry, std::move(drop->ways[0]));
  move(DropStepKind::kAlign, std::move(drop->place.down));
  grip(DropStepKind::kRelease, open);
  move(DropStepKind::kRetreat, std::move(drop->place.up));
  move(DropStepKind::kNeutral, std::move(drop->ways[1]));
  return plan;
}

Result<std::vector<Trajectory>> plan_return(const CellLayout& layout, const JointVector& from_rad,
                                            const DropOptions& options) {
  if (auto sound = check_layout(layout); !sound) return sound.error();
  const ArmModel& model = **arm::model_by_name(layout.robot);
  const Planning planning(layout, model, options);
  std::vector<Trajectory> ways;
  if (auto out = planning.retreat(from_rad)) ways.push_back(*std::move(out));
  auto home = planning.travel(ways.empty() ? from_rad : ways.back().end_rad(), arm::neutral(model),
                              options.holding);
  if (!home) return home.error();
  ways.push_back(*std::move(home));
  return ways;
}

Result<Trajectory> plan_to(const CellLayout& layout, const JointVector& from_rad,
                           const JointVector& to_rad, const DropOptions& options) {
  if (auto sound = check_layout(layout); !sound) return sound.error();
  const ArmModel& model = **arm::model_by_name(layout.robot);
  return Planning(layout, model, options).travel(from_rad, to_rad, options.holding);
}

Result<void> run_step(ArmDriver& driver, const DropStep& step) {
  if (step.motion) {
    if (auto done = run(driver, *step.motion); !done) return in_step(step.kind, done.error());
  }
  if (step.grip) {
    if (auto done = driver.grip(*step.grip); !done) return in_step(step.kind, done.error());
  }
  return {};
}

Result<void> run_plan(ArmDriver& driver, const DropPlan& plan) {
  for (const DropStep& step : plan.steps) {
    if (auto done = run_step(driver, step); !done) return done;
  }
  return {};
}

}  // namespace rowbot::cell
