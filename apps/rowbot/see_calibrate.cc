#include "see_calibrate.h"

#include <array>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "commands.h"
#include "fmt/core.h"
#include "robot/vision/calibration.h"
#include "robot/vision/reader.h"

namespace rowbot::app {
namespace {

std::string ask(const std::string& question) {
  fmt::print("{} ", question);
  std::fflush(stdout);
  std::string answer;
  if (!std::getline(std::cin, answer)) {
    fmt::print("\n");
    fail(Error{"the calibration ended before it was complete; nothing was saved"});
  }
  return answer;
}

bool yes(const std::string& question) {
  while (true) {
    const std::string answer = ask(question + " [Y/n]");
    if (answer.empty() || answer == "y" || answer == "Y" || answer == "yes") return true;
    if (answer == "n" || answer == "N" || answer == "no") return false;
    fmt::print("Please answer y or n.\n");
  }
}

vision::BoardGeometry ask_corners() {
  constexpr std::array<const char*, 4> kNames = {"top left", "top right", "bottom right",
                                                 "bottom left"};
  while (true) {
    std::array<cv::Point2d, 4> corners;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      while (true) {
        std::istringstream in(ask(fmt::format("Centre of the {} cell as x,y:", kNames[i])));
        char comma = 0;
        if (in >> corners[i].x >> comma >> corners[i].y && comma == ',') break;
        fmt::print("Two numbers with a comma, for example 120,85.\n");
      }
    }
    if (auto geometry = vision::geometry_from_corners(corners)) return *geometry;
    fmt::print("The corners must go clockwise from the top left cell. Once more.\n");
  }
}

}  // namespace

void calibrate_eyes(const cv::Mat& image, const std::string& save_to) {
  fmt::print("Step 1 of 2: the corners. The image is {} x {} pixels.\n", image.cols, image.rows);
  auto look = vision::look_at_board(image);
  if (!look) fail(look.error());
  std::optional<vision::BoardGeometry> geometry;
  if (look->geometry) {
    const auto& c = look->reading.corners;
    fmt::print("  A board: {:.0f},{:.0f}  {:.0f},{:.0f}  {:.0f},{:.0f}  {:.0f},{:.0f}\n", c[0].x,
               c[0].y, c[1].x, c[1].y, c[2].x, c[2].y, c[3].x, c[3].y);
    if (yes("  Are these the centres of the corner cells, clockwise from the top left?")) {
      geometry = look->geometry;
    }
  } else {
    fmt::print("  No board was found by itself.\n");
  }
  if (!geometry) {
    geometry = ask_corners();
    *look = vision::look_at_cells_of(vision::look_at_cells(image, *geometry), *geometry, {});
  }

  fmt::print("Step 2 of 2: the colours.\n  {}\n", board_text(look->reading.board));
  if (!look->first || !look->second) {
    fail(Error{"both colours must be on the board: put in some discs of each and try again"});
  }
  fmt::print("  A is {}, B is {}.\n", colour_text(*look->reading.first_colour),
             colour_text(*look->reading.second_colour));
  if (!yes("  Is this how the board stands?")) {
    fail(Error{"more light, no glare and a plain background help; nothing was saved"});
  }
  vision::Calibration calibration{.image_size = image.size(),
                                  .geometry = *geometry,
                                  .first = *look->first,
                                  .second = *look->second};
  if (!yes("  Does A begin the game?")) std::swap(calibration.first, calibration.second);
  if (const auto saved = vision::save_calibration(calibration, save_to); !saved) {
    fail(saved.error());
  }
  fmt::print("Saved. Use it: rowbot see --calibration {} SOURCE\n", save_to);
}

}  // namespace rowbot::app
