#include "robot/vision/lattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <opencv2/calib3d.hpp>
#include <optional>
#include <utility>

#include "robot/vision/geometry.h"

namespace rowbot::vision {
namespace {

using Index = std::pair<int, int>;  // column, row

struct Placed {
  int ellipse = 0;
  cv::Point2f right;  // to the next column
  cv::Point2f down;   // to the next row
};

struct Prepared {
  Ellipse e;
  cv::Matx22f inverse;
  [[nodiscard]] float radii(cv::Point2f d) const {
    return std::sqrt(d.x * d.x * inverse(0, 0) + 2 * d.x * d.y * inverse(0, 1) +
                     d.y * d.y * inverse(1, 1));
  }
  [[nodiscard]] float dot(cv::Point2f a, cv::Point2f b) const {
    return a.x * b.x * inverse(0, 0) + (a.x * b.y + a.y * b.x) * inverse(0, 1) +
           a.y * b.y * inverse(1, 1);
  }
};

constexpr float kMinPitch = 2.1F;  // in radii: holes do not touch
constexpr float kMaxPitch = 5.2F;

bool alike(const Prepared& a, const Prepared& b) {
  const float ratio = a.e.area / b.e.area;
  if (ratio < 0.5F || ratio > 2.F) return false;
  // The same shape up to the change that perspective makes over one step.
  const cv::Matx22f m = a.inverse * b.e.shape;
  const float half_trace = (m(0, 0) + m(1, 1)) / 2;
  const float det = std::max(1e-6F, m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0));
  const float spread = half_trace / std::sqrt(det);  // 1 when the axes agree
  return spread < 1.18F;
}

class Grower {
 public:
  explicit Grower(const std::vector<Ellipse>& ellipses) : used_(ellipses.size(), false) {
    for (const Ellipse& e : ellipses) all_.push_back({e, e.shape.inv()});
  }

  std::map<Index, Placed> grow_from(int seed) const {
    std::map<Index, Placed> best;
    for (const auto& [right, down] : corners_at(seed)) {
      std::map<Index, Placed> grown = grow(seed, right, down);
      if (grown.size() > best.size()) best = std::move(grown);
      if (best.size() >= 36) break;
    }
    return best;
  }

  [[nodiscard]] bool used(int i) const { return used_[static_cast<std::size_t>(i)]; }
  void use(int i) { used_[static_cast<std::size_t>(i)] = true; }
  [[nodiscard]] const Prepared& at(int i) const { return all_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int size() const { return static_cast<int>(all_.size()); }

  // The ellipse nearest to `where` that is like `model`, within `reach` radii.
  [[nodiscard]] std::optional<int> near(cv::Point2f where, const Prepared& model,
                                        float reach) const {
    std::optional<int> best;
    float best_cost = 1e9F;
    for (int i = 0; i < size(); ++i) {
      if (used(i)) continue;
      const Prepared& p = at(i);
      const float d = model.radii(p.e.center - where);
      if (d > reach || !alike(model, p)) continue;
      const float cost = d + std::abs(std::log(p.e.area / model.e.area)) * 0.6F + p.e.error;
      if (cost < best_cost) {
        best_cost = cost;
        best = i;
      }
    }
    return best;
  }

 private:
  // Pairs of neighbours that make a right angle in radii of the seed.
  [[nodiscard]] std::vector<std::pair<cv::Point2f, cv::Point2f>> corners_at(int seed) const {
    const Prepared& s = at(seed);
    struct Neighbour {
      cv::Point2f d;
      float radii;
    };
    std::vector<Neighbour> near;
    for (int i = 0; i < size(); ++i) {
      if (i == seed || used(i)) continue;
      const cv::Point2f d = at(i).e.center - s.e.center;
      const float r = s.radii(d);
      if (r < kMinPitch || r > kMaxPitch || !alike(s, at(i))) continue;
      near.push_back({d, r});
    }
    std::sort(near.begin(), near.end(),
              [](const Neighbour& a, const Neighbour& b) { return a.radii < b.radii; });
    if (near.size() > 8) near.resize(8);
    std::vector<std::pair<cv::Point2f, cv::Point2f>> out;
    for (std::size_t i = 0; i < near.size() && out.size() < 4; ++i) {
      for (std::size_t j = i + 1; j < near.size() && out.size() < 4; ++j) {
        if (near[j].radii > 1.45F * near[i].radii) break;
        const float cosine = s.dot(near[i].d, near[j].d) / (near[i].radii * near[j].radii);
        if (std::abs(cosine) > 0.35F) continue;
        out.emplace_back(near[i].d, near[j].d);
      }
    }
    return out;
  }

  [[nodiscard]] std::map<Index, Placed> grow(int seed, cv::Point2f right, cv::Point2f down) const {
    std::map<Index, Placed> placed;
    std::vector<bool> taken(all_.size(), false);
    placed[{0, 0}] = {seed, right, down};
    taken[static_cast<std::size_t>(seed)] = true;
    std::deque<Index> open = {{0, 0}};
    constexpr std::array<Index, 4> kSteps = {Index{1, 0}, Index{-1, 0}, Index{0, 1}, Index{0, -1}};
    while (!open.empty() && placed.size() < 400) {
      const Index at_index = open.front();
      open.pop_front();
      for (const Index& step : kSteps) {
        const Index next{at_index.first + step.first, at_index.second + step.second};
        if (placed.contains(next)) continue;
        const Placed from = placed.at(at_index);
        const cv::Point2f move = from.right * static_cast<float>(step.first) +
                                 from.down * static_cast<float>(step.second);
        const Prepared& model = at(from.ellipse);
        const float pitch = model.radii(move);
        const auto found = near(model.e.center + move, model, 0.24F * pitch);
        if (!found || taken[static_cast<std::size_t>(*found)]) continue;
        taken[static_cast<std::size_t>(*found)] = true;
        Placed added{*found, from.right, from.down};
        const cv::Point2f real = at(*found).e.center - model.e.center;
        (step.first != 0 ? added.right : added.down) =
            real * static_cast<float>(step.first + step.second);
        placed[next] = added;
        open.push_back(next);
      }
    }
    return placed;
  }

  std::vector<Prepared> all_;
  std::vector<bool> used_;
};

// Robust plane through the nodes; drops nodes that do not lie on it.
bool fit_plane(Lattice& lattice) {
  std::vector<cv::Point2f> from;
  std::vector<cv::Point2f> to;
  float radius = 0;
  for (const LatticeNode& n : lattice.nodes) {
    from.emplace_back(static_cast<float>(n.column), static_cast<float>(n.row));
    to.push_back(n.hole.center);
    radius += std::sqrt(n.hole.area);
  }
  if (from.size() < 6) return false;
  radius *= 0.56F / static_cast<float>(from.size());
  cv::Mat inliers;
  const cv::Mat h = cv::findHomography(from, to, cv::RANSAC, 0.35 * radius, inliers, 300);
  if (h.empty()) return false;
  lattice.image_from_lattice = cv::Matx33d(h);
  std::vector<LatticeNode> kept;
  for (std::size_t i = 0; i < lattice.nodes.size(); ++i) {
    if (inliers.at<std::uint8_t>(static_cast<int>(i)) != 0) kept.push_back(lattice.nodes[i]);
  }
  lattice.nodes = std::move(kept);
  return lattice.nodes.size() >= 6;
}

// Turns the lattice so that columns run right and rows run down.
void orient(Lattice& lattice) {
  const cv::Point2d o = project(lattice.image_from_lattice, 0, 0);
  const cv::Point2d u = project(lattice.image_from_lattice, 1, 0) - o;
  const cv::Point2d v = project(lattice.image_from_lattice, 0, 1) - o;
  const bool swap = std::abs(u.y) * std::abs(v.x) > std::abs(u.x) * std::abs(v.y);
  const cv::Point2d across = swap ? v : u;
  const cv::Point2d along = swap ? u : v;
  const int sx = across.x < 0 ? -1 : 1;
  const int sy = along.y < 0 ? -1 : 1;
  for (LatticeNode& n : lattice.nodes) {
    const int c = swap ? n.row : n.column;
    const int r = swap ? n.column : n.row;
    n.column = sx * c;
    n.row = sy * r;
  }
}

}  // namespace

std::vector<Lattice> grow_lattices(const std::vector<Ellipse>& ellipses, std::size_t min_nodes) {
  Grower grower(ellipses);
  std::vector<Lattice> out;
  for (int seed = 0; seed < grower.size(); ++seed) {
    if (grower.used(seed)) continue;
    const auto grown = grower.grow_from(seed);
    if (grown.size() < min_nodes) continue;
    Lattice lattice;
    for (const auto& [index, placed] : grown) {
      lattice.nodes.push_back({index.first, index.second, grower.at(placed.ellipse).e});
      grower.use(placed.ellipse);
    }
    if (!fit_plane(lattice)) continue;
    orient(lattice);
    if (!fit_plane(lattice)) continue;
    if (lattice.nodes.size() >= min_nodes) out.push_back(std::move(lattice));
    if (out.size() >= 8) break;
  }
  std::sort(out.begin(), out.end(),
            [](const Lattice& a, const Lattice& b) { return a.nodes.size() > b.nodes.size(); });
  return out;
}

}  // namespace rowbot::vision
