// Renders boards with known truth: for tests, benchmarks and callers who want to
// try an eye without a camera.
//
// A simple model of the real thing: a plate with round holes, discs just behind
// it, a second rim further back that a slanted view shifts against the first,
// and any scene behind. Light, highlights, blur, noise and compression follow.
//
// Thread safety: free functions without shared state; the same seed gives the
// same pixels on every machine with the same OpenCV.
#pragma once

#include <array>
#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>
#include <string>

#include "base/rng.h"
#include "robot/cell/board_reading.h"
#include "robot/vision/geometry.h"

namespace rowbot::vision {

struct BoardScene {
  cv::Size size{640, 480};
  cell::BoardCells cells{};
  cell::Rgb frame{20, 60, 170};
  cell::Rgb first{190, 30, 35};
  cell::Rgb second{235, 200, 40};
  double yaw_deg = 0;
  double pitch_deg = 0;
  double roll_deg = 0;
  double width_share = 0.7;  // of the image that the board spans
  cv::Point2d offset;        // of the board's centre from the image's, in image widths
  double hole_radius = 0.4;  // in cell pitches
  double depth = 0.25;       // of the frame, in cell pitches
  enum class Backdrop : std::uint8_t {
    kPlain,
    kGradient,
    kClutter,
    kDark
  } backdrop = Backdrop::kPlain;
  cell::Rgb backdrop_colour{200, 200, 200};
  double light = 1.0;      // exposure
  double warmth = 0.0;     // -1 cold .. 1 warm
  double shading = 0.0;    // darker towards one side, 0..1
  double highlight = 0.0;  // strength of a white highlight on the board, 0..1
  double emboss = 0.1;     // relief on the discs, 0..1
  double blur_px = 0.5;
  double noise = 3;                     // standard deviation in grey levels
  int jpeg_quality = 0;                 // 0: none
  bool hand = false;                    // something skin-coloured before a corner of the board
  std::optional<double> marker_column;  // gripper marker above this column (see gripper_check.h)
  std::uint64_t seed = 1;
};

struct RenderedBoard {
  cv::Mat image;             // 8-bit BGR
  cell::BoardCells truth{};  // the scene's cells, hidden where the hand is
  BoardGeometry geometry;
};

[[nodiscard]] RenderedBoard render_board(const BoardScene& scene);

/// A board that can come up in play: `discs` random moves, wins ignored.
[[nodiscard]] cell::BoardCells random_cells(Rng& rng, int discs);

/// A scene as varied as photographs are; `difficulty` 0..1 scales angle, blur,
/// noise and light.
[[nodiscard]] BoardScene random_scene(std::uint64_t seed, double difficulty);

/// Things that resemble a board and are none: checkerboards, drawn grids, dot
/// patterns of other sizes, egg cartons, windows, text, noise. Returns the name too.
struct Decoy {
  std::string name;
  cv::Mat image;
};
[[nodiscard]] Decoy render_decoy(std::uint64_t seed);

}  // namespace rowbot::vision
