#include "fmt/core.h"
#include "lab/experiments/report.h"

namespace rowbot::lab {
namespace {

/// A cell must not end its table.
std::string in_cell(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

std::string value_text(const Point& point) {
  std::string text = fmt::format("{:.4g}", point.y);
  if (point.low && point.high) text += fmt::format(" ({:.4g} to {:.4g})", *point.low, *point.high);
  if (point.paper) text += fmt::format(", paper {:.4g}", *point.paper);
  return text;
}

/// A chart as the table of its values.
std::string chart_markdown(const Chart& chart) {
  if (chart.series.empty()) return "";
  std::string text =
      fmt::format("**{}** ({})\n\n| {} |", chart.title, chart.y_title, in_cell(chart.x_title));
  for (const Series& series : chart.series) text += fmt::format(" {} |", in_cell(series.name));
  text += "\n|---|";
  for (std::size_t i = 0; i < chart.series.size(); ++i) text += "---|";
  for (std::size_t i = 0; i < chart.series.front().points.size(); ++i) {
    text += fmt::format("\n| {} |", in_cell(chart.series.front().points[i].label));
    for (const Series& series : chart.series) {
      text += i < series.points.size() ? fmt::format(" {} |", value_text(series.points[i])) : " |";
    }
  }
  return text + "\n\n";
}

std::string table_markdown(const Table& table) {
  std::string text = fmt::format("**{}**\n\n|", table.caption);
  for (const std::string& name : table.header) text += fmt::format(" {} |", in_cell(name));
  text += "\n|";
  for (std::size_t i = 0; i < table.header.size(); ++i) text += "---|";
  for (const auto& row : table.rows) {
    text += "\n|";
    for (const Cell& cell : row) text += fmt::format(" {} |", in_cell(cell.text));
  }
  return text + "\n\n";
}

}  // namespace

std::string reports_markdown(std::span<const Report> reports) {
  std::string text = "# Rowbot laboratory\n\n";
  for (const Report& report : reports) {
    text += fmt::format("## {}\n\n`{}`, {}\n\n", report.title, report.name, report.source);
    if (!report.paper_says.empty()) text += fmt::format("> {}\n\n", report.paper_says);
    for (const std::string& finding : report.findings) text += finding + "\n\n";
    for (const Chart& chart : report.charts) text += chart_markdown(chart);
    for (const Table& table : report.tables) text += table_markdown(table);
    for (const std::string& one : report.differences) text += fmt::format("- Differs: {}\n", one);
    for (const auto& [name, value] : report.setting) text += fmt::format("- {}: {}\n", name, value);
    text += "\n";
  }
  return text;
}

}  // namespace rowbot::lab
