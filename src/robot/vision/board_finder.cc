#include "robot/vision/board_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "robot/vision/lattice.h"
#include "robot/vision/rims.h"

namespace rowbot::vision {
namespace {

double median(std::vector<double>& v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

// The board whose top left cell is the lattice node (left, top).
BoardGeometry geometry_of(const Lattice& lattice, int left, int top) {
  BoardGeometry g;
  const cv::Matx33d& h = lattice.image_from_lattice;
  g.image_from_board = h * cv::Matx33d(1, 0, left, 0, 1, top, 0, 0, 1);
  std::vector<double> rx;
  std::vector<double> ry;
  for (const LatticeNode& n : lattice.nodes) {
    // The ellipse of the hole in units of the lattice around it.
    const double c = n.column;
    const double r = n.row;
    const cv::Point2d dx = (project(h, c + 0.1, r) - project(h, c - 0.1, r)) * 5.0;
    const cv::Point2d dy = (project(h, c, r + 0.1) - project(h, c, r - 0.1)) * 5.0;
    const cv::Matx22d inverse = cv::Matx22d(dx.x, dy.x, dx.y, dy.y).inv();
    const cv::Matx22d shape = inverse * cv::Matx22d(n.hole.shape) * inverse.t();
    rx.push_back(std::sqrt(std::max(0.0, shape(0, 0))));
    ry.push_back(std::sqrt(std::max(0.0, shape(1, 1))));
  }
  g.radius_x = median(rx);
  g.radius_y = median(ry);
  return g;
}

struct Span {
  int low = 1000;
  int high = -1000;
  void add(int v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  [[nodiscard]] int size() const { return high - low + 1; }
  // Where a window of `length` may start so that it covers most of the span.
  [[nodiscard]] Span starts(int length) const {
    const int last = high - length + 1;
    return {std::min(last, low), std::max(last, low)};
  }
};

// Tries every 7x6 window of the lattice and keeps the one whose cells look
// like holes and whose surroundings do not.
std::optional<FoundBoard> best_window(const cv::Mat& image, const Lattice& lattice) {
  Span columns;
  Span rows;
  std::vector<cv::Point> nodes;
  for (const LatticeNode& n : lattice.nodes) {
    columns.add(n.column);
    rows.add(n.row);
    nodes.emplace_back(n.column, n.row);
  }
  if (columns.size() < 3 || rows.size() < 3 || columns.size() > 12 || rows.size() > 12) {
    return std::nullopt;
  }
  const RimJudge judge(image, geometry_of(lattice, 0, 0), nodes);
  const Span lefts = columns.starts(kColumns);
  const Span tops = rows.starts(kRows);
  std::optional<FoundBoard> best;
  double best_value = -1e9;
  for (int left = lefts.low; left <= lefts.high; ++left) {
    for (int top = tops.low; top <= tops.high; ++top) {
      FoundBoard found;
      double inside = 0;
      std::array<double, kRows> row_score{};
      std::array<double, kColumns> column_score{};
      for (int r = 0; r < kRows; ++r) {
        for (int c = 0; c < kColumns; ++c) {
          const auto s = judge.score(left + c, top + r);
          if (!s) ++found.outside;
          inside += s.value_or(0);
          row_score[static_cast<std::size_t>(r)] += s.value_or(0) / kColumns;
          column_score[static_cast<std::size_t>(c)] += s.value_or(0) / kRows;
        }
      }
      // Holes that the lattice has beyond the window, line by line.
      int stray = 0;
      std::array<int, 4> next_line{};
      std::array<int, kRows> row_holes{};
      std::array<int, kColumns> column_holes{};
      for (const cv::Point& n : nodes) {
        const int c = n.x - left;
        const int r = n.y - top;
        const bool in_columns = c >= 0 && c < kColumns;
        const bool in_rows = r >= 0 && r < kRows;
        ++(in_columns && in_rows ? found.holes : stray);
        if (in_columns && in_rows) {
          ++row_holes[static_cast<std::size_t>(r)];
          ++column_holes[static_cast<std::size_t>(c)];
        }
        if (in_columns && r == -1) ++next_line[0];
        if (in_columns && r == kRows) ++next_line[1];
        if (in_rows && c == -1) ++next_line[2];
        if (in_rows && c == kColumns) ++next_line[3];
      }
      // A line without ellipses needs very good rims: a board cut off by the image's edge or
      // lying on its side has a line of plain frame or background there.
      constexpr double kNoHoles = 0.5;
      found.weakest = 1;
      for (std::size_t r = 0; r < kRows; ++r) {
        found.weakest = std::min(found.weakest, row_score[r] - (row_holes[r] < 2 ? kNoHoles : 0));
      }
      for (std::size_t c = 0; c < kColumns; ++c) {
        found.weakest =
            std::min(found.weakest, column_score[c] - (column_holes[c] < 2 ? kNoHoles : 0));
      }
      found.beyond = std::max(static_cast<double>(std::max(next_line[0], next_line[1])) / kColumns,
                              static_cast<double>(std::max(next_line[2], next_line[3])) / kRows);
      double around = 0;
      for (int c = 0; c < kColumns; ++c) {
        for (const int r : {-1, kRows}) around += judge.score(left + c, top + r).value_or(0);
      }
      for (int r = 0; r < kRows; ++r) {
        for (const int c : {-1, kColumns}) around += judge.score(left + c, top + r).value_or(0);
      }
      const double value = inside + 0.5 * found.holes - 0.5 * stray - 0.5 * around - found.outside;
      if (value > best_value) {
        best_value = value;
        found.geometry = geometry_of(lattice, left, top);
        found.support = inside / kCells;
        best = found;
      }
    }
  }
  return best;
}

double worth(const FoundBoard& f) { return f.support * kCells + 0.5 * f.holes; }

bool is_board(const FoundBoard& f) {
  return f.holes >= 18 && f.support > 0.55 && f.weakest > 0.18 && f.beyond < 0.7 &&
         f.outside <= kCells / 3;
}

}  // namespace

std::optional<FoundBoard> find_best_lattice(const cv::Mat& image) {
  constexpr int kSmall = 480;  // small images are enlarged, small holes are hard to fit
  constexpr double kFast = 640;
  constexpr double kFull = 960;
  const int longer = std::max(image.cols, image.rows);
  std::vector<double> factors;
  if (longer < kSmall) {
    factors = {2, 1};
  } else {
    // What the quick look misses, dim frames above all, a second look at a larger size often finds.
    factors = {std::min(1.0, kFast / longer), kFull / longer};
  }
  std::optional<FoundBoard> best;
  for (const double factor : factors) {
    cv::Mat work = image;
    if (factor != 1) {
      cv::resize(image, work, cv::Size(), factor, factor,
                 factor < 1 ? cv::INTER_AREA : cv::INTER_CUBIC);
    }
    for (const Lattice& lattice : grow_lattices(find_ellipses(work))) {
      auto found = best_window(work, lattice);
      if (!found) continue;
      found->geometry = found->geometry.scaled(1 / factor);
      if (!best || worth(*found) > worth(*best)) best = found;
    }
    if (best && is_board(*best)) break;
  }
  return best;
}

std::optional<FoundBoard> find_board(const cv::Mat& image) {
  auto found = find_best_lattice(image);
  if (found && !is_board(*found)) return std::nullopt;
  return found;
}

}  // namespace rowbot::vision
