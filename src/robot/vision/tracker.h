// Turns a stream of frames into events at the board.
//
// An event is believed only when two separate looks agree, and nothing is
// decided while something moves or hides a cell: unclear stays unclear.
//
// Thread safety: none; one thread owns a tracker. look() computes on the
// calling thread: a few milliseconds once the board and both colours are known,
// a cold look (see reader.h) before that and when the board has moved.
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "robot/cell/board_reading.h"
#include "robot/vision/calibration.h"
#include "robot/vision/reader.h"

namespace rowbot::vision {

enum class EyeEventKind : std::uint8_t {
  kBoardFound,  // a board and its position are known now
  kDrop,        // one disc more, resting in `column`
  kVanished,    // one or more discs are gone or have changed; `column` of the first
  kTwoAtOnce,   // two or more discs more since the last look
  kHand,        // something is before the board
  kHandGone,    // the board is clear again
  kBoardMoved,  // the board stands elsewhere in the image; it is followed
  kCovered,     // the camera sees nothing but one surface
};

struct EyeEvent {
  EyeEventKind kind = EyeEventKind::kBoardFound;
  std::optional<int> column;                 // 0..6 as seen from the left
  std::optional<cell::CellContent> content;  // of a drop
  cell::BoardCells board{};                  // what is believed after the event

  friend bool operator==(const EyeEvent&, const EyeEvent&) = default;
};

[[nodiscard]] std::string_view event_text(EyeEventKind kind);

struct TrackerOptions {
  std::optional<Calibration> calibration;
  int looks = 2;  // that must agree
};

class Tracker {
 public:
  explicit Tracker(TrackerOptions options = {});

  /// The events that this frame settles; often none.
  [[nodiscard]] Result<std::vector<EyeEvent>> look(const cv::Mat& frame);

  /// The position that is believed; nothing before the board was found.
  [[nodiscard]] const std::optional<cell::BoardCells>& board() const { return believed_; }
  /// The last frame by itself, believed or not.
  [[nodiscard]] const cell::BoardReading& reading() const { return reading_; }
  [[nodiscard]] const std::optional<BoardGeometry>& geometry() const { return geometry_; }

 private:
  // A finding that must be seen `looks` times in a row.
  template <class T>
  struct Waiting {
    std::optional<T> what;
    int seen = 0;
  };

  void find(const cv::Mat& image, std::vector<EyeEvent>& events);
  void follow(const cv::Mat& image, std::vector<EyeEvent>& events);
  void settle(const cell::BoardCells& board, std::optional<std::size_t> changed,
              std::vector<EyeEvent>& events);
  void keep_names(Look& look) const;
  [[nodiscard]] std::optional<std::size_t> changed_cell(const BoardLook& cells) const;
  void learn_colours(const Look& look);
  void ask_network(const cv::Mat& image, BoardLook& cells);
  void note(EyeEventKind kind, std::vector<EyeEvent>& events) const;
  bool agreed(Waiting<EyeEventKind>& waiting, EyeEventKind kind) const;

  TrackerOptions options_;
  std::optional<BoardGeometry> geometry_;
  double support_ = 0;  // of the rims when the board was found
  std::optional<DiscLook> first_;
  std::optional<DiscLook> second_;
  std::optional<cell::BoardCells> believed_;
  cell::BoardReading reading_;
  std::optional<BoardLook> asked_;   // what the cell network was asked about last
  std::vector<Lab> last_looks_;      // middles of the cells in the last frame
  std::vector<Lab> believed_looks_;  // the same when the board was last as it is believed
  Waiting<cell::BoardCells> change_;
  Waiting<BoardGeometry> place_;
  Waiting<EyeEventKind> obstacle_;
  std::optional<EyeEventKind> obstructed_;  // kHand or kCovered while it lasts
};

}  // namespace rowbot::vision
