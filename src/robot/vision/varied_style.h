// How one rendered board is made and lit: chosen at random by varied_style.cc, painted by
// varied_board.cc.
// Thread safety: plain values and free functions; call from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <opencv2/core.hpp>

#include "base/rng.h"
#include "robot/vision/varied_board.h"

namespace rowbot::vision {

using Bgr = cv::Vec3f;  // 0..255, may be brighter

inline double range(Rng& rng, double low, double high) {
  return low + (high - low) * rng.uniform();
}
inline bool chance(Rng& rng, double p) { return rng.uniform() < p; }

/// All lengths on discs are shares of the disc's radius.
struct DiscStyle {
  Bgr colour;
  Bgr sticker;
  float sticker_radius = 0;  // 0: none
  float rim = 0;             // width of a raised rim
  float rim_shade = 1;
  float hole = 0;  // radius of a hole through the disc
  float emboss = 0;
  float rings = 9;  // waves of relief from the middle to the edge
  Bgr mark;         // strokes drawn on the disc
  int strokes = 0;
};

enum class Behind : std::uint8_t {
  kScene,   // the room
  kPaper,   // a sheet close behind, with the frame's shadow on it
  kClosed,  // the board's own rear wall
};

struct VariedStyle {
  cv::Size size;
  // Pose
  double yaw_deg = 0;
  double pitch_deg = 0;
  double roll_deg = 0;
  double distance = 16;  // in row pitches
  double width_px = 300;
  double aspect = 1.1;  // column pitch over row pitch
  cv::Point2d offset;   // of the board's centre, in pixels
  double barrel = 0;    // lens distortion
  // Board
  double hole_radius = 0.4;  // in row pitches
  double plate = 0.08;       // thickness of the front plate, in row pitches
  double depth = 0.3;        // of the whole board
  double rear_radius = 1;    // in hole radii
  double margin = 0.4;       // of the frame around the outer cells, in pitches
  Bgr frame;
  float bevel = 0.1F;  // width of the edge of a hole, in radii
  float bevel_shade = 0.8F;
  float wall_shade = 0.5F;
  float wall_slope = 0.15F;  // brighter below than above
  float frame_noise = 0;
  float grain = 0;        // wood
  float transparent = 0;  // how much of the scene shines through the frame
  float bar = 0;          // half width of bars behind the holes, in radii; 0: none
  bool bar_upright = false;
  bool flat = false;  // a drawn or printed grid: no holes, no depth, no board
  bool square = false;
  // Discs
  std::array<DiscStyle, 2> discs;
  double disc_radius = 1.1;  // in hole radii
  cv::Point2d sag;           // of discs in their holes, in hole radii
  bool ball = false;
  float disc_noise = 0;
  float shine = 0;  // a specular spot on each disc
  cv::Point2f shine_at;
  float frame_shadow = 0;  // of the upper edge of the hole on the disc
  // What is behind
  Behind behind = Behind::kScene;
  Bgr behind_colour;
  double shadow_x = 0;  // of the frame on the paper, in hole radii
  double shadow_y = 0;
  float shadow = 0.6F;
  float backlight = 1;
  // Light and camera
  cv::Vec3f gain{1, 1, 1};
  double shading = 0;
  double glare = 0;
  double veil = 0;  // stray light everywhere
  double gamma = 1;
  double blur_px = 0.5;
  double motion_px = 0;
  double noise = 2;
  double soften = 1;     // rendered this much smaller and enlarged again
  int jpeg_quality = 0;  // 0: none
  bool covered = false;  // a hand or an arm before the board
  game::Grid<CellTruth> cells{};
  std::uint64_t seed = 0;
};

[[nodiscard]] VariedStyle random_style(std::uint64_t seed);
[[nodiscard]] Bgr random_bgr(Rng& rng);

/// What can be seen behind a board: rooms, walls, blinds, people.
[[nodiscard]] cv::Mat random_backdrop(const VariedStyle& style, Rng& rng);

}  // namespace rowbot::vision
