#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "fmt/core.h"
#include "lab/experiments/report.h"

namespace rowbot::lab {
namespace {

// Pixels of the drawing; the page scales it to the width it has.
constexpr double kWidth = 760;
constexpr double kHeight = 380;
constexpr double kLeft = 64;
constexpr double kRight = 16;
constexpr double kTop = 44;
constexpr double kBottom = 56;
/// Colours of the style sheet; more series begin again.
constexpr std::size_t kColours = 9;
/// Lines with more places than this are curves: a band instead of whiskers, and few labels.
constexpr std::size_t kMostMarkedPlaces = 12;
constexpr double kLetterWidth = 6.6;

bool is_curve(const Chart& chart) {
  return chart.kind == Chart::Kind::kLines &&
         chart.series.front().points.size() > kMostMarkedPlaces;
}

struct Axis {
  double low = 0;
  double high = 1;
  double step = 0.2;

  /// Where the lines of the grid stand; never more than a page can hold.
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> all;
    for (int i = 0; i <= 20 && low + i * step <= high + step / 2; ++i)
      all.push_back(low + i * step);
    return all;
  }
};

/// A round step, about six of them in the range.
Axis rounded_axis(double low, double high) {
  if (!(high > low)) high = low + std::max(1.0, 1e-3 * std::abs(low));
  const double rough = (high - low) / 6;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  }
  return {.low = std::floor(low / step + 1e-9) * step,
          .high = std::ceil(high / step - 1e-9) * step,
          .step = step};
}

Axis value_axis(const Chart& chart) {
  const bool from_zero = chart.kind != Chart::Kind::kRanking && !is_curve(chart);
  double low = from_zero ? 0 : std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      for (const auto& y : {std::optional(point.y), point.low, point.high, point.paper}) {
        if (!y) continue;
        low = std::min(low, *y);
        high = std::max(high, *y);
      }
    }
  }
  if (low > high) low = high = 0;
  Axis axis = rounded_axis(chart.y_low.value_or(low), chart.y_high.value_or(high));
  if (chart.y_low) axis.low = *chart.y_low;
  if (chart.y_high) axis.high = *chart.y_high;
  return axis;
}

std::string number_text(double value) {
  if (std::abs(value) >= 1e6) return fmt::format("{:.4g} M", value / 1e6);
  if (std::abs(value) >= 1e4) return fmt::format("{:.4g} k", value / 1e3);
  return fmt::format("{:.4g}", value == 0 ? 0.0 : value);
}

std::string line(std::string_view style, double x1, double y1, double x2, double y2) {
  return fmt::format(R"(<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)", style,
                     x1, y1, x2, y2);
}

std::string label(std::string_view anchor, double x, double y, std::string_view text,
                  std::string_view extra = "") {
  return fmt::format(R"(<text text-anchor="{}" x="{:.1f}" y="{:.1f}"{}>{}</text>)", anchor, x, y,
                     extra, escaped_html(text));
}

std::string hint(const Series& series, const Point& point) {
  std::string text = fmt::format("{}, {}: {}", series.name, point.label, number_text(point.y));
  if (point.low && point.high) {
    text += fmt::format(" ({} to {})", number_text(*point.low), number_text(*point.high));
  }
  if (point.paper) text += fmt::format("; paper: {}", number_text(*point.paper));
  return fmt::format("<title>{}</title>", escaped_html(text));
}

std::string diamond(double x, double y) {
  return fmt::format(
      R"(<path class="paper" d="M{:.1f} {:.1f}l5 5l-5 5l-5 -5z"><title>paper</title></path>)", x,
      y - 5);
}

bool has_paper(const Chart& chart) {
  return std::any_of(chart.series.begin(), chart.series.end(), [](const Series& series) {
    return std::any_of(series.points.begin(), series.points.end(),
                       [](const Point& point) { return point.paper.has_value(); });
  });
}

std::string legend(const Chart& chart) {
  std::string svg;
  double x = kLeft;
  if (chart.series.size() > 1) {
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
      svg += fmt::format(R"(<rect class="s{}" x="{:.1f}" y="28" width="11" height="11" rx="2"/>)",
                         i % kColours, x);
      svg += label("start", x + 16, 38, chart.series[i].name);
      x += 34 + kLetterWidth * static_cast<double>(chart.series[i].name.size());
    }
  }
  if (has_paper(chart)) {
    const bool fits = x + 60 < kWidth;  // else it stands a line higher, beside the title
    svg += diamond(fits ? x + 6 : kWidth - kRight - 50, fits ? 33.5 : 12);
    svg += label("start", fits ? x + 17 : kWidth - kRight - 39, fits ? 38 : 16, "paper");
  }
  return svg;
}

/// Where values and places lie in a chart with a vertical value axis.
struct Frame {
  Axis axis;
  std::size_t places = 1;

  [[nodiscard]] double y(double value) const {
    const double share =
        (std::clamp(value, axis.low, axis.high) - axis.low) / (axis.high - axis.low);
    return kHeight - kBottom - share * (kHeight - kBottom - kTop);
  }
  [[nodiscard]] double room() const {
    return (kWidth - kLeft - kRight) / static_cast<double>(places);
  }
  [[nodiscard]] double x(std::size_t place) const {
    return kLeft + room() * (static_cast<double>(place) + 0.5);
  }
};

std::string whisker(double x, double low, double high) {
  return line("whisker", x, low, x, high) + line("whisker", x - 4, low, x + 4, low) +
         line("whisker", x - 4, high, x + 4, high);
}

std::string axis_titles(const Chart& chart) {
  const double middle = (kTop + kHeight - kBottom) / 2;
  return label("middle", (kLeft + kWidth - kRight) / 2, kHeight - 10, chart.x_title,
               R"( class="quiet")") +
         label("middle", 14, middle, chart.y_title,
               fmt::format(R"x( class="quiet" transform="rotate(-90 14 {:.1f})")x", middle));
}

/// Every so manyth, counted from the last, so that they stand upright and apart.
std::string few_labels(const Chart& chart, const Frame& frame) {
  const auto& points = chart.series.front().points;
  std::size_t longest = 1;
  for (const Point& point : points) longest = std::max(longest, point.label.size());
  const double needed = kLetterWidth * static_cast<double>(longest + 2);
  std::size_t every = 1;
  while (static_cast<double>(every) * frame.room() < needed || (every > 1 && every % 5 != 0)) {
    ++every;
  }
  std::string svg;
  for (std::size_t i = points.size() % every == 0 ? every - 1 : (points.size() - 1) % every;
       i < points.size(); i += every) {
    svg += label("middle", frame.x(i), kHeight - kBottom + 17, points[i].label);
  }
  return svg;
}

std::string grid(const Chart& chart, const Frame& frame) {
  std::string svg;
  for (const double v : frame.axis.ticks()) {
    svg += line("grid", kLeft, frame.y(v), kWidth - kRight, frame.y(v));
    svg += label("end", kLeft - 8, frame.y(v) + 4, number_text(v));
  }
  const auto& points = chart.series.front().points;
  const bool slanted = std::any_of(points.begin(), points.end(), [&](const Point& point) {
    return static_cast<double>(point.label.size()) * kLetterWidth > frame.room();
  });
  if (is_curve(chart)) return svg + few_labels(chart, frame) + axis_titles(chart);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double y = kHeight - kBottom + 17;
    svg += slanted
               ? label("end", frame.x(i), y, points[i].label,
                       fmt::format(R"x( transform="rotate(-25 {:.1f} {:.1f})")x", frame.x(i), y))
               : label("middle", frame.x(i), y, points[i].label);
  }
  return svg + axis_titles(chart);
}

std::string bars(const Chart& chart, const Frame& frame) {
  std::string svg;
  const double slot = 0.72 * frame.room() / static_cast<double>(chart.series.size());
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const Series& series = chart.series[s];
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const Point& point = series.points[i];
      const double left = frame.x(i) - 0.36 * frame.room() + slot * static_cast<double>(s);
      const double width = std::min(slot * 0.9, 60.0);
      const double x = left + (slot - width) / 2;
      const double top = std::min(frame.y(point.y), frame.y(std::max(0.0, frame.axis.low)));
      const double bottom = std::max(frame.y(point.y), frame.y(std::max(0.0, frame.axis.low)));
      svg += fmt::format(
          R"(<rect class="s{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2">{}</rect>)",
          s % kColours, x, top, width, std::max(bottom - top, 1.0), hint(series, point));
      const double centre = x + width / 2;
      if (point.low && point.high)
        svg += whisker(centre, frame.y(*point.low), frame.y(*point.high));
      if (point.paper) svg += diamond(centre, frame.y(*point.paper));
    }
  }
  return svg;
}

std::string lines(const Chart& chart, const Frame& frame) {
  std::string svg;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const Series& series = chart.series[s];
    // Series stand a little apart, so that their error bars can be told from each other.
    const double shift =
        7 * (static_cast<double>(s) - (static_cast<double>(chart.series.size()) - 1) / 2);
    std::string path;
    std::string marks;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const Point& point = series.points[i];
      const double x = frame.x(i) + shift;
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x, frame.y(point.y));
      if (point.low && point.high) marks += whisker(x, frame.y(*point.low), frame.y(*point.high));
      marks += fmt::format(R"(<circle class="s{}" cx="{:.1f}" cy="{:.1f}" r="4.5">{}</circle>)",
                           s % kColours, x, frame.y(point.y), hint(series, point));
      if (point.paper) marks += diamond(x, frame.y(*point.paper));
    }
    svg += fmt::format(R"(<path class="line l{}" d="{}"/>)", s % kColours, path) + marks;
  }
  return svg;
}

/// Bands lie below all lines.
std::string curves(const Chart& chart, const Frame& frame) {
  std::string bands;
  std::string paths;
  std::string marks;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const Series& series = chart.series[s];
    std::string path;
    std::string upper;
    std::string lower;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const Point& point = series.points[i];
      const double x = frame.x(i);
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x, frame.y(point.y));
      if (point.low && point.high) {
        upper += fmt::format("{}{:.1f} {:.1f}", upper.empty() ? "M" : "L", x, frame.y(*point.high));
        lower.insert(0, fmt::format("L{:.1f} {:.1f}", x, frame.y(*point.low)));
      }
      marks += fmt::format(R"(<circle class="s{}" cx="{:.1f}" cy="{:.1f}" r="2">{}</circle>)",
                           s % kColours, x, frame.y(point.y), hint(series, point));
      if (point.paper) marks += diamond(x + 9, frame.y(*point.paper));
    }
    if (!upper.empty()) {
      bands += fmt::format(R"(<path class="band s{}" d="{}{}z"/>)", s % kColours, upper, lower);
    }
    paths += fmt::format(R"(<path class="line l{}" d="{}"/>)", s % kColours, path);
  }
  return bands + paths + marks;
}

/// One horizontal line a place, the best on top: for long names.
std::string ranking_svg(const Chart& chart) {
  constexpr double kNames = 250;
  constexpr double kRow = 24;
  const auto& points = chart.series.front().points;
  const double height = kTop + kRow * static_cast<double>(points.size()) + kBottom;
  const Axis axis = value_axis(chart);
  const auto x = [&axis](double value) {
    return kNames + (value - axis.low) / (axis.high - axis.low) * (kWidth - kRight - kNames);
  };
  std::string svg;
  for (const double v : axis.ticks()) {
    svg += line("grid", x(v), kTop - 8, x(v), height - kBottom);
    svg += label("middle", x(v), height - kBottom + 17, number_text(v));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double y = kTop + kRow * (static_cast<double>(i) + 0.5) - 4;
    const Point& point = points[i];
    svg += label("end", kNames - 10, y + 4, point.label);
    if (point.low && point.high) {
      svg += line("whisker", x(*point.low), y, x(*point.high), y);
      svg += line("whisker", x(*point.low), y - 4, x(*point.low), y + 4);
      svg += line("whisker", x(*point.high), y - 4, x(*point.high), y + 4);
    }
    svg += fmt::format(R"(<circle class="s0" cx="{:.1f}" cy="{:.1f}" r="5">{}</circle>)",
                       x(point.y), y, hint(chart.series.front(), point));
  }
  svg += label("middle", (kNames + kWidth - kRight) / 2, height - 12, chart.y_title,
               R"( class="quiet")");
  return fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>)", kWidth,
                     height, escaped_html(chart.title),
                     label("start", 0, 16, chart.title, R"( class="title")"), svg);
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  if (chart.series.empty() || chart.series.front().points.empty()) return "";
  if (chart.kind == Chart::Kind::kRanking) return ranking_svg(chart);
  std::size_t places = 1;
  for (const Series& series : chart.series) places = std::max(places, series.points.size());
  const Frame frame{.axis = value_axis(chart), .places = places};
  const std::string drawing = chart.kind == Chart::Kind::kBars ? bars(chart, frame)
                              : is_curve(chart)                ? curves(chart, frame)
                                                               : lines(chart, frame);
  return fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}{}</svg>)",
                     kWidth, kHeight, escaped_html(chart.title),
                     label("start", kLeft, 16, chart.title, R"( class="title")"), legend(chart),
                     grid(chart, frame), drawing);
}

}  // namespace rowbot::lab
