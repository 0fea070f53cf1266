#include "robot/arm/collision.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "robot/arm/forward.h"

namespace rowbot::arm {
namespace {

using Eigen::Vector3d;

struct Hit {
  int link = 0;
  const Box* box = nullptr;  // nothing: another link
  int other_link = 0;
  bool carried = false;
};

struct PlacedCapsule {
  Vector3d start_m;
  Vector3d end_m;
  double radius_m = 0;
  int link = 0;
  bool carried = false;
};

double outside(double x, double half) { return x > half ? x - half : (x < -half ? x + half : 0.0); }

/// Everything that moves together, in one sphere: most things are far apart, and one look at
/// spheres saves a look at every pair of capsules.
struct Group {
  std::size_t begin = 0;  // of its capsules
  std::size_t end = 0;
  int link = 0;
  Vector3d middle_m = Vector3d::Zero();
  double radius_m = 0;
};

bool near(const Group& group, const Box& box, double margin_m) {
  const Vector3d p =
      box.X_base_box.linear().transpose() * (group.middle_m - box.X_base_box.translation());
  const Vector3d away(outside(p.x(), box.half_m.x()), outside(p.y(), box.half_m.y()),
                      outside(p.z(), box.half_m.z()));
  const double reach = group.radius_m + margin_m;
  return away.squaredNorm() < reach * reach;
}

bool near(const Group& a, const Group& b) {
  const double reach = a.radius_m + b.radius_m;
  return (a.middle_m - b.middle_m).squaredNorm() < reach * reach;
}

class PlacedArm {
 public:
  PlacedArm(const ArmModel& model, const JointVector& q_rad, const Surroundings& around) {
    const Frames frames = link_frames(model, q_rad);
    tool_ = frames.count - 1;
    for (const Capsule& c : model.shape) add(frames[c.link], c, c.link, false);
    if (around.carried) add(frames.tool(), *around.carried, tool_, true);
    for (std::size_t g = 0; g < groups_; ++g) enclose(group_[g]);
  }

  [[nodiscard]] std::optional<Hit> first_hit(const Surroundings& around) const {
    for (std::size_t g = 0; g < groups_; ++g) {
      if (group_[g].link <= 1) continue;  // stands on the table, or only turns in place
      if (auto hit = hit_of(g, around)) return hit;
    }
    return std::nullopt;
  }

 private:
  void add(const Pose& X_base_link, const Capsule& c, int link, bool carried) {
    if (groups_ == 0 || group_[groups_ - 1].link != link) {
      group_[groups_++] = {.begin = count_, .end = count_, .link = link};
    }
    placed_[count_++] = {.start_m = X_base_link * c.start_m,
                         .end_m = X_base_link * c.end_m,
                         .radius_m = c.radius_m,
                         .link = link,
                         .carried = carried};
    group_[groups_ - 1].end = count_;
  }

  void enclose(Group& group) const {
    Vector3d sum = Vector3d::Zero();
    for (std::size_t i = group.begin; i < group.end; ++i) {
      sum += placed_[i].start_m + placed_[i].end_m;
    }
    group.middle_m = sum / (2.0 * static_cast<double>(group.end - group.begin));
    for (std::size_t i = group.begin; i < group.end; ++i) {
      for (const Vector3d& end_m : {placed_[i].start_m, placed_[i].end_m}) {
        group.radius_m =
            std::max(group.radius_m, (end_m - group.middle_m).norm() + placed_[i].radius_m);
      }
    }
  }

  [[nodiscard]] std::optional<Hit> hit_of(std::size_t g, const Surroundings& around) const {
    const Group& group = group_[g];
    for (const Box& box : around.boxes) {
      const bool served =
          group.link == tool_ && std::ranges::find(around.served, box.name) != around.served.end();
      if (served || !near(group, box, around.margin_m)) continue;
      for (std::size_t i = group.begin; i < group.end; ++i) {
        const PlacedCapsule& c = placed_[i];
        if (segment_box_distance(c.start_m, c.end_m, box) < c.radius_m + around.margin_m) {
          return Hit{.link = c.link, .box = &box, .other_link = 0, .carried = c.carried};
        }
      }
    }
    for (std::size_t h = 0; h < g; ++h) {
      // Neighbours, and neighbours of neighbours, overlap by construction.
      if (std::abs(group.link - group_[h].link) <= 2 || !near(group, group_[h])) continue;
      for (std::size_t i = group.begin; i < group.end; ++i) {
        const PlacedCapsule& c = placed_[i];
        for (std::size_t k = group_[h].begin; k < group_[h].end; ++k) {
          const PlacedCapsule& other = placed_[k];
          if (segment_distance(c.start_m, c.end_m, other.start_m, other.end_m) <
              c.radius_m + other.radius_m) {
            return Hit{
                .link = c.link, .box = nullptr, .other_link = other.link, .carried = c.carried};
          }
        }
      }
    }
    return std::nullopt;
  }

  std::array<PlacedCapsule, 24> placed_;
  std::array<Group, 24> group_;
  std::size_t count_ = 0;
  std::size_t groups_ = 0;
  int tool_ = 0;
};

std::optional<Hit> first_hit(const ArmModel& model, const JointVector& q_rad,
                             const Surroundings& around) {
  return PlacedArm(model, q_rad, around).first_hit(around);
}

std::string link_name(const ArmModel& model, int link) {
  if (link == 0) return "the base";
  if (link > static_cast<int>(model.links.size())) return "the gripper";
  return fmt::format("link {}", link);
}

}  // namespace

double segment_box_distance(const Vector3d& start_m, const Vector3d& end_m, const Box& box) {
  const Pose X_box_base = box.X_base_box.inverse(Eigen::Isometry);
  const Vector3d p = X_box_base * start_m;
  const Vector3d d = X_box_base * end_m - p;
  // The squared distance along the segment is convex and, between the places where it crosses the
  // planes of the box, a parabola. Its derivative grows: find where it changes sign.
  std::array<double, 8> cuts{};  // the start, up to six crossings, the end
  cuts.fill(1.0);
  cuts[0] = 0.0;
  std::size_t count = 1;
  for (int i = 0; i < 3; ++i) {
    if (d[i] == 0) continue;
    for (const double side : {-box.half_m[i], box.half_m[i]}) {
      const double t = (side - p[i]) / d[i];
      if (t > 0 && t < 1) cuts[count++] = t;
    }
  }
  std::ranges::sort(cuts);
  const auto offset = [&](double t) {
    return Vector3d(outside(p.x() + t * d.x(), box.half_m.x()),
                    outside(p.y() + t * d.y(), box.half_m.y()),
                    outside(p.z() + t * d.z(), box.half_m.z()));
  };
  const auto slope = [&](double t) { return offset(t).dot(d); };
  double best = 1;
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    const double high = slope(cuts[i]);
    if (high < 0) continue;
    const double low = slope(cuts[i - 1]);
    best = low >= 0 ? cuts[i - 1] : cuts[i - 1] - low * (cuts[i] - cuts[i - 1]) / (high - low);
    break;
  }
  return offset(best).norm();
}

double segment_distance(const Vector3d& a0_m, const Vector3d& a1_m, const Vector3d& b0_m,
                        const Vector3d& b1_m) {
  // Minimise |a0 + s u - b0 - t v| over the unit square: the free minimum, else its edges.
  const Vector3d u = a1_m - a0_m;
  const Vector3d v = b1_m - b0_m;
  const Vector3d w = a0_m - b0_m;
  const double uu = u.squaredNorm();
  const double vv = v.squaredNorm();
  const double uv = u.dot(v);
  const auto at = [&](double s, double t) { return (w + s * u - t * v).norm(); };
  const auto best_s = [&](double t) {
    return uu > 0 ? std::clamp((t * uv - u.dot(w)) / uu, 0.0, 1.0) : 0.0;
  };
  const auto best_t = [&](double s) {
    return vv > 0 ? std::clamp((s * uv + v.dot(w)) / vv, 0.0, 1.0) : 0.0;
  };
  double least = std::min({at(best_s(0), 0), at(best_s(1), 1), at(0, best_t(0)), at(1, best_t(1))});
  const double determinant = uu * vv - uv * uv;
  if (determinant > 1e-12 * uu * vv) {
    const double s = (uv * v.dot(w) - vv * u.dot(w)) / determinant;
    const double t = (uu * v.dot(w) - uv * u.dot(w)) / determinant;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, at(s, t));
  }
  return least;
}

std::optional<std::string> contact(const ArmModel& model, const JointVector& q_rad,
                                   const Surroundings& around) {
  const auto hit = first_hit(model, q_rad, around);
  if (!hit) return std::nullopt;
  return fmt::format(
      "{} of {} comes too near to {}",
      hit->carried ? "the piece in the gripper" : link_name(model, hit->link), model.name,
      hit->box != nullptr ? "the " + hit->box->name : link_name(model, hit->other_link));
}

bool collides(const ArmModel& model, const JointVector& q_rad, const Surroundings& around) {
  return first_hit(model, q_rad, around).has_value();
}

}  // namespace rowbot::arm
