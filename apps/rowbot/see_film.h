// rowbot see on a camera or a film: what happens at the board, as it happens.
// Thread safety: none; prints to standard output.
#pragma once

#include <opencv2/core.hpp>
#include <string>

#include "robot/vision/reader.h"

namespace rowbot::app {

struct FilmOptions {
  std::string source;
  bool as_json = false;
  bool referee = false;  // also say when a colour plays out of turn
  int frames = 0;        // stop after this many; 0: never
};

/// A camera or a film, by its name.
[[nodiscard]] bool is_video(const std::string& source);

/// Prints one line an event until the film is over.
void see_film(const FilmOptions& options, const vision::ReadOptions& read);

/// An image file, or an early frame of a film or camera.
[[nodiscard]] cv::Mat first_image(const std::string& source);

}  // namespace rowbot::app
