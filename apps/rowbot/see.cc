// rowbot see: reads boards from photographs, folders of them, or a camera.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/text_file.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "robot/vision/calibration.h"
#include "robot/vision/expect.h"
#include "robot/vision/gripper_check.h"
#include "robot/vision/image_file.h"
#include "robot/vision/overlay.h"
#include "robot/vision/reader.h"
#include "see_calibrate.h"
#include "see_film.h"

namespace rowbot::app {
namespace {

namespace fs = std::filesystem;
struct SeeOptions {
  std::string source;
  std::string expect;
  std::string overlay;
  std::string calibration;
  std::string save = "rowbot-eyes.json";
  bool calibrate = false;
  bool as_json = false;
  bool referee = false;
  int frames = 0;
  int gripper = 0;  // the column it should stand over; 0: do not look
  double pitch_mm = vision::GripperOptions{}.column_pitch_mm;
};

/// A label is a line: tens of thousands of photographs.
constexpr std::size_t kLabelBytes = std::size_t{16} << 20;

struct Timed {
  vision::Look look;
  double ms = 0;
};

// Says what is wrong with one of many files and lets the command go on.
void complain(const Error& error) { fmt::print(stderr, "rowbot: {}\n", error.message); }

Result<Timed> timed_look(const cv::Mat& image, const vision::ReadOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  auto look = vision::look_at_board(image, options);
  const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
  if (!look) return look.error();
  return Timed{std::move(*look), ms.count()};
}

double rounded(double v, double steps) { return std::round(v * steps) / steps; }

Json reading_json(const cell::BoardReading& reading, double ms) {
  Json colours = Json::object();
  if (reading.first_colour) colours["A"] = colour_text(*reading.first_colour);
  if (reading.second_colour) colours["B"] = colour_text(*reading.second_colour);
  Json corners = Json::array();
  if (reading.sight != cell::Sight::kNone) {
    for (const cell::PixelPoint& p : reading.corners) {
      corners.push_back({rounded(p.x, 10), rounded(p.y, 10)});
    }
  }
  Json confidence = Json::array();
  for (const float c : reading.confidence) confidence.push_back(rounded(c, 1000));
  Json out = {{"status", sight_text(reading.sight)},
              {"board", board_text(reading.board)},
              {"raw", board_text(reading.raw)},
              {"colors", colours},
              {"corners", corners},
              {"confidence", confidence},
              {"ms", rounded(ms, 100)}};
  if (reading.upside_down) out["upside_down"] = true;
  return out;
}

void print_reading(const std::string& name, const Timed& seen) {
  const cell::BoardReading& r = seen.look.reading;
  fmt::print("{}: {}, {:.1f} ms\n", name, sight_text(r.sight), seen.ms);
  if (r.sight == cell::Sight::kNone) return;
  if (r.upside_down) fmt::print("  upside down in the picture; this is the board as it stands\n");
  for (int row = 0; row < cell::kBoardRows; ++row) {
    std::string cells;
    std::string sure;
    for (int column = 0; column < cell::kBoardColumns; ++column) {
      const std::size_t i = cell::cell_index(column, row);
      cells += fmt::format(" {}", ".AB?"[static_cast<std::size_t>(r.board[i])]);
      sure += fmt::format(" {:3.0f}", 100 * r.confidence[i]);
    }
    fmt::print(" {}    {} %\n", cells, sure);
  }
  if (r.first_colour) fmt::print("  A {}", colour_text(*r.first_colour));
  if (r.second_colour) fmt::print("  B {}", colour_text(*r.second_colour));
  if (r.first_colour || r.second_colour) fmt::print("\n");
  if (r.raw != r.board) {
    fmt::print("  cell by cell, without the rules of the board: {}\n", board_text(r.raw));
  }
}

Result<void> write_overlay(const cv::Mat& image, const vision::Look& look, const fs::path& path) {
  try {
    if (cv::imwrite(path.string(), vision::draw_overlay(image, look))) return {};
  } catch (const cv::Exception&) {
    // An unknown file type; said below.
  }
  return Error{fmt::format("{}: the overlay cannot be written; use a path that ends in .png",
                           path.string())};
}

std::string lower_extension(const fs::path& path) {
  std::string type = path.extension().string();
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return type;
}

std::vector<fs::path> images_in(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string type = lower_extension(entry.path());
    const bool image = type == ".jpg" || type == ".jpeg" || type == ".png" || type == ".bmp" ||
                       type == ".webp" || type == ".ppm" || type == ".pgm";
    if (image) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

void see_file(const SeeOptions& o, const vision::ReadOptions& read) {
  const auto image = vision::load_image(o.source);
  if (!image) fail(image.error());
  const auto seen = timed_look(*image, read);
  if (!seen) fail(seen.error());
  if (!o.overlay.empty()) {
    if (const auto done = write_overlay(*image, seen->look, o.overlay); !done) {
      fail(done.error());
    }
  }
  if (o.as_json) {
    fmt::print("{}\n", reading_json(seen->look.reading, seen->ms).dump());
  } else {
    print_reading(o.source, *seen);
  }
}

void see_folder(const SeeOptions& o, const vision::ReadOptions& read) {
  const auto images = images_in(o.source);
  if (images.empty()) fail(Error{o.source + ": no images in this folder"});
  if (!o.overlay.empty()) fs::create_directories(o.overlay);
  int failures = 0;
  for (const fs::path& path : images) {
    const auto image = vision::load_image(path);
    if (!image) {
      complain(image.error());
      ++failures;
      continue;
    }
    const auto seen = timed_look(*image, read);
    if (!seen) {
      complain(seen.error());
      ++failures;
      continue;
    }
    if (!o.overlay.empty()) {
      const fs::path target = fs::path(o.overlay) / (path.stem().string() + ".png");
      if (const auto done = write_overlay(*image, seen->look, target); !done) {
        fail(done.error());
      }
    }
    if (o.as_json) {
      Json line = reading_json(seen->look.reading, seen->ms);
      line["file"] = path.filename().string();
      fmt::print("{}\n", line.dump());
    } else {
      print_reading(path.filename().string(), *seen);
    }
  }
  if (failures > 0) {
    fail(Error{fmt::format("{} of {} images could not be read", failures, images.size())});
  }
}

// Reads every labelled photograph of a folder and compares.
void see_expected(const SeeOptions& o, const vision::ReadOptions& read) {
  const auto text = read_text_file(o.expect, kLabelBytes);
  if (!text) fail(text.error());
  const auto labels = vision::parse_labels(*text);
  if (!labels) fail(Error{o.expect + ": " + labels.error().message});
  vision::Tally all;
  std::map<std::string, vision::Tally> groups;
  double total_ms = 0;
  int timed = 0;
  for (const vision::PhotoLabel& label : *labels) {
    const fs::path path = fs::path(o.source) / label.file;
    cell::BoardReading reading;
    double ms = 0;
    if (const auto image = vision::load_image(path); !image) {
      complain(image.error());
      reading.board.fill(cell::CellContent::kHidden);
    } else {
      const auto seen = timed_look(*image, read);
      if (!seen) fail(seen.error());
      reading = seen->look.reading;
      ms = seen->ms;
      total_ms += ms;
      ++timed;
      if (!o.overlay.empty()) {
        fs::create_directories(o.overlay);
        const fs::path target = fs::path(o.overlay) / (path.stem().string() + ".png");
        if (const auto done = write_overlay(*image, seen->look, target); !done) {
          fail(done.error());
        }
      }
    }
    const bool right = vision::add_to_tally(label, reading, all);
    vision::add_to_tally(label, reading, groups[label.group]);
    if (o.as_json) {
      Json line = reading_json(reading, ms);
      line["file"] = label.file;
      line["right"] = right;
      fmt::print("{}\n", line.dump());
    } else if (!right) {
      fmt::print("{}: {}\n  read     {}\n  expected {}\n", label.file, sight_text(reading.sight),
                 board_text(reading.board), board_text(label.board));
    }
  }
  const double mean_ms = timed > 0 ? total_ms / timed : 0;
  if (o.as_json) {
    // Written by hand to keep this order of keys.
    fmt::print(
        R"({{"photos":{},"exact":{},"cells":{},"cells_right":{},"confident_wrong":{},"refused":{},)"
        R"("mean_ms":{:.2f},"confident_wrong_cells":{},"must_refuse":{},"must_refuse_right":{}}})"
        "\n",
        all.photos, all.exact, all.cells, all.cells_right, all.confident_wrong, all.refused,
        mean_ms, all.confident_wrong_cells, all.must_refuse, all.must_refuse_right);
    return;
  }
  const auto share = [](int a, int b) { return b > 0 ? 100.0 * a / b : 0.0; };
  fmt::print("{:<44} {:>7} {:>7} {:>8} {:>7} {:>8}\n", "source", "photos", "exact", "cells %",
             "refused", "wrong+ok");
  groups["all"] = all;
  for (const auto& [name, t] : groups) {
    if (name == "all") continue;
    fmt::print("{:<44} {:>7} {:>7} {:>8.2f} {:>7} {:>8}\n", name, t.photos, t.exact,
               share(t.cells_right, t.cells), t.refused, t.confident_wrong);
  }
  fmt::print("{:<44} {:>7} {:>7} {:>8.2f} {:>7} {:>8}\n", "all", all.photos, all.exact,
             share(all.cells_right, all.cells), all.refused, all.confident_wrong);
  fmt::print("boards exact {:.1f} %, {:.1f} ms a photograph\n", share(all.exact, all.photos),
             mean_ms);
}

// Is the gripper where it should be? Exit code 1 when it is not.
void see_gripper(const SeeOptions& o, const vision::ReadOptions& read) {
  const cv::Mat image = first_image(o.source);
  const auto look = vision::look_at_board(image, read);
  if (!look) fail(look.error());
  if (!look->geometry) fail(Error{"there is no board to be seen"});
  const auto sight =
      vision::check_gripper(image, *look->geometry, o.gripper - 1, {.column_pitch_mm = o.pitch_mm});
  if (!sight) {
    fail(Error{"the gripper's marker, a magenta square on a white one, is not to be seen"});
  }
  if (o.as_json) {
    fmt::print("{}\n", Json{{"column", rounded(sight->column + 1, 100)},
                            {"off_mm", rounded(sight->off_mm, 10)},
                            {"height_mm", rounded(sight->height_mm, 10)},
                            {"over_column", sight->over_column}}
                           .dump());
  } else {
    fmt::print("the gripper is {:.1f} mm to the {} of column {}, {:.0f} mm above the top row\n",
               std::abs(sight->off_mm), sight->off_mm < 0 ? "left" : "right", o.gripper,
               sight->height_mm);
  }
  if (!sight->over_column) fail(Error{"do not let go: the disc would miss its column"});
}

void run(const SeeOptions& o) {
  cv::setNumThreads(1);  // one look is short; cores are for other work
  vision::ReadOptions read;
  if (!o.calibration.empty()) {
    auto calibration = vision::load_calibration(o.calibration);
    if (!calibration) fail(calibration.error());
    read.calibration = *calibration;
  }
  std::error_code code;
  if (o.calibrate) {
    calibrate_eyes(first_image(o.source), o.save);
  } else if (o.gripper != 0) {
    see_gripper(o, read);
  } else if (!o.expect.empty()) {
    see_expected(o, read);
  } else if (is_video(o.source)) {
    see_film({.source = o.source, .as_json = o.as_json, .referee = o.referee, .frames = o.frames},
             read);
  } else if (fs::is_directory(o.source, code)) {
    see_folder(o, read);
  } else {
    see_file(o, read);
  }
}

}  // namespace

void add_see_command(CLI::App& app) {
  auto o = std::make_shared<SeeOptions>();
  CLI::App* see = app.add_subcommand("see", "Read a board from a photograph, a folder or a camera");
  see->add_option("source", o->source, "an image, a folder of images, a film, or /dev/videoN")
      ->required();
  see->add_flag("--json", o->as_json, "one line of JSON for each reading");
  see->add_option("--overlay", o->overlay,
                  "draw what was seen into this image (for a folder: into this folder)");
  see->add_option("--expect", o->expect, "compare with this label file and report the accuracy");
  see->add_option("--calibration", o->calibration, "use what --calibrate has saved");
  see->add_flag("--calibrate", o->calibrate, "ask for corners and colours, and save them");
  see->add_option("--save", o->save, "where --calibrate saves")->capture_default_str();
  see->add_option("--frames", o->frames, "stop after this many frames of a camera; 0: never")
      ->check(CLI::NonNegativeNumber);
  see->add_flag("--referee", o->referee, "in a film, also say when a colour plays out of turn");
  see->add_option("--gripper", o->gripper, "is the gripper's marker over this column?")
      ->check(CLI::Range(1, 7));
  see->add_option("--pitch-mm", o->pitch_mm, "from column to column, for --gripper")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
  see->callback([o] { run(*o); });
}

}  // namespace rowbot::app
