#include "see_film.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

#include "commands.h"
#include "json.h"
#include "output.h"
#include "robot/vision/image_file.h"
#include "robot/vision/tracker.h"
#include "robot/vision/video_camera.h"

namespace rowbot::app {
namespace {

using cell::CellContent;

// Whose turn it is, as far as the discs tell: the colours alternate, and a position with one disc
// more of a colour has the other one to move.
class Turns {
 public:
  void see(const cell::BoardCells& board) {
    const auto count = [&board](CellContent c) {
      return std::count(board.begin(), board.end(), c);
    };
    const auto ahead = count(CellContent::kFirst) - count(CellContent::kSecond);
    last_.reset();
    if (ahead == 1) last_ = CellContent::kFirst;
    if (ahead == -1) last_ = CellContent::kSecond;
  }
  // True when this colour had no right to play now.
  bool play(CellContent colour) {
    const bool wrong = last_ == colour;
    last_ = colour;
    return wrong;
  }

 private:
  std::optional<CellContent> last_;
};

class EventPrinter {
 public:
  explicit EventPrinter(bool as_json) : as_json_(as_json) {}

  void print(std::string_view event, const vision::EyeEvent& e, int frame, double seconds) const {
    const char disc = e.content == CellContent::kFirst ? 'A' : 'B';
    if (as_json_) {
      Json line = {{"event", event},
                   {"frame", frame},
                   {"seconds", std::round(seconds * 1000) / 1000},
                   {"board", board_text(e.board)}};
      if (e.column) line["column"] = *e.column + 1;
      if (e.content) line["disc"] = std::string(1, disc);
      fmt::print("{}\n", line.dump());
    } else {
      fmt::print("{:8.2f} s  {}{}{}  {}\n", seconds, event,
                 e.content ? fmt::format(" {}", disc) : "",
                 e.column ? fmt::format(" in column {}", *e.column + 1) : "", board_text(e.board));
    }
    flush_output();
  }

 private:
  bool as_json_;
};

}  // namespace

bool is_video(const std::string& source) {
  if (source.starts_with("/dev/video")) return true;
  std::string type = std::filesystem::path(source).extension().string();
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return type == ".mp4" || type == ".avi" || type == ".mkv" || type == ".mov" || type == ".webm";
}

void see_film(const FilmOptions& o, const vision::ReadOptions& read) {
  auto camera = vision::VideoCamera::open(o.source);
  if (!camera) fail(camera.error());
  vision::Tracker tracker({.calibration = read.calibration});
  const EventPrinter printer(o.as_json);
  Turns turns;
  for (int n = 0; o.frames == 0 || n < o.frames; ++n) {
    const auto frame = (*camera)->grab();
    if (!frame) {
      if (n == 0) fail(frame.error());
      return;  // the film is over
    }
    const auto image = vision::image_of(*frame);
    if (!image) fail(image.error());
    const auto events = tracker.look(*image);
    if (!events) fail(events.error());
    for (const vision::EyeEvent& e : *events) {
      const double seconds = frame->time.count();
      printer.print(event_text(e.kind), e, n, seconds);
      if (!o.referee) continue;
      if (e.kind != vision::EyeEventKind::kDrop) {
        if (e.kind != vision::EyeEventKind::kHand && e.kind != vision::EyeEventKind::kHandGone) {
          turns.see(e.board);
        }
      } else if (turns.play(*e.content)) {
        printer.print("out of turn", e, n, seconds);
      }
    }
  }
}

cv::Mat first_image(const std::string& source) {
  if (!is_video(source)) {
    auto image = vision::load_image(source);
    if (!image) fail(image.error());
    return *image;
  }
  auto camera = vision::VideoCamera::open(source);
  if (!camera) fail(camera.error());
  // The first frames of a camera are often dark.
  cv::Mat out;
  for (int i = 0; i < 10; ++i) {
    const auto frame = (*camera)->grab();
    if (!frame) {
      if (out.empty()) fail(frame.error());
      break;
    }
    const auto image = vision::image_of(*frame);
    if (!image) fail(image.error());
    out = image->clone();
  }
  return out;
}

}  // namespace rowbot::app
