#include "robot/vision/varied_board.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "robot/vision/varied_style.h"

namespace rowbot::vision {
namespace {

// Pixels from the board's plane moved `depth` row pitches away from the camera.
cv::Matx33d plane_at(const VariedStyle& s, double depth) {
  const double rad = std::numbers::pi / 180;
  const auto turn = [rad](double deg) {
    return std::pair(std::cos(deg * rad), std::sin(deg * rad));
  };
  const auto [cy, sy] = turn(s.yaw_deg);
  const auto [cp, sp] = turn(s.pitch_deg);
  const auto [cr, sr] = turn(s.roll_deg);
  const cv::Matx33d rotation = cv::Matx33d(cr, -sr, 0, sr, cr, 0, 0, 0, 1) *
                               cv::Matx33d(1, 0, 0, 0, cp, -sp, 0, sp, cp) *
                               cv::Matx33d(cy, 0, sy, 0, 1, 0, -sy, 0, cy);
  const cv::Matx33d to_space(s.aspect, 0, -(kColumns - 1) / 2.0 * s.aspect, 0, 1,
                             -(kRows - 1) / 2.0, 0, 0, depth);
  cv::Matx33d plane = rotation * to_space;
  plane(2, 2) += s.distance;
  const double focal = s.width_px * s.distance / (kColumns * s.aspect);
  return cv::Matx33d(focal, 0, s.size.width / 2.0 + s.offset.x, 0, focal,
                     s.size.height / 2.0 + s.offset.y, 0, 0, 1) *
         plane;
}

// A cheap, repeatable number in -1..1 for a place.
float hash_noise(int x, int y, std::uint64_t seed) {
  const std::uint64_t h =
      mix_seed(seed ^ (static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32U) ^
               static_cast<std::uint32_t>(y));
  return static_cast<float>(h >> 40U) / 8388608.F - 1.F;
}

class VariedPainter {
 public:
  explicit VariedPainter(const VariedStyle& s)
      : s_(s),
        radius_(s.hole_radius / s.aspect, s.hole_radius),
        front_(plane_at(s, 0).inv()),
        disc_(plane_at(s, s.flat ? 0 : s.plate + (s.ball ? s.hole_radius : 0.02)).inv()),
        rear_(plane_at(s, s.flat ? 0 : s.depth).inv()),
        paper_(plane_at(s, s.depth + 0.15).inv()) {}

  // False where the board does not reach.
  bool paint(double px, double py, const Bgr& scene, Bgr& out) const {
    const cv::Point2d p = project(front_, px, py);
    if (p.x < -s_.margin || p.x > kColumns - 1 + s_.margin || p.y < -s_.margin ||
        p.y > kRows - 1 + s_.margin) {
      return false;
    }
    const int c = std::clamp(static_cast<int>(std::lround(p.x)), 0, kColumns - 1);
    const int r = std::clamp(static_cast<int>(std::lround(p.y)), 0, kRows - 1);
    const cv::Point2d at = local(p, c, r);
    const double d = cv::norm(at);
    out = s_.flat ? flat(p, c, r, at, scene)
          : d > 1 ? plate(p, d, scene)
                  : hole(px, py, c, r, at, scene);
    return true;
  }

 private:
  [[nodiscard]] cv::Point2d local(const cv::Point2d& p, int c, int r) const {
    return {(p.x - c) / radius_.x, (p.y - r) / radius_.y};
  }

  [[nodiscard]] Bgr plate(const cv::Point2d& p, double d, const Bgr& scene) const {
    float shade = d < 1 + s_.bevel ? s_.bevel_shade : 1.F;
    if (s_.frame_noise > 0) {
      shade += s_.frame_noise *
               hash_noise(static_cast<int>(p.x * 12), static_cast<int>(p.y * 12), s_.seed);
    }
    if (s_.grain > 0) {
      const double wave = p.y * 9 + 1.5 * std::sin(p.x * 0.7) + 0.6 * std::sin(p.x * 2.3 + p.y);
      shade += s_.grain * static_cast<float>(std::sin(wave * 2));
    }
    return s_.frame * (shade * (1 - s_.transparent)) + scene * s_.transparent;
  }

  [[nodiscard]] Bgr hole(double px, double py, int c, int r, const cv::Point2d& at,
                         const Bgr& scene) const {
    const auto content = s_.cells[static_cast<std::size_t>(r * kColumns + c)];
    const cv::Point2d deep = local(project(disc_, px, py), c, r);
    const float lit = s_.wall_shade + s_.wall_slope * static_cast<float>(at.y);
    const Bgr wall = s_.frame * std::max(0.05F, lit);
    // The front plate's own wall hides what is behind it; a ball stands in the middle of its tube.
    if (!s_.ball && cv::norm(deep) > 1) return wall;
    if (content == CellTruth::kFirst || content == CellTruth::kSecond) {
      const cv::Point2d on = (deep - s_.sag) / s_.disc_radius;
      const DiscStyle& style = s_.discs[content == CellTruth::kFirst ? 0 : 1];
      const double rho = cv::norm(on);
      if (rho < 1 && rho >= style.hole) return disc(style, on, rho, at, c, r);
    }
    return behind(px, py, c, r, at, wall, scene);
  }

  [[nodiscard]] Bgr behind(double px, double py, int c, int r, const cv::Point2d& at,
                           const Bgr& wall, const Bgr& scene) const {
    const cv::Point2d rear = local(project(rear_, px, py), c, r);
    if (s_.bar > 0 && std::abs(s_.bar_upright ? rear.x : rear.y) < s_.bar) return wall;
    if (s_.behind == Behind::kClosed) {
      // The rear wall lies in the frame's shadow.
      const float light = cv::norm(rear) > s_.rear_radius ? 0.6F : 1.F;
      return s_.behind_colour * light * (at.y < -0.4 ? s_.shadow : 1.F);
    }
    if (cv::norm(rear) > s_.rear_radius) return wall * 0.75F;
    if (s_.behind == Behind::kScene) return scene;
    const cv::Point2d lamp(s_.shadow_x, s_.shadow_y);
    const cv::Point2d sheet = local(project(paper_, px, py), c, r) - lamp;
    return s_.behind_colour * (cv::norm(sheet) > 1 ? s_.shadow : 1.F);
  }

  [[nodiscard]] Bgr disc(const DiscStyle& d, const cv::Point2d& on, double rho,
                         const cv::Point2d& at, int c, int r) const {
    const float far = static_cast<float>(rho);
    Bgr colour = d.colour;
    if (far < d.sticker_radius) colour = d.sticker;
    float shade = 1 + 0.07F * hash_noise(c, r, s_.seed);
    shade += d.emboss * std::sin(d.rings * far);
    if (d.rim > 0 && far > 1 - d.rim) shade *= d.rim_shade;
    if (s_.disc_noise > 0) {
      shade += s_.disc_noise * hash_noise(static_cast<int>(on.x * 9) + 64 * c,
                                          static_cast<int>(on.y * 9) + 64 * r, s_.seed);
    }
    // Strokes turn with each disc.
    const float angle = 3.14F * hash_noise(r, c, s_.seed + 1);
    for (int i = 0; i < d.strokes; ++i) {
      const float a = angle + static_cast<float>(i) * 2.1F;
      const double along = on.x * std::cos(a) + on.y * std::sin(a);
      const double across = on.y * std::cos(a) - on.x * std::sin(a) + 0.22 * (i % 3 - 1);
      if (std::abs(across) < 0.07 && std::abs(along) < 0.55) colour = d.mark;
    }
    if (s_.ball) {
      const double z = std::sqrt(std::max(0.0, 1 - rho * rho));
      shade *= static_cast<float>(0.35 + 0.65 * std::max(0.0, 0.8 * z - 0.5 * on.y));
    }
    if (at.y < -0.45 && s_.frame_shadow > 0) {
      shade *= 1 - s_.frame_shadow * std::min(1.F, static_cast<float>(-at.y - 0.45) * 3);
    }
    Bgr out = colour * std::max(0.05F, shade);
    if (s_.shine > 0) {
      const double off = std::hypot(on.x - s_.shine_at.x, on.y - s_.shine_at.y);
      out += Bgr::all(s_.shine * static_cast<float>(std::exp(-off * off * 14)));
    }
    return out;
  }

  // Draughts, Othello, a grid on paper: shapes on one surface.
  [[nodiscard]] Bgr flat(const cv::Point2d& p, int c, int r, const cv::Point2d& at,
                         const Bgr& scene) const {
    const auto content = s_.cells[static_cast<std::size_t>(r * kColumns + c)];
    const double d = cv::norm(at);
    if (content != CellTruth::kEmpty && d < s_.disc_radius) {
      return disc(s_.discs[content == CellTruth::kFirst ? 0 : 1], at / s_.disc_radius,
                  d / s_.disc_radius, {0, 0}, c, r);
    }
    if (s_.square) {
      const double edge = std::max(std::abs(p.x - c), std::abs(p.y - r));
      if (edge > 0.46) return s_.behind_colour;
      if (s_.bar > 0 && (c + r) % 2 == 0) return s_.behind_colour;
    } else if (std::abs(d - 1) < 0.08) {
      return s_.behind_colour;
    }
    return plate(p, 2, scene);
  }

  const VariedStyle& s_;
  cv::Point2d radius_;
  cv::Matx33d front_;
  cv::Matx33d disc_;
  cv::Matx33d rear_;
  cv::Matx33d paper_;
};

// A hand, a sleeve or a robot's arm before the board; returns where it is.
cv::Mat cover(const VariedStyle& s, cv::Mat& canvas, Rng& rng) {
  cv::Mat mask(canvas.size(), CV_8U, cv::Scalar(0));
  const Bgr colour = chance(rng, 0.5)
                         ? Bgr(120, 150, 205) * static_cast<float>(range(rng, 0.35, 1.15))
                         : random_bgr(rng);
  const auto place = [&] {
    return cv::Point(static_cast<int>(range(rng, 0.05, 0.95) * canvas.cols),
                     static_cast<int>(range(rng, 0.05, 0.95) * canvas.rows));
  };
  const cv::Point tip = place();
  const cv::Point far = cv::Point(tip + (tip - cv::Point(canvas.cols / 2, canvas.rows / 2)) * 5);
  const int thick = std::max(3, static_cast<int>(range(rng, 0.04, 0.22) * s.width_px));
  cv::line(mask, tip, far, cv::Scalar(255), thick);
  cv::ellipse(mask, tip, cv::Size(thick, std::max(2, thick / 2)), rng.uniform() * 180, 0, 360,
              cv::Scalar(255), -1);
  for (int y = 0; y < canvas.rows; ++y) {
    for (int x = 0; x < canvas.cols; ++x) {
      if (mask.at<std::uint8_t>(y, x) == 0) continue;
      canvas.at<cv::Vec3f>(y, x) =
          colour * (0.85F + 0.15F * std::sin(0.05F * static_cast<float>(x + 2 * y)));
    }
  }
  return mask;
}

double covered_share(const cv::Mat& mask, const BoardGeometry& g, int c, int r) {
  int hits = 0;
  int seen = 0;
  for (const double radius : {0.0, 0.35, 0.65, 0.9}) {
    for (const cv::Point2d& unit : kRimCircle.at) {
      const cv::Point p = g.inside(c, r, radius * unit.x, radius * unit.y);
      if (!cv::Rect({}, mask.size()).contains(p)) continue;
      ++seen;
      hits += mask.at<std::uint8_t>(p) != 0 ? 1 : 0;
    }
  }
  return seen > 0 ? static_cast<double>(hits) / seen : 1;
}

void light(const VariedStyle& s, cv::Mat& canvas, Rng& rng) {
  const double angle = rng.uniform() * 2 * std::numbers::pi;
  const cv::Point2d spot(range(rng, 0.1, 0.9) * canvas.cols, range(rng, 0.1, 0.9) * canvas.rows);
  const double reach = range(rng, 0.08, 0.35) * canvas.cols;
  const cv::Point2d along(std::cos(angle) / canvas.cols, std::sin(angle) / canvas.cols);
  for (int y = 0; y < canvas.rows; ++y) {
    auto* row = canvas.ptr<cv::Vec3f>(y);
    for (int x = 0; x < canvas.cols; ++x) {
      const double slope = (x - canvas.cols / 2.0) * along.x + (y - canvas.rows / 2.0) * along.y;
      const auto shade = static_cast<float>(std::max(0.1, 1 - s.shading * (0.5 + slope)));
      double extra = s.veil;
      if (s.glare > 0) {
        const double off = std::hypot(x - spot.x, y - spot.y) / reach;
        extra += s.glare * std::exp(-off * off);
      }
      for (int k = 0; k < 3; ++k) {
        row[x][k] = row[x][k] * s.gain[k] * shade + static_cast<float>(extra);
      }
    }
  }
}

// Lens, motion, tone curve, noise, compression.
cv::Mat photograph(const VariedStyle& s, cv::Mat canvas, Rng& rng) {
  cv::GaussianBlur(canvas, canvas, cv::Size(), s.blur_px);
  if (s.motion_px > 1) {
    const int side = 2 * static_cast<int>(s.motion_px / 2) + 3;
    cv::Mat kernel(side, side, CV_32F, cv::Scalar(0));
    const double a = rng.uniform() * std::numbers::pi;
    const cv::Point2d half(std::cos(a) * s.motion_px / 2, std::sin(a) * s.motion_px / 2);
    const int middle = side / 2;  // odd: a pixel, not an edge between two
    const cv::Point2d mid(middle, middle);
    cv::line(kernel, mid - half, mid + half, cv::Scalar(1), 1);
    cv::filter2D(canvas, canvas, -1, kernel / cv::sum(kernel)[0]);
  }
  if (s.soften < 1) {
    cv::Mat small;
    cv::resize(canvas, small, cv::Size(), s.soften, s.soften, cv::INTER_AREA);
    cv::resize(small, canvas, canvas.size(), 0, 0, cv::INTER_LINEAR);
  }
  cv::Mat clipped = cv::max(cv::min(canvas, 255.0), 0.0);
  cv::pow(clipped / 255, s.gamma, clipped);
  clipped *= 255;
  cv::Mat noise(clipped.size(), CV_32FC3);
  cv::RNG dice(rng());
  dice.fill(noise, cv::RNG::NORMAL, 0, s.noise);
  clipped += noise;
  cv::Mat out;
  clipped.convertTo(out, CV_8UC3);
  if (s.jpeg_quality > 0) {
    std::vector<std::uint8_t> bytes;
    cv::imencode(".jpg", out, bytes, {cv::IMWRITE_JPEG_QUALITY, s.jpeg_quality});
    out = cv::imdecode(bytes, cv::IMREAD_COLOR);
  }
  return out;
}

// Bends the picture as a wide lens does, and the geometry with it as far as a plane can follow.
void bend(const VariedStyle& s, cv::Mat& canvas, BoardGeometry& g) {
  if (s.barrel == 0) return;
  const cv::Point2d mid(canvas.cols / 2.0, canvas.rows / 2.0);
  const double unit = canvas.cols / 2.0;
  const auto source = [&](const cv::Point2d& p) {
    const cv::Point2d d = (p - mid) / unit;
    return cv::Point2d(mid + (p - mid) * (1 + s.barrel * d.dot(d)));
  };
  cv::Mat_<cv::Vec2f> map(canvas.size());
  for (int y = 0; y < canvas.rows; ++y) {
    for (int x = 0; x < canvas.cols; ++x) {
      const cv::Point2d p = source({static_cast<double>(x), static_cast<double>(y)});
      map(y, x) = {static_cast<float>(p.x), static_cast<float>(p.y)};
    }
  }
  cv::Mat bent;
  cv::remap(canvas, bent, map, cv::noArray(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  canvas = bent;
  std::vector<cv::Point2d> board;
  std::vector<cv::Point2d> image;
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c) {
      const cv::Point2d target = g.center(c, r);
      cv::Point2d p = target;
      for (int i = 0; i < 6; ++i) p += target - source(p);
      board.emplace_back(c, r);
      image.push_back(p);
    }
  }
  g.image_from_board = cv::findHomography(board, image);
}

// Looks one line too far to a side: the cells there are none.
void slip(VariedBoard& b, Rng& rng) {
  const int dc = static_cast<int>(rng.below(3)) - 1;
  const int dr = dc != 0 && chance(rng, 0.7) ? 0 : chance(rng, 0.5) ? 1 : -1;
  const game::Grid<CellTruth> old = b.truth;
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c) {
      const bool there = c + dc >= 0 && c + dc < kColumns && r + dr >= 0 && r + dr < kRows;
      b.truth[static_cast<std::size_t>(r * kColumns + c)] =
          there ? old[static_cast<std::size_t>((r + dr) * kColumns + c + dc)] : CellTruth::kNoCell;
    }
  }
  b.geometry.image_from_board =
      b.geometry.image_from_board * cv::Matx33d(1, 0, dc, 0, 1, dr, 0, 0, 1);
}

}  // namespace

VariedBoard render_varied_board(std::uint64_t seed) {
  const VariedStyle s = random_style(seed);
  Rng rng(s.seed);
  VariedBoard out;
  out.geometry.image_from_board = plane_at(s, 0);
  out.geometry.radius_x = s.hole_radius / s.aspect;
  out.geometry.radius_y = s.hole_radius;
  out.truth = s.cells;
  cv::Mat canvas = random_backdrop(s, rng);
  const VariedPainter painter(s);
  constexpr std::array<double, 2> kSub = {-0.25, 0.25};  // four samples a pixel
  for (int y = 0; y < canvas.rows; ++y) {
    auto* row = canvas.ptr<cv::Vec3f>(y);
    for (int x = 0; x < canvas.cols; ++x) {
      Bgr sum(0, 0, 0);
      int hits = 0;
      for (const double sy : kSub) {
        for (const double sx : kSub) {
          Bgr colour;
          if (!painter.paint(x + sx, y + sy, row[x], colour)) continue;
          sum += colour;
          ++hits;
        }
      }
      row[x] = row[x] * (1 - static_cast<float>(hits) / 4) + sum * 0.25F;
    }
  }
  if (s.flat) out.truth.fill(CellTruth::kNoCell);
  if (s.covered) {
    const cv::Mat mask = cover(s, canvas, rng);
    for (int i = 0; i < kCells; ++i) {
      const double share = covered_share(mask, out.geometry, i % kColumns, i / kColumns);
      CellTruth& truth = out.truth[static_cast<std::size_t>(i)];
      if (share > 0.1) truth = share > 0.5 ? CellTruth::kNoCell : CellTruth::kUnclear;
    }
  }
  light(s, canvas, rng);
  bend(s, canvas, out.geometry);
  out.image = photograph(s, canvas, rng);
  if (chance(rng, 0.06)) slip(out, rng);
  return out;
}

BoardGeometry disturbed(const BoardGeometry& geometry, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<cv::Point2d> board;
  std::vector<cv::Point2d> image;
  const double error = 0.06 * rng.uniform();
  for (const double r : {0.0, kRows - 1.0}) {
    for (const double c : {0.0, kColumns - 1.0}) {
      board.emplace_back(c, r);
      image.push_back(project(geometry.image_from_board, c + range(rng, -error, error),
                              r + range(rng, -error, error)));
    }
  }
  BoardGeometry out = geometry;
  out.image_from_board = cv::findHomography(board, image);
  const double scale = range(rng, 0.9, 1.1);
  out.radius_x *= scale * range(rng, 0.97, 1.03);
  out.radius_y *= scale * range(rng, 0.97, 1.03);
  return out;
}

}  // namespace rowbot::vision
