#include "robot/vision/tracker.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "robot/vision/image_file.h"
#include "robot/vision/rims.h"

namespace rowbot::vision {
namespace {

using cell::BoardCells;
using cell::CellContent;
using cell::Sight;

bool disc(CellContent c) { return c == CellContent::kFirst || c == CellContent::kSecond; }

// A lens cap, a hand on the lens, a dark room: one surface without edges.
bool covered(const cv::Mat& image) {
  // A grid of pixels is enough to see whether there is anything to see.
  constexpr int kGrid = 24;
  cv::Mat_<cv::Vec3b> few(kGrid, kGrid);
  for (int y = 0; y < kGrid; ++y) {
    for (int x = 0; x < kGrid; ++x) {
      few(y, x) = image.at<cv::Vec3b>((2 * y + 1) * image.rows / (2 * kGrid),
                                      (2 * x + 1) * image.cols / (2 * kGrid));
    }
  }
  cv::Scalar mean;
  cv::Scalar deviation;
  cv::meanStdDev(few, mean, deviation);
  return std::max({deviation[0], deviation[1], deviation[2]}) < 9;
}

double pitch_px(const BoardGeometry& g) { return cv::norm(g.center(3, 2) - g.center(2, 2)); }

// Largest shift of a corner cell, in pitches.
double shift(const BoardGeometry& a, const BoardGeometry& b) {
  double worst = 0;
  for (const auto& [c, r] :
       {std::pair(0, 0), {kColumns - 1, 0}, {0, kRows - 1}, {kColumns - 1, kRows - 1}}) {
    worst = std::max(worst, cv::norm(a.center(c, r) - b.center(c, r)) / pitch_px(a));
  }
  return worst;
}

constexpr double kMovedPitches = 0.2;  // less is the noise of finding the board
constexpr double kStirred = 14;        // Lab distance of a cell from one frame to the next

}  // namespace

std::string_view event_text(EyeEventKind kind) {
  switch (kind) {
    case EyeEventKind::kBoardFound:
      return "board found";
    case EyeEventKind::kDrop:
      return "drop";
    case EyeEventKind::kVanished:
      return "vanished";
    case EyeEventKind::kTwoAtOnce:
      return "two at once";
    case EyeEventKind::kHand:
      return "hand";
    case EyeEventKind::kHandGone:
      return "hand gone";
    case EyeEventKind::kBoardMoved:
      return "board moved";
    case EyeEventKind::kCovered:
      return "covered";
  }
  return "";
}

Tracker::Tracker(TrackerOptions options) : options_(std::move(options)) {
  options_.looks = std::max(2, options_.looks);
  if (options_.calibration) {
    first_ = options_.calibration->first;
    second_ = options_.calibration->second;
  }
}

void Tracker::note(EyeEventKind kind, std::vector<EyeEvent>& events) const {
  events.push_back({.kind = kind, .board = believed_.value_or(BoardCells{})});
}

bool Tracker::agreed(Waiting<EyeEventKind>& waiting, EyeEventKind kind) const {
  if (waiting.what != kind) waiting = {.what = kind, .seen = 0};
  return ++waiting.seen == options_.looks;
}

Result<std::vector<EyeEvent>> Tracker::look(const cv::Mat& frame) {
  const auto image = to_bgr(frame);
  if (!image) return image.error();
  std::vector<EyeEvent> events;
  reading_ = {};
  reading_.board.fill(CellContent::kHidden);
  reading_.raw.fill(CellContent::kHidden);
  if (covered(*image)) {
    change_ = {};
    last_looks_.clear();
    if (agreed(obstacle_, EyeEventKind::kCovered)) {
      obstructed_ = EyeEventKind::kCovered;
      note(EyeEventKind::kCovered, events);
    }
    return events;
  }
  if (geometry_) {
    follow(*image, events);
  } else {
    find(*image, events);
  }
  return events;
}

void Tracker::find(const cv::Mat& image, std::vector<EyeEvent>& events) {
  auto seen = look_at_board(image, {.calibration = options_.calibration});
  if (!seen || !seen->geometry) {
    change_ = {};
    return;
  }
  reading_ = seen->reading;
  const bool same_place = place_.what && shift(*place_.what, *seen->geometry) < kMovedPitches;
  place_.what = seen->geometry;
  const bool clear = std::find(reading_.board.begin(), reading_.board.end(),
                               CellContent::kHidden) == reading_.board.end();
  if (!clear || !same_place || change_.what != reading_.board) {
    change_ = {.what = clear ? std::optional(reading_.board) : std::nullopt, .seen = 1};
    return;
  }
  if (++change_.seen < options_.looks) return;
  geometry_ = seen->geometry;
  support_ = rim_support(image, *geometry_);
  believed_ = reading_.board;
  learn_colours(*seen);
  change_ = {};
  place_ = {};
  note(EyeEventKind::kBoardFound, events);
}

// Once both colours were seen for sure they are remembered: from then on a
// frame takes milliseconds and A stays A.
void Tracker::learn_colours(const Look& look) {
  if (first_ && second_) return;
  if (look.reading.sight != Sight::kGood || !look.first || !look.second) return;
  first_ = look.first;
  second_ = look.second;
}

// While only one colour is on the board it is A; the second may be darker and would take that name.
void Tracker::keep_names(Look& look) const {
  if (first_ && second_) return;
  int kept = 0;
  for (std::size_t i = 0; i < kCells; ++i) {
    if (!disc((*believed_)[i]) || !disc(look.reading.board[i])) continue;
    kept += (*believed_)[i] == look.reading.board[i] ? 1 : -1;
  }
  if (kept >= 0) return;
  for (BoardCells* cells : {&look.reading.board, &look.reading.raw}) {
    for (CellContent& c : *cells) {
      if (disc(c)) c = c == CellContent::kFirst ? CellContent::kSecond : CellContent::kFirst;
    }
  }
  std::swap(look.first, look.second);
  std::swap(look.reading.first_colour, look.reading.second_colour);
}

// The network's word about cells that have not changed still holds.
void Tracker::ask_network(const cv::Mat& image, BoardLook& cells) {
  bool same = asked_.has_value();
  for (std::size_t i = 0; same && i < kCells; ++i) {
    same = cv::norm(cells.cells[i].inner - asked_->cells[i].inner) < kStirred / 2;
  }
  if (same) {
    cells.disc_odds = asked_->disc_odds;
    cells.no_cell_odds = asked_->no_cell_odds;
    return;
  }
  ask_cell_network(image, *geometry_, cells);
  asked_ = cells;
}

void Tracker::follow(const cv::Mat& image, std::vector<EyeEvent>& events) {
  // Does the board still stand where it stood?
  if (rim_support(image, *geometry_) < 0.75 * support_) {
    const auto found = find_board(image);
    if (found && shift(*geometry_, found->geometry) > kMovedPitches) {
      reading_.sight = Sight::kMoving;
      const bool same = place_.what && shift(*place_.what, found->geometry) < kMovedPitches;
      place_ = {.what = found->geometry, .seen = same ? place_.seen + 1 : 1};
      if (place_.seen >= options_.looks) {
        geometry_ = found->geometry;
        support_ = rim_support(image, *geometry_);
        place_ = {};
        change_ = {};
        last_looks_.clear();
        asked_.reset();
        believed_looks_.clear();
        note(EyeEventKind::kBoardMoved, events);
      }
      return;
    }
  } else {
    place_ = {};
  }

  BoardLook cells = look_at_cells(image, *geometry_);
  DecodeHints hints{.last = believed_, .changed = changed_cell(cells)};
  if (first_ && second_) {
    hints.first = first_;
    hints.second = second_;
  } else {
    ask_network(image, cells);
  }
  Look seen = look_at_cells_of(cells, *geometry_, hints);
  keep_names(seen);
  reading_ = seen.reading;

  bool stirred = last_looks_.size() != kCells;
  std::vector<Lab> looks;
  for (std::size_t i = 0; i < kCells; ++i) {
    looks.push_back(cells.cells[i].inner);
    if (!stirred && cv::norm(looks[i] - last_looks_[i]) > kStirred) stirred = true;
  }
  last_looks_ = std::move(looks);

  const bool hidden = std::find(reading_.board.begin(), reading_.board.end(),
                                CellContent::kHidden) != reading_.board.end();
  if (hidden) {
    change_ = {};
    if (obstructed_ != EyeEventKind::kHand && agreed(obstacle_, EyeEventKind::kHand)) {
      obstructed_ = EyeEventKind::kHand;
      note(EyeEventKind::kHand, events);
    }
    return;
  }
  if (stirred) {
    reading_.sight = Sight::kMoving;
    change_ = {};
    return;
  }
  if (obstructed_) {
    if (!agreed(obstacle_, EyeEventKind::kHandGone)) return;
    obstructed_.reset();
    note(EyeEventKind::kHandGone, events);
  }
  obstacle_ = {};
  learn_colours(seen);
  settle(reading_.board, hints.changed, events);
}

// The one cell that looks different from when the board was as it is believed.
std::optional<std::size_t> Tracker::changed_cell(const BoardLook& cells) const {
  if (believed_looks_.size() != kCells) return std::nullopt;
  std::optional<std::size_t> changed;
  for (std::size_t i = 0; i < kCells; ++i) {
    const double moved = cv::norm(cells.cells[i].inner - believed_looks_[i]);
    if (moved < kStirred / 2) continue;
    if (changed || moved < kStirred) return std::nullopt;
    changed = i;
  }
  return changed;
}

void Tracker::settle(const BoardCells& board, std::optional<std::size_t> changed,
                     std::vector<EyeEvent>& events) {
  if (board == *believed_) {
    change_ = {};
    believed_looks_ = last_looks_;
    return;
  }
  if (change_.what != board) change_ = {.what = board, .seen = 0};
  // A change that is not sure cell by cell needs a clearer look, unless the film shows what one
  // picture cannot: a cell that changed by itself. That needs more looks.
  bool sure = true;
  bool shown = changed.has_value();
  for (std::size_t i = 0; i < kCells; ++i) {
    if (board[i] == (*believed_)[i]) continue;
    sure = sure && reading_.confidence[i] >= kSureCell;
    shown = shown && changed == i && (*believed_)[i] == CellContent::kEmpty;
  }
  if (!sure && !shown) return;
  if (++change_.seen < (sure ? 1 : 2) * options_.looks) return;

  std::vector<std::size_t> added;
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < kCells; ++i) {
    const CellContent was = (*believed_)[i];
    if (was == board[i]) continue;
    (disc(was) ? lost : added).push_back(i);
  }
  believed_ = board;
  change_ = {};
  const auto column = [](std::size_t i) { return static_cast<int>(i % kColumns); };
  if (!lost.empty()) {
    events.push_back(
        {.kind = EyeEventKind::kVanished, .column = column(lost.front()), .board = board});
  }
  if (added.size() == 1) {
    events.push_back({.kind = EyeEventKind::kDrop,
                      .column = column(added.front()),
                      .content = board[added.front()],
                      .board = board});
  } else if (added.size() > 1) {
    note(EyeEventKind::kTwoAtOnce, events);
  }
}

}  // namespace rowbot::vision
