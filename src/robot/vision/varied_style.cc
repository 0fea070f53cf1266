#include "robot/vision/varied_style.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

namespace rowbot::vision {
namespace {

using Rgb3 = std::array<int, 3>;

Bgr of(const Rgb3& c) {
  return {static_cast<float>(c[2]), static_cast<float>(c[1]), static_cast<float>(c[0])};
}

Bgr jittered(Rng& rng, Bgr c, double amount) {
  const double light = range(rng, 1 - amount / 80, 1 + amount / 80);
  for (int k = 0; k < 3; ++k) {
    c[k] = static_cast<float>(std::clamp(c[k] * light + range(rng, -amount, amount), 4.0, 250.0));
  }
  return c;
}

double apart(const Bgr& a, const Bgr& b) { return cv::norm(a - b); }

// Sets of frame, first and second disc that are sold; half of all boards look like one of them.
struct Sold {
  Rgb3 frame, first, second;
};
constexpr std::array<Sold, 12> kSold = {{{{25, 70, 180}, {190, 30, 35}, {240, 205, 40}},
                                         {{25, 70, 180}, {190, 30, 35}, {240, 205, 40}},
                                         {{20, 50, 130}, {200, 60, 40}, {230, 190, 30}},
                                         {{235, 200, 50}, {200, 35, 35}, {25, 25, 28}},
                                         {{200, 40, 45}, {25, 25, 30}, {240, 240, 235}},
                                         {{200, 160, 110}, {200, 40, 40}, {240, 210, 60}},
                                         {{190, 150, 100}, {90, 60, 40}, {230, 200, 150}},
                                         {{240, 240, 238}, {30, 40, 120}, {220, 60, 50}},
                                         {{35, 35, 38}, {230, 110, 40}, {70, 190, 90}},
                                         {{40, 130, 70}, {240, 240, 240}, {20, 25, 70}},
                                         {{150, 150, 155}, {20, 20, 22}, {235, 235, 235}},
                                         {{240, 190, 40}, {40, 90, 200}, {200, 40, 45}}}};

void choose_colours(VariedStyle& s, Rng& rng) {
  const bool sold = chance(rng, 0.5);
  while (true) {
    if (sold) {
      const Sold& set = kSold[rng.below(kSold.size())];
      s.frame = jittered(rng, of(set.frame), 25);
      s.discs[0].colour = jittered(rng, of(set.first), 25);
      s.discs[1].colour = jittered(rng, of(set.second), 25);
      if (chance(rng, 0.3)) s.discs[rng.below(2)].colour = random_bgr(rng);
    } else {
      s.frame = random_bgr(rng);
      for (DiscStyle& d : s.discs) d.colour = random_bgr(rng);
    }
    if (apart(s.discs[0].colour, s.discs[1].colour) > 75 &&
        apart(s.discs[0].colour, s.frame) > 30 && apart(s.discs[1].colour, s.frame) > 30) {
      break;
    }
  }
}

void choose_discs(VariedStyle& s, Rng& rng) {
  s.ball = chance(rng, 0.06);
  s.disc_radius = s.ball ? range(rng, 0.8, 1.05) : range(rng, 1.0, 1.2);
  if (!s.ball && chance(rng, 0.1)) s.disc_radius = range(rng, 0.82, 1.0);
  s.sag = {range(rng, -0.08, 0.08), range(rng, -0.05, 0.12)};
  s.disc_noise = chance(rng, 0.3) ? static_cast<float>(range(rng, 0, 0.12)) : 0;
  s.shine = chance(rng, 0.35) ? static_cast<float>(range(rng, 40, 260)) : 0;
  s.shine_at = {static_cast<float>(range(rng, -0.6, 0.6)),
                static_cast<float>(range(rng, -0.7, 0.5))};
  s.frame_shadow = chance(rng, 0.5) ? static_cast<float>(range(rng, 0.1, 0.7)) : 0;
  DiscStyle shape;  // both colours have the same shape
  shape.emboss = chance(rng, 0.6) ? static_cast<float>(range(rng, 0, 0.25)) : 0;
  shape.rings = static_cast<float>(range(rng, 4, 22));
  if (chance(rng, 0.3)) {
    shape.rim = static_cast<float>(range(rng, 0.08, 0.35));
    shape.rim_shade = static_cast<float>(range(rng, 0.55, 1.4));
  }
  if (chance(rng, 0.08)) shape.hole = static_cast<float>(range(rng, 0.12, 0.45));
  const bool stickers = chance(rng, 0.14);
  const float sticker = static_cast<float>(range(rng, 0.35, 0.82));
  const int strokes = chance(rng, 0.15) ? 2 + static_cast<int>(rng.below(4)) : 0;
  const Bgr mark = chance(rng, 0.7) ? Bgr(235, 235, 235) : random_bgr(rng);
  for (DiscStyle& d : s.discs) {
    const Bgr colour = d.colour;
    d = shape;
    d.colour = colour;
    d.mark = mark;
    d.strokes = strokes;
    if (stickers && chance(rng, 0.85)) {
      d.sticker_radius = sticker;
      d.sticker = random_bgr(rng);
    }
  }
}

void choose_board(VariedStyle& s, Rng& rng) {
  s.aspect = range(rng, 0.98, 1.2);
  s.hole_radius = range(rng, 0.34, 0.46);
  s.plate = chance(rng, 0.6) ? range(rng, 0.02, 0.12) : range(rng, 0.1, 0.3);
  s.depth = s.plate + range(rng, 0.12, 0.4);
  s.rear_radius = range(rng, 0.92, 1.06);
  s.margin = range(rng, 0.5, 0.95);
  s.bevel = static_cast<float>(range(rng, 0.02, 0.16));
  s.bevel_shade = static_cast<float>(range(rng, 0.6, 1.35));
  s.wall_shade = static_cast<float>(range(rng, 0.15, 0.95));
  s.wall_slope = static_cast<float>(range(rng, -0.1, 0.3));
  s.frame_noise = chance(rng, 0.3) ? static_cast<float>(range(rng, 0, 0.08)) : 0;
  s.grain = chance(rng, 0.15) ? static_cast<float>(range(rng, 0.05, 0.25)) : 0;
  s.transparent = chance(rng, 0.06) ? static_cast<float>(range(rng, 0.2, 0.75)) : 0;
  if (chance(rng, 0.08)) {
    s.bar = static_cast<float>(range(rng, 0.08, 0.35));
    s.bar_upright = chance(rng, 0.5);
  }
  const double kind = rng.uniform();
  s.behind = kind < 0.66 ? Behind::kScene : kind < 0.88 ? Behind::kPaper : Behind::kClosed;
  s.behind_colour =
      chance(rng, 0.5) ? random_bgr(rng) : Bgr::all(static_cast<float>(range(rng, 8, 245)));
  if (s.behind == Behind::kClosed && chance(rng, 0.6)) {
    s.behind_colour = s.frame * static_cast<float>(range(rng, 0.15, 0.9));
  }
  s.shadow_x = range(rng, -0.9, 0.9);
  s.shadow_y = range(rng, -0.3, 1.0);
  s.shadow = static_cast<float>(range(rng, 0.35, 1.0));
  if (chance(rng, 0.15)) s.backlight = static_cast<float>(range(rng, 1.2, 2.5));
}

void choose_view(VariedStyle& s, Rng& rng) {
  const double reach = chance(rng, 0.5) ? 0.4 : 1;
  s.yaw_deg = range(rng, -42, 42) * reach;
  s.pitch_deg = range(rng, -32, 32) * reach;
  s.roll_deg = range(rng, -14, 14) * reach;
  s.distance = range(rng, 9, 30);
  s.width_px = 105 * std::pow(4.3, rng.uniform());
  s.offset = {range(rng, -0.04, 0.04) * s.width_px, range(rng, -0.04, 0.04) * s.width_px};
  s.size = cv::Size(static_cast<int>(s.width_px * 1.36), static_cast<int>(s.width_px * 1.2));
  s.barrel = chance(rng, 0.3) ? range(rng, -0.06, 0.06) : 0;
}

void choose_light(VariedStyle& s, Rng& rng) {
  const double light = chance(rng, 0.3) ? range(rng, 0.25, 0.7) : range(rng, 0.7, 1.25);
  const double cast = chance(rng, 0.25) ? 0.5 : 0.12;
  for (int k = 0; k < 3; ++k) {
    s.gain[k] = static_cast<float>(light * range(rng, 1 - cast, 1 + cast));
  }
  s.shading = chance(rng, 0.5) ? range(rng, 0, 0.7) : 0;
  s.glare = chance(rng, 0.2) ? range(rng, 20, 220) : 0;
  s.veil = chance(rng, 0.2) ? range(rng, 0, 60) : 0;
  s.gamma = range(rng, 0.75, 1.35);
  const double scale = s.width_px / 300;
  s.blur_px = range(rng, 0.3, 0.4 + 1.3 * scale);
  s.motion_px = chance(rng, 0.12) ? range(rng, 1, 7) * scale : 0;
  s.noise = range(rng, 0.5, chance(rng, 0.25) ? 14 : 5);
  if (s.width_px > 220 && chance(rng, 0.15)) s.soften = range(rng, 0.4, 0.9);
  s.jpeg_quality = chance(rng, 0.65) ? 30 + static_cast<int>(rng.below(66)) : 0;
}

// Mostly positions of play; some stand on their head, some break the rules.
game::Grid<CellTruth> choose_cells(Rng& rng) {
  game::Grid<CellTruth> cells{};
  std::array<int, kColumns> height{};
  const int discs = static_cast<int>(rng.below(kCells + 1));
  const double kind = rng.uniform();
  const double first = kind < 0.12 ? (chance(rng, 0.4) ? 1.0 : rng.uniform()) : -1;
  const bool floating = kind > 0.9;
  for (int i = 0; i < discs; ++i) {
    std::size_t column = rng.below(kColumns);
    while (height[column] == kRows) column = rng.below(kColumns);
    int row = kRows - 1 - height[column]++;
    if (floating && chance(rng, 0.4)) row = static_cast<int>(rng.below(kRows));
    const bool is_first = first < 0 ? i % 2 == 0 : chance(rng, first);
    cells[static_cast<std::size_t>(row * kColumns) + column] =
        is_first ? CellTruth::kFirst : CellTruth::kSecond;
  }
  if (chance(rng, 0.08)) std::reverse(cells.begin(), cells.end());
  if (chance(rng, 0.5)) {
    for (CellTruth& c : cells) {
      if (c != CellTruth::kEmpty) {
        c = c == CellTruth::kFirst ? CellTruth::kSecond : CellTruth::kFirst;
      }
    }
  }
  return cells;
}

}  // namespace

Bgr random_bgr(Rng& rng) {
  const double kind = rng.uniform();
  Bgr c;
  if (kind < 0.3) {  // black, white, grey
    const double grey = kind < 0.11  ? range(rng, 8, 45)
                        : kind < 0.2 ? range(rng, 205, 250)
                                     : range(rng, 8, 250);
    return jittered(rng, Bgr::all(static_cast<float>(grey)), 8);
  }
  const double hue = rng.uniform() * 6;
  const double value = kind < 0.65 ? range(rng, 150, 250) : range(rng, 30, 250);
  const double vivid = kind < 0.65 ? range(rng, 0.65, 1) : rng.uniform();
  for (int k = 0; k < 3; ++k) {
    const double phase = std::fmod(hue + 2 * k, 6.0);
    const double ramp = std::clamp(std::abs(phase - 3) - 1, 0.0, 1.0);
    c[k] = static_cast<float>(value * (1 - vivid * (1 - ramp)));
  }
  return c;
}

VariedStyle random_style(std::uint64_t seed) {
  Rng rng(seed);
  VariedStyle s;
  choose_colours(s, rng);
  choose_discs(s, rng);
  choose_board(s, rng);
  choose_view(s, rng);
  choose_light(s, rng);
  s.cells = choose_cells(rng);
  s.covered = chance(rng, 0.12);
  if (chance(rng, 0.05)) {
    s.flat = true;
    s.square = chance(rng, 0.6);
    s.disc_radius = range(rng, 0.75, 1.0);
  }
  s.seed = rng();
  return s;
}

cv::Mat random_backdrop(const VariedStyle& s, Rng& rng) {
  const auto scalar = [](const Bgr& c) { return cv::Scalar(c[0], c[1], c[2]); };
  const auto pale = [&rng](Bgr c) {
    if (chance(rng, 0.35)) return c;
    const float mean = (c[0] + c[1] + c[2]) / 3;
    return Bgr(c * 0.25F + Bgr::all(mean * 0.75F));
  };
  cv::Mat out(s.size, CV_32FC3, scalar(s.behind_colour));
  const auto spot = [&] {
    return cv::Point(static_cast<int>(range(rng, -0.1, 1.1) * out.cols),
                     static_cast<int>(range(rng, -0.1, 1.1) * out.rows));
  };
  const double kind = rng.uniform();
  if (kind < 0.15) {  // a wall in uneven light
    const cv::Scalar other = scalar(s.behind_colour) * range(rng, 0.4, 1.5);
    for (int y = 0; y < out.rows; ++y) {
      const double f = static_cast<double>(y) / out.rows;
      out.row(y).setTo(scalar(s.behind_colour) * (1 - f) + other * f);
    }
  } else if (kind < 0.27) {  // blinds, boards of a floor
    const cv::Scalar other = scalar(pale(random_bgr(rng)));
    const double period = range(rng, 0.03, 0.2) * out.cols;
    const double slant = chance(rng, 0.5) ? range(rng, -0.3, 0.3) : range(rng, -30, 30);
    for (int y = 0; y < out.rows; ++y) {
      for (int x = 0; x < out.cols; ++x) {
        if (std::fmod(std::abs(y + slant * x) / std::hypot(1, slant), period) < period / 2) {
          out.at<cv::Vec3f>(y, x) =
              cv::Vec3f(static_cast<float>(other[0]), static_cast<float>(other[1]),
                        static_cast<float>(other[2]));
        }
      }
    }
  } else if (kind < 0.85) {  // things
    const int things = 3 + static_cast<int>(rng.below(40));
    for (int i = 0; i < things; ++i) {
      const double most = chance(rng, 0.5) ? 0.6 : 0.2;
      const cv::Size half(1 + static_cast<int>(range(rng, 0.02, most) * out.cols / 2),
                          1 + static_cast<int>(range(rng, 0.02, most) * out.rows / 2));
      const Bgr colour = chance(rng, 0.12) ? s.discs[rng.below(2)].colour
                         : chance(rng, 0.1)
                             ? Bgr(120, 150, 205) * static_cast<float>(range(rng, 0.4, 1.1))
                             : pale(random_bgr(rng));
      if (chance(rng, 0.5)) {
        cv::ellipse(out, spot(), half, rng.uniform() * 180, 0, 360, scalar(colour), -1);
      } else {
        const cv::Point at = spot();
        cv::rectangle(out, at, at + cv::Point(half * 2), scalar(colour), -1);
      }
    }
  }
  const double soft = chance(rng, 0.5) ? range(rng, 0.3, 2) : range(rng, 1, 10);
  cv::GaussianBlur(out, out, cv::Size(), soft * s.width_px / 300);
  return out * s.backlight;
}

}  // namespace rowbot::vision
