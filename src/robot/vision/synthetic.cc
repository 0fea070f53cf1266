#include "robot/vision/synthetic.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace rowbot::vision {
namespace {

using cell::CellContent;
using cell::Rgb;

double between(Rng& rng, double low, double high) { return low + (high - low) * rng.uniform(); }

cv::Vec3f vec(const Rgb& c) {
  return {static_cast<float>(c.blue), static_cast<float>(c.green), static_cast<float>(c.red)};
}

cv::Scalar scalar(const Rgb& c) { return {double(c.blue), double(c.green), double(c.red)}; }

Rgb random_colour(Rng& rng) {
  const auto byte = [&rng] { return static_cast<std::uint8_t>(rng.below(256)); };
  return {.red = byte(), .green = byte(), .blue = byte()};
}

// The board's plane in space, seen by a pinhole camera.
BoardGeometry pose(const BoardScene& s) {
  const double yaw = s.yaw_deg * std::numbers::pi / 180;
  const double pitch = s.pitch_deg * std::numbers::pi / 180;
  const double roll = s.roll_deg * std::numbers::pi / 180;
  const cv::Matx33d ry(std::cos(yaw), 0, std::sin(yaw), 0, 1, 0, -std::sin(yaw), 0, std::cos(yaw));
  const cv::Matx33d rx(1, 0, 0, 0, std::cos(pitch), -std::sin(pitch), 0, std::sin(pitch),
                       std::cos(pitch));
  const cv::Matx33d rz(std::cos(roll), -std::sin(roll), 0, std::sin(roll), std::cos(roll), 0, 0, 0,
                       1);
  const cv::Matx33d rotation = rz * rx * ry;
  constexpr double kAspect = 1.13;  // column pitch over row pitch of the usual board
  constexpr double kDistance = 16;  // in row pitches: a camera at arm's length
  const double focal = s.width_share * s.size.width * kDistance / (kColumns * kAspect);
  const cv::Matx33d to_space(kAspect, 0, -(kColumns - 1) / 2.0 * kAspect, 0, 1, -(kRows - 1) / 2.0,
                             0, 0, 0);
  cv::Matx33d plane = rotation * to_space;
  plane(2, 2) += kDistance;
  const cv::Matx33d camera(focal, 0, s.size.width * (0.5 + s.offset.x), 0, focal,
                           s.size.height * 0.5 + s.size.width * s.offset.y, 0, 0, 1);
  BoardGeometry g;
  g.image_from_board = camera * plane;
  g.radius_y = s.hole_radius;
  g.radius_x = s.hole_radius / kAspect;
  return g;
}

cv::Mat backdrop(const BoardScene& s, Rng& rng) {
  cv::Mat out(s.size, CV_8UC3, scalar(s.backdrop_colour));
  switch (s.backdrop) {
    case BoardScene::Backdrop::kPlain:
      break;
    case BoardScene::Backdrop::kGradient:
      for (int y = 0; y < out.rows; ++y) {
        const double f = 0.5 + 0.6 * y / out.rows;
        out.row(y).setTo(scalar(s.backdrop_colour) * f);
      }
      break;
    case BoardScene::Backdrop::kClutter:
      for (int i = 0; i < 26; ++i) {
        const Rgb grey = random_colour(rng);
        const double vivid = rng.uniform() < 0.2 ? 1.0 : 0.2;
        const double mean = (grey.red + grey.green + grey.blue) / 3.0;
        const cv::Scalar colour = scalar(grey) * vivid + cv::Scalar::all(mean * (1 - vivid));
        const cv::Point a(static_cast<int>(rng.below(static_cast<std::uint32_t>(out.cols))),
                          static_cast<int>(rng.below(static_cast<std::uint32_t>(out.rows))));
        const int w = static_cast<int>(between(rng, 0.05, 0.4) * out.cols);
        const int h = static_cast<int>(between(rng, 0.05, 0.4) * out.rows);
        if (rng.below(3) == 0) {
          cv::ellipse(out, a, cv::Size(w / 2, h / 2), rng.uniform() * 180, 0, 360, colour, -1);
        } else {
          cv::rectangle(out, cv::Rect(a, cv::Size(w, h)), colour, -1);
        }
      }
      break;
    case BoardScene::Backdrop::kDark:
      out.setTo(cv::Scalar(28, 25, 24));
      for (int i = 0; i < 6; ++i) {
        const cv::Point a(static_cast<int>(rng.below(static_cast<std::uint32_t>(out.cols))),
                          static_cast<int>(rng.below(static_cast<std::uint32_t>(out.rows))));
        cv::circle(out, a, out.cols / 8, cv::Scalar::all(between(rng, 10, 70)), -1);
      }
      break;
  }
  cv::GaussianBlur(out, out, cv::Size(), 1.5);
  return out;
}

// Colour of the point (x, y) of the board, in board coordinates.
class Painter {
 public:
  Painter(const BoardScene& s, const BoardGeometry& g) : s_(s), g_(g) {
    // How far the rear rim shifts against the front one: from the tilt.
    const double rad = std::numbers::pi / 180;
    shift_ = {-s.depth * std::tan(s.yaw_deg * rad) * 0.9, s.depth * std::tan(s.pitch_deg * rad)};
  }

  [[nodiscard]] bool on_board(double x, double y) const {
    return x > -0.85 && x < kColumns - 0.15 && y > -0.85 && y < kRows - 0.15;
  }

  [[nodiscard]] cv::Vec3f paint(double x, double y, const cv::Vec3b& behind) const {
    const int c = std::clamp(static_cast<int>(std::lround(x)), 0, kColumns - 1);
    const int r = std::clamp(static_cast<int>(std::lround(y)), 0, kRows - 1);
    const double dx = (x - c) / g_.radius_x;
    const double dy = (y - r) / g_.radius_y;
    const double d = std::hypot(dx, dy);
    const cv::Vec3f frame = vec(s_.frame);
    if (d > 1.0) return frame * (d < 1.12 ? 0.82F : 1.F);
    const CellContent content = s_.cells[cell::cell_index(c, r)];
    if (content == CellContent::kEmpty || content == CellContent::kHidden) {
      const double bx = dx - shift_.x / g_.radius_x;
      const double by = dy - shift_.y / g_.radius_y;
      if (std::hypot(bx, by) > 1.0) return frame * static_cast<float>(0.45 + 0.15 * dy);
      return {static_cast<float>(behind[0]), static_cast<float>(behind[1]),
              static_cast<float>(behind[2])};
    }
    const cv::Vec3f disc = vec(content == CellContent::kFirst ? s_.first : s_.second);
    // Rings of relief, a shadow of the frame along the upper edge.
    double shade = 1 + s_.emboss * std::sin(9 * d) * (d > 0.35 ? 1 : 0.4);
    if (d > 0.9) shade *= 0.8;
    if (dy < -0.7) shade *= 0.85;
    return disc * static_cast<float>(shade);
  }

 private:
  const BoardScene& s_;
  const BoardGeometry& g_;
  cv::Point2d shift_;
};

void add_light(const BoardScene& s, cv::Mat& linear, const cv::Point2d& center, Rng& rng) {
  const cv::Vec3d gain = cv::Vec3d(1 - 0.25 * s.warmth, 1, 1 + 0.2 * s.warmth) * s.light;
  const double angle = rng.uniform() * 2 * std::numbers::pi;
  const cv::Point2d spot = center + cv::Point2d(between(rng, -0.2, 0.2) * s.size.width,
                                                between(rng, -0.2, 0.2) * s.size.height);
  const double reach = 0.18 * s.size.width;
  for (int y = 0; y < linear.rows; ++y) {
    auto* row = linear.ptr<cv::Vec3f>(y);
    for (int x = 0; x < linear.cols; ++x) {
      const double along = ((x - s.size.width / 2.0) * std::cos(angle) +
                            (y - s.size.height / 2.0) * std::sin(angle)) /
                           s.size.width;
      const double shade = 1 - s.shading * (0.5 + along);
      const double d2 =
          ((x - spot.x) * (x - spot.x) + (y - spot.y) * (y - spot.y)) / (reach * reach);
      const double glare = 220 * s.highlight * std::exp(-d2);
      for (int k = 0; k < 3; ++k) {
        row[x][k] = static_cast<float>(row[x][k] * gain[k] * std::max(0.1, shade) + glare);
      }
    }
  }
}

}  // namespace

RenderedBoard render_board(const BoardScene& s) {
  Rng rng(s.seed);
  RenderedBoard out;
  out.geometry = pose(s);
  out.truth = s.cells;
  const cv::Mat behind = backdrop(s, rng);
  cv::Mat canvas;
  behind.convertTo(canvas, CV_32FC3);
  const cv::Matx33d board_from_image = out.geometry.image_from_board.inv();
  const Painter painter(s, out.geometry);
  constexpr std::array<double, 2> kSub = {-0.25, 0.25};  // four samples a pixel
  for (int y = 0; y < canvas.rows; ++y) {
    auto* row = canvas.ptr<cv::Vec3f>(y);
    for (int x = 0; x < canvas.cols; ++x) {
      cv::Vec3f sum(0, 0, 0);
      int hits = 0;
      for (const double sy : kSub) {
        for (const double sx : kSub) {
          const cv::Point2d p = project(board_from_image, x + sx, y + sy);
          if (!painter.on_board(p.x, p.y)) continue;
          sum += painter.paint(p.x, p.y, behind.at<cv::Vec3b>(y, x));
          ++hits;
        }
      }
      if (hits > 0) row[x] = row[x] * (1 - static_cast<float>(hits) / 4) + sum * 0.25F;
    }
  }
  if (s.marker_column) {
    // A white square with a magenta square inside, half a pitch above the rim.
    const auto quad = [&](double half) {
      std::vector<cv::Point> points;
      for (const auto& [dx, dy] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
        points.emplace_back(project(out.geometry.image_from_board, *s.marker_column + dx * half,
                                    -1.5 + dy * half * 1.13));
      }
      return points;
    };
    cv::fillConvexPoly(canvas, quad(0.42), cv::Scalar(245, 245, 245), cv::LINE_AA);
    cv::fillConvexPoly(canvas, quad(0.26), cv::Scalar(200, 20, 220), cv::LINE_AA);
  }
  if (s.hand) {
    const int column = rng.below(2) == 0 ? 0 : kColumns - 2;
    const int row = static_cast<int>(rng.below(kRows - 1));
    for (int c = column; c < column + 2; ++c) {
      for (int r = row; r < row + 2; ++r) out.truth[cell::cell_index(c, r)] = CellContent::kHidden;
    }
    const cv::Scalar skin(120, 150, 205);
    std::vector<cv::Point> palm;
    const double side = column == 0 ? -4.0 : kColumns + 3.0;
    for (const auto& [x, y] : {std::pair(column - 0.62, row - 0.62),
                               {column + 1.62, row - 0.62},
                               {column + 1.62, row + 1.62},
                               {column - 0.62, row + 1.62}}) {
      palm.emplace_back(project(out.geometry.image_from_board, x, y));
    }
    cv::fillConvexPoly(canvas, palm, skin, cv::LINE_AA);
    cv::line(canvas, project(out.geometry.image_from_board, column + 0.5, row + 0.5),
             project(out.geometry.image_from_board, side, row + 0.5), skin,
             std::max(3, s.size.width / 20), cv::LINE_AA);
  }
  add_light(s, canvas, out.geometry.center(3, 2), rng);
  if (s.blur_px > 0.2) cv::GaussianBlur(canvas, canvas, cv::Size(), s.blur_px);
  if (s.noise > 0) {
    for (int y = 0; y < canvas.rows; ++y) {
      auto* row = canvas.ptr<cv::Vec3f>(y);
      for (int x = 0; x < canvas.cols; ++x) {
        for (int k = 0; k < 3; ++k) {
          // Sum of four uniforms: near enough to normal, and the same everywhere.
          const double u = rng.uniform() + rng.uniform() + rng.uniform() + rng.uniform() - 2;
          row[x][k] += static_cast<float>(u * 1.73 * s.noise);
        }
      }
    }
  }
  canvas.convertTo(out.image, CV_8UC3);
  if (s.jpeg_quality > 0) {
    std::vector<std::uint8_t> bytes;
    cv::imencode(".jpg", out.image, bytes, {cv::IMWRITE_JPEG_QUALITY, s.jpeg_quality});
    out.image = cv::imdecode(bytes, cv::IMREAD_COLOR);
  }
  return out;
}

cell::BoardCells random_cells(Rng& rng, int discs) {
  cell::BoardCells cells{};
  std::array<int, kColumns> height{};
  for (int i = 0; i < std::min(discs, kCells); ++i) {
    std::size_t column = rng.below(kColumns);
    while (height[column] == kRows) column = rng.below(kColumns);
    const int row = kRows - 1 - height[column]++;
    cells[cell::cell_index(static_cast<int>(column), row)] =
        i % 2 == 0 ? CellContent::kFirst : CellContent::kSecond;
  }
  return cells;
}

BoardScene random_scene(std::uint64_t seed, double difficulty) {
  Rng rng(seed);
  BoardScene s;
  s.seed = rng();
  struct Discs {
    Rgb first;
    Rgb second;
  };
  constexpr std::array<Rgb, 8> kFrames = {{{20, 60, 170},
                                           {30, 70, 190},
                                           {15, 40, 120},
                                           {225, 190, 40},
                                           {230, 230, 225},
                                           {30, 30, 32},
                                           {190, 150, 100},
                                           {30, 120, 60}}};
  constexpr std::array<Discs, 6> kDiscs = {{{{190, 30, 35}, {235, 200, 40}},
                                            {{200, 40, 30}, {230, 190, 20}},
                                            {{170, 20, 30}, {220, 210, 60}},
                                            {{190, 30, 35}, {25, 28, 30}},
                                            {{30, 90, 200}, {235, 205, 50}},
                                            {{205, 60, 130}, {60, 170, 90}}}};
  while (true) {
    s.frame = kFrames[rng.below(kFrames.size())];
    const Discs discs = kDiscs[rng.below(kDiscs.size())];
    s.first = discs.first;
    s.second = discs.second;
    if (cv::norm(vec(s.frame) - vec(s.first)) > 110 &&
        cv::norm(vec(s.frame) - vec(s.second)) > 110) {
      break;
    }
  }
  s.cells = random_cells(rng, static_cast<int>(rng.below(43)));
  s.size = rng.below(3) == 0 ? cv::Size(480, 360) : cv::Size(640, 480);
  s.yaw_deg = between(rng, -40, 40) * difficulty;
  s.pitch_deg = between(rng, -28, 28) * difficulty;
  s.roll_deg = between(rng, -25, 25) * difficulty;
  s.width_share = between(rng, 0.4, 0.7);
  s.offset = {between(rng, -0.08, 0.08), between(rng, -0.04, 0.04)};
  s.hole_radius = between(rng, 0.36, 0.43);
  s.depth = between(rng, 0.1, 0.3);
  s.backdrop = static_cast<BoardScene::Backdrop>(rng.below(4));
  const auto grey = static_cast<std::uint8_t>(between(rng, 120, 230));
  s.backdrop_colour = {.red = grey, .green = grey, .blue = static_cast<std::uint8_t>(grey - 12)};
  s.light = between(rng, 1 - 0.45 * difficulty, 1 + 0.15 * difficulty);
  s.warmth = between(rng, -1, 1) * difficulty;
  s.shading = between(rng, 0, 0.6) * difficulty;
  s.highlight = rng.below(3) == 0 ? between(rng, 0, 0.5) * difficulty : 0;
  s.emboss = between(rng, 0, 0.15);
  s.blur_px = between(rng, 0.3, 0.4 + 1.2 * difficulty);
  s.noise = between(rng, 1, 2 + 7 * difficulty);
  s.jpeg_quality = rng.below(2) == 0 ? 0 : 60 + static_cast<int>(rng.below(35));
  return s;
}

}  // namespace rowbot::vision
