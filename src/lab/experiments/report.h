// What an experiment found, ready to be written down: text, tables and charts, with the published
// numbers beside ours. One value, three forms: HTML, Markdown, JSON.
// Thread safety: plain values and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace rowbot::lab {

struct Cell {
  Cell() = default;
  // Not explicit: a row is written as a list of texts.
  // NOLINTBEGIN(google-explicit-constructor)
  Cell(std::string what, std::optional<double> colour = std::nullopt)
      : text(std::move(what)), shade(colour) {}
  Cell(const char* what) : text(what) {}
  // NOLINTEND(google-explicit-constructor)

  std::string text;
  std::optional<double> shade;  ///< 0 (lost) to 1 (won): the colour of a matrix' field

  friend bool operator==(const Cell&, const Cell&) = default;
};

struct Table {
  std::string caption;
  std::vector<std::string> header;
  std::vector<std::vector<Cell>> rows;

  friend bool operator==(const Table&, const Table&) = default;
};

/// A measured value, its 95 % interval, and the published value.
struct Point {
  std::string label;  ///< of the place on the x axis
  double y = 0;
  std::optional<double> low;
  std::optional<double> high;
  std::optional<double> paper;

  friend bool operator==(const Point&, const Point&) = default;
};

struct Series {
  std::string name;
  std::vector<Point> points;

  friend bool operator==(const Series&, const Series&) = default;
};

struct Chart {
  enum class Kind : std::uint8_t { kBars, kLines, kRanking };

  std::string title;
  std::string x_title;
  std::string y_title;
  Kind kind = Kind::kBars;
  std::vector<Series> series;   ///< all with the same labels, in the same order
  std::optional<double> y_low;  ///< ends of the axis; by default what the data need
  std::optional<double> y_high;

  friend bool operator==(const Chart&, const Chart&) = default;
};

struct Report {
  std::string name;  ///< of the experiment
  std::string title;
  std::string source;  ///< what is being made again
  std::string paper_says;
  std::vector<std::string> findings;                         ///< what we found, a paragraph each
  std::vector<std::pair<std::string, std::string>> setting;  ///< machine, seed, scale, agents ...
  std::vector<std::string> differences;                      ///< from the text
  std::vector<Chart> charts;
  std::vector<Table> tables;

  friend bool operator==(const Report&, const Report&) = default;
};

/// One file without scripts and without the network; light, dark and on paper.
[[nodiscard]] std::string reports_html(std::span<const Report> reports);
[[nodiscard]] std::string reports_markdown(std::span<const Report> reports);

/// An array of objects, and one of them.
[[nodiscard]] std::string reports_json(std::span<const Report> reports);
[[nodiscard]] std::string report_json(const Report& report);
/// Accepts what report_json wrote.
[[nodiscard]] Result<Report> parse_report_json(std::string_view text);

/// A chart as an inline SVG element that takes its colours from the page's style.
[[nodiscard]] std::string chart_svg(const Chart& chart);

/// Safe inside HTML text and attributes.
[[nodiscard]] std::string escaped_html(std::string_view text);

}  // namespace rowbot::lab
