#include "robot/station/twin_camera.h"

#include <utility>

namespace rowbot::station {

TwinCamera::TwinCamera(sim::Twin& twin, const TwinCameraOptions& options,
                       std::unique_ptr<sim::Renderer> renderer)
    : twin_(twin), options_(options), renderer_(std::move(renderer)) {}

Result<std::unique_ptr<TwinCamera>> TwinCamera::create(sim::Twin& twin,
                                                       const TwinCameraOptions& options) {
  auto renderer =
      sim::Renderer::create(twin.world(), options.width, options.height, options.finish);
  if (!renderer) return renderer.error();
  return std::unique_ptr<TwinCamera>(new TwinCamera(twin, options, *std::move(renderer)));
}

Result<cell::Frame> TwinCamera::grab() {
  twin_.advance(1 / options_.frames_per_s);
  cell::Frame frame;
  frame.width = options_.width;
  frame.height = options_.height;
  frame.time = std::chrono::duration<double>(twin_.world().state.time_s());
  if (twin_.camera_covered()) {
    frame.bgr.assign(
        static_cast<std::size_t>(options_.width) * static_cast<std::size_t>(options_.height) * 3,
        18);
    return frame;
  }
  sim::Image image = renderer_->draw(twin_.world(), sim::View::kCamera);
  frame.bgr = std::move(image.rgb);
  for (std::size_t i = 0; i + 2 < frame.bgr.size(); i += 3) {
    std::swap(frame.bgr[i], frame.bgr[i + 2]);
  }
  return frame;
}

}  // namespace rowbot::station
