// Films of the simulated cell: frames to a directory, or through ffmpeg into a film.
// Thread safety: none; one thread, the one that drives the twin.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "robot/sim/renderer.h"

namespace rowbot::app {

/// Ends the command when a frame cannot be written.
class FrameSink {
 public:
  /// `out` is a name ending in .mp4, or a directory for PNG files.
  FrameSink(const std::string& out, int width, int height, int frames_per_s);
  FrameSink(const FrameSink&) = delete;
  FrameSink& operator=(const FrameSink&) = delete;
  FrameSink(FrameSink&&) = delete;
  FrameSink& operator=(FrameSink&&) = delete;
  ~FrameSink();

  void take(const sim::Image& image);
  void finish();
  [[nodiscard]] int frames() const { return frames_; }

 private:
  std::string out_;
  std::FILE* film_ = nullptr;
  int frames_ = 0;
};

struct Shot {
  int width = 640;
  int height = 480;
  sim::View view = sim::View::kOverview;
  int frames_per_s = 15;
};

/// Draws frames of simulated time at an even rate.
class Recorder {
 public:
  Recorder(const sim::World& world, const Shot& shot, FrameSink& sink);

  /// After each step.
  void watch(const sim::World& world);

 private:
  Shot shot_;
  FrameSink& sink_;
  std::unique_ptr<sim::Renderer> renderer_;
  double next_s_ = 0;
};

}  // namespace rowbot::app
