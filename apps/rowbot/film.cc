#include "film.h"

#include <cerrno>
#include <csignal>
#include <sys/stat.h>
#include <utility>

#include "commands.h"
#include "fmt/format.h"

namespace rowbot::app {

FrameSink::FrameSink(const std::string& out, int width, int height, int frames_per_s) : out_(out) {
  if (out.ends_with(".mp4")) {
    if (out.find_first_of("'\\\n") != std::string::npos) {
      fail_usage(Error{"the name of the film may not hold quotes or backslashes"});
    }
    // In a session of its own: Ctrl-C is for us, and the film gets its last frames and its end.
    // When ffmpeg ends early, writing to it is an error here and no signal.
    std::signal(SIGPIPE, SIG_IGN);
    const std::string command = fmt::format(
        "exec setsid ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s {}x{} -r {} -i - "
        "-pix_fmt "
        "yuv420p '{}'",
        width, height, frames_per_s, out);
    film_ = popen(command.c_str(), "w");  // NOLINT(cert-env33-c): the name is checked above
    if (film_ == nullptr) fail(Error{"ffmpeg does not start; install it or record to a directory"});
  } else if (mkdir(out.c_str(), 0755) != 0 && errno != EEXIST) {
    fail(Error{fmt::format("cannot make the directory {}", out)});
  }
}

FrameSink::~FrameSink() {
  if (film_ != nullptr) pclose(film_);
}

void FrameSink::take(const sim::Image& image) {
  if (film_ != nullptr) {
    if (std::fwrite(image.rgb.data(), 1, image.rgb.size(), film_) != image.rgb.size()) {
      fail(Error{"ffmpeg takes no more frames; is it installed, and is there room on the disk?"});
    }
  } else {
    const auto written = sim::write_png(image, fmt::format("{}/frame_{:05}.png", out_, frames_));
    if (!written) fail(written.error());
  }
  ++frames_;
}

void FrameSink::finish() {
  if (film_ == nullptr) return;
  const int status = pclose(std::exchange(film_, nullptr));
  if (status != 0) fail(Error{fmt::format("ffmpeg could not write {}", out_)});
}

Recorder::Recorder(const sim::World& world, const Shot& shot, FrameSink& sink)
    : shot_(shot), sink_(sink) {
  auto renderer = sim::Renderer::create(world, shot.width, shot.height);
  if (!renderer) fail(renderer.error());
  renderer_ = *std::move(renderer);
}

void Recorder::watch(const sim::World& world) {
  if (world.state.time_s() < next_s_) return;
  next_s_ = world.state.time_s() + 1.0 / shot_.frames_per_s;
  sink_.take(renderer_->draw(world, shot_.view));
}

}  // namespace rowbot::app
