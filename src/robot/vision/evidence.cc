#include "robot/vision/evidence.h"

#include <algorithm>
#include <cmath>

namespace rowbot::vision {
namespace {

constexpr double kInnerSlack = 1.0;
constexpr double kBorderSlack = 1.3;  // the border also catches shadow and a little of the frame
constexpr double kHiddenLog = -20;    // the same for all contents: no evidence

constexpr float kNetworkMost = 8;  // log odds: it is never surer than this
constexpr float kContrary = 1;     // log odds from which the network contradicts

double log_normal(double x, double median, double sigma) {
  const double z = std::log((x + 0.7) / median) / sigma;
  return -0.5 * z * z - std::log(sigma);
}

double log_birth(const Lab& inner, const Lab& border) {
  const double plain = log_sum(std::log(0.85) + ColourModel(inner, 1.6).log_density(border),
                               std::log(0.05) + log_scene(border));
  const double sticker = std::log(0.1) + log_disc_colour(border) + log_scene(inner);
  return log_sum(log_disc_colour(inner) + plain, sticker);
}

double distance(const Lab& a, const Lab& b) { return cv::norm(a - b); }

}  // namespace

DiscModel::DiscModel(const DiscLook& look)
    : look_(look),
      inner_light_(linear_of_lab(look.inner)),
      border_light_(linear_of_lab(look.border)),
      inner_(look.inner, kInnerSlack),
      border_(look.border, kBorderSlack) {
  for (std::size_t k = 0; k < kHighlights.size(); ++k) {
    const Linear add = Linear::all(kHighlights[k]);
    lit_inner_[k] = ColourModel(lab_of_linear(inner_light_ + add), kInnerSlack);
    lit_border_[k] = ColourModel(lab_of_linear(border_light_ + add), kBorderSlack);
  }
}

Evidence::Evidence(const BoardLook& look) : look_(look) {
  const Linear frame = linear_of_lab(look.frame);
  std::vector<ColourModel> walls;  // the frame's own wall and back, in shadow
  for (const float shade : {0.12F, 0.25F, 0.4F, 0.6F, 0.85F}) {
    walls.emplace_back(shaded(look.frame, shade), 1.0);
  }
  for (std::size_t i = 0; i < kCells; ++i) {
    const CellLook& c = look.cells[i];
    hidden_[i] = !c.in_image || (c.frame_share < 0.35F && c.rim_share < 0.5F);
    const Linear more = linear_of_lab(c.around) - frame;
    for (int k = 0; k < 3; ++k) veil_[i][k] = std::max(0.F, more[k]);
    lit_[i] = std::min(1.0F, 3.0F * (veil_[i][0] + veil_[i][1] + veil_[i][2]));

    double wall = -1e9;
    for (const ColourModel& w : walls) wall = std::max(wall, w.log_density(c.inner));
    scene_[i] = log_sum(std::log(0.85) + log_scene(c.inner), std::log(0.15) + wall) +
                log_sum(std::log(0.7) + ColourModel(c.inner, 1.6).log_density(c.border),
                        std::log(0.3) + log_scene(c.border));
    disc_odds_[i] =
        look.network_weight * std::clamp(look.disc_odds[i], -kNetworkMost, kNetworkMost);
    birth_[i] = log_birth(c.inner, c.border);
    bare_[i] = std::exp(-c.wall_share / 0.06) / 0.06;
    walled_[i] = c.wall_share > 0.12F;
    disc_spread_[i] =
        log_normal(c.spread, 5, 0.85) + std::log(0.92 * bare_[i] + 0.1 * (1 - c.wall_share) + 1e-3);
    // A vivid, even colour from rim to rim is rarely the view through a hole.
    const float chroma =
        std::min(std::hypot(c.inner[1], c.inner[2]), std::hypot(c.border[1], c.border[2]) * 1.3F);
    vivid_[i] = 2.5 * std::clamp((chroma - 35) / 25, 0.F, 1.F) * (c.spread < 12 ? 1 : 0.4);
    empty_spread_[i] = log_normal(c.spread, 6, 1.2) - vivid_[i];
    for (std::size_t j = 0; j < kCells; ++j) {
      const double dc = static_cast<double>(i % kColumns) - static_cast<double>(j % kColumns);
      const std::size_t row_i = i / kColumns;
      const std::size_t row_j = j / kColumns;
      const double dr = static_cast<double>(row_i) - static_cast<double>(row_j);
      constexpr double kReach = 1.3;
      nearness_[i][j] = std::exp(-(dc * dc + dr * dr) / (2 * kReach * kReach)) + 0.05;
    }
  }
  group_.fill(-1);
  const Groups groups = group(1.0, kMaxGroups);
  groups_ = groups.size();
  for (std::size_t g = 0; g < groups_; ++g) {
    const DiscLook center = look_of(groups[g]);
    const ColourModel inner(center.inner, kInnerSlack);
    const ColourModel border(center.border, kBorderSlack);
    for (const std::size_t i : groups[g]) group_[i] = static_cast<int>(g);
    for (std::size_t i = 0; i < kCells; ++i) {
      in_group_[i][g] = std::exp(inner.log_density(look.cells[i].inner) +
                                 border.log_density(look.cells[i].border));
    }
  }
}

double Evidence::disc(std::size_t i, const DiscModel& m) const {
  if (hidden_[i]) return kHiddenLog;
  const CellLook& c = look_.cells[i];
  // Light falls on the disc as it is, as it falls on the frame beside it, or
  // as a highlight of its own; highlights cost less where the frame shines too.
  constexpr std::size_t kWays = 2 + DiscModel::kHighlights.size();
  const std::array<double, kWays> cost = {0, 0.7, 4.5 - 2 * lit_[i], 6 - 3 * lit_[i]};
  std::array<double, kWays> inner{};
  std::array<double, kWays> border{};
  inner[0] = m.inner_.log_density(c.inner);
  border[0] = m.border_.log_density(c.border);
  inner[1] = inner[0];
  border[1] = border[0];
  if (lit_[i] > 0.05) {
    inner[1] =
        ColourModel(lab_of_linear(m.inner_light_ + veil_[i]), kInnerSlack).log_density(c.inner);
    border[1] =
        ColourModel(lab_of_linear(m.border_light_ + veil_[i]), kBorderSlack).log_density(c.border);
  }
  for (std::size_t k = 0; k < DiscModel::kHighlights.size(); ++k) {
    inner[k + 2] = m.lit_inner_[k].log_density(c.inner);
    border[k + 2] = m.lit_border_[k].log_density(c.border);
  }
  double best = -1e9;
  for (std::size_t a = 0; a < kWays; ++a) {
    for (std::size_t b = 0; b < kWays; ++b) {
      best = std::max(best, inner[a] + border[b] - std::max(cost[a], cost[b]));
    }
  }
  return best + disc_spread_[i] + disc_odds_[i];
}

bool Evidence::disputed(std::size_t i, bool disc) const {
  const float odds = look_.disc_odds[i];
  return look_.no_cell_odds[i] > 0 || (disc ? odds < -kContrary : odds > kContrary);
}

double Evidence::first_disc(std::size_t i) const {
  return hidden_[i] ? kHiddenLog : birth_[i] + disc_spread_[i] + disc_odds_[i];
}

double Evidence::empty(std::size_t i, const Labels& labels) const {
  if (hidden_[i]) return kHiddenLog;
  constexpr double kFaith = 0.6;  // weight of scenes in general, in neighbours
  double sum = kFaith * std::exp(std::max(scene_[i], -60.0));
  double weight = kFaith;
  // Whether views through these holes show the wall depends on the frame and
  // on the angle: the other empty cells tell.
  double walled = 1;
  double others = 2;
  std::array<double, kMaxGroups> size{};
  for (std::size_t j = 0; j < kCells; ++j) {
    if (j == i || labels[j] != Label::kEmpty || hidden_[j]) continue;
    weight += nearness_[i][j];
    others += 1;
    walled += walled_[j] ? 1 : 0;
    if (group_[j] >= 0) size[static_cast<std::size_t>(group_[j])] += nearness_[i][j];
  }
  for (std::size_t g = 0; g < groups_; ++g) sum += size[g] * in_group_[i][g];
  const double share = std::min(0.9, walled / others);
  return std::log(sum / weight) + std::log((1 - share) * bare_[i] + share) + empty_spread_[i];
}

Evidence::Groups Evidence::group(double tightness, std::size_t limit) const {
  std::array<ColourModel, kCells> inner;
  std::array<ColourModel, kCells> border;
  for (std::size_t i = 0; i < kCells; ++i) {
    inner[i] = ColourModel(look_.cells[i].inner, kInnerSlack);
    border[i] = ColourModel(look_.cells[i].border, kBorderSlack);
  }
  const auto alike = [&](std::size_t i, std::size_t j) {
    return inner[j].distance2(look_.cells[i].inner) < 6 * tightness &&
           border[j].distance2(look_.cells[i].border) < 8 * tightness;
  };
  Groups groups;
  std::array<bool, kCells> done = hidden_;
  while (groups.size() < limit) {
    // The cell with the most look-alikes that are still free starts a group.
    std::vector<std::size_t> best;
    double best_value = 0;
    for (std::size_t i = 0; i < kCells; ++i) {
      if (done[i]) continue;
      std::vector<std::size_t> members;
      for (std::size_t j = 0; j < kCells; ++j) {
        if (!done[j] && (j == i || alike(i, j))) members.push_back(j);
      }
      const double value =
          static_cast<double>(members.size()) - 1 + 1.0 / (1 + look_.cells[i].spread / 10);
      if (value > best_value) {
        best_value = value;
        best = std::move(members);
      }
    }
    if (best.empty()) break;
    for (const std::size_t j : best) done[j] = true;
    groups.push_back(std::move(best));
  }
  return groups;
}

std::vector<DiscLook> Evidence::candidates() const {
  std::vector<DiscLook> out;
  // Coarse groups first; fine ones tell a disc from a background of its hue.
  for (const auto& [tightness, limit] : {std::pair(1.0, 9), std::pair(0.3, 12)}) {
    for (const auto& members : group(tightness, static_cast<std::size_t>(limit))) {
      const DiscLook look = look_of(members);
      const bool known = std::any_of(out.begin(), out.end(), [&](const DiscLook& o) {
        return distance(o.inner, look.inner) < 4 && distance(o.border, look.border) < 6;
      });
      if (!known) out.push_back(look);
    }
  }
  return out;
}

DiscLook Evidence::look_of(const std::vector<std::size_t>& cells) const {
  DiscLook look;
  std::vector<float> values(cells.size());
  const auto middle = static_cast<std::ptrdiff_t>(cells.size() / 2);
  for (int k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < cells.size(); ++i) values[i] = look_.cells[cells[i]].inner[k];
    std::nth_element(values.begin(), values.begin() + middle, values.end());
    look.inner[k] = values[static_cast<std::size_t>(middle)];
    for (std::size_t i = 0; i < cells.size(); ++i) values[i] = look_.cells[cells[i]].border[k];
    std::nth_element(values.begin(), values.begin() + middle, values.end());
    look.border[k] = values[static_cast<std::size_t>(middle)];
  }
  return look;
}

bool Evidence::like_frame(const DiscLook& look) const {
  // Black is black in the shadow of any frame: only a hue tells.
  const auto chroma = [](const Lab& lab) { return std::hypot(lab[1], lab[2]); };
  if (chroma(look.inner) < 8 && chroma(look_.frame) > 20) return false;
  const auto shades = {0.2F, 0.35F, 0.55F, 0.8F, 1.F};
  return std::any_of(shades.begin(), shades.end(), [&](float shade) {
    return ColourModel(shaded(look_.frame, shade), 1.0).distance2(look.inner) < 6;
  });
}

}  // namespace rowbot::vision
