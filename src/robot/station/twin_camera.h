// The camera of the twin: frames drawn from the simulated cell, at an even rate of simulated time.
// Thread safety: none; make, use and destroy it on the thread that drives the twin.
#pragma once

#include <memory>

#include "robot/cell/camera.h"
#include "robot/sim/renderer.h"
#include "robot/sim/twin.h"

namespace rowbot::station {

struct TwinCameraOptions {
  int width = 640;
  int height = 480;
  double frames_per_s = 10;
  sim::Finish finish = sim::Finish::kFast;
};

class TwinCamera final : public cell::Camera {
 public:
  /// The twin outlives its camera.
  [[nodiscard]] static Result<std::unique_ptr<TwinCamera>> create(
      sim::Twin& twin, const TwinCameraOptions& options = {});

  /// Lets simulated time pass until the next frame.
  [[nodiscard]] Result<cell::Frame> grab() override;

 private:
  TwinCamera(sim::Twin& twin, const TwinCameraOptions& options,
             std::unique_ptr<sim::Renderer> renderer);

  sim::Twin& twin_;
  TwinCameraOptions options_;
  std::unique_ptr<sim::Renderer> renderer_;
};

}  // namespace rowbot::station
