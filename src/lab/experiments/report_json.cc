#include <array>
#include <cmath>
#include <string_view>

#include "fmt/core.h"
#include "lab/experiments/report.h"
#include "nlohmann/json.hpp"

namespace rowbot::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<Chart::Kind, std::string_view>, 3> kChartKinds{
    {{Chart::Kind::kBars, "bars"},
     {Chart::Kind::kLines, "lines"},
     {Chart::Kind::kRanking, "ranking"}}};

void put(Json& object, const char* name, const std::optional<double>& value) {
  if (value) object[name] = *value;
}

Json cell_json(const Cell& cell) {
  Json json{{"text", cell.text}};
  put(json, "shade", cell.shade);
  return json;
}

Json table_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(cell_json(cell));
    rows.push_back(std::move(cells));
  }
  return {{"caption", table.caption}, {"header", table.header}, {"rows", std::move(rows)}};
}

Json chart_json(const Chart& chart) {
  Json series = Json::array();
  for (const Series& one : chart.series) {
    Json points = Json::array();
    for (const Point& point : one.points) {
      Json json{{"label", point.label}, {"y", point.y}};
      put(json, "low", point.low);
      put(json, "high", point.high);
      put(json, "paper", point.paper);
      points.push_back(std::move(json));
    }
    series.push_back({{"name", one.name}, {"points", std::move(points)}});
  }
  Json json{{"title", chart.title}, {"x_title", chart.x_title}, {"y_title", chart.y_title}};
  json["kind"] = kChartKinds.at(static_cast<std::size_t>(chart.kind)).second;
  put(json, "y_low", chart.y_low);
  put(json, "y_high", chart.y_high);
  json["series"] = std::move(series);
  return json;
}

Json to_json(const Report& report) {
  Json setting = Json::array();
  for (const auto& [name, value] : report.setting) setting.push_back(Json::array({name, value}));
  Json charts = Json::array();
  for (const Chart& chart : report.charts) charts.push_back(chart_json(chart));
  Json tables = Json::array();
  for (const Table& table : report.tables) tables.push_back(table_json(table));
  return {{"name", report.name},
          {"title", report.title},
          {"source", report.source},
          {"paper_says", report.paper_says},
          {"findings", report.findings},
          {"setting", std::move(setting)},
          {"differences", report.differences},
          {"charts", std::move(charts)},
          {"tables", std::move(tables)}};
}

/// Reads fields and remembers the first that is missing or of the wrong type.
class Reader {
 public:
  [[nodiscard]] const std::string& problem() const { return problem_; }

  std::string text(const Json& object, const char* name) {
    const Json* found = field(object, name);
    if (found == nullptr || !found->is_string()) return complain(name, "a text"), std::string();
    return found->get<std::string>();
  }
  std::optional<double> number(const Json& object, const char* name) {
    const Json* found = field(object, name);
    if (found == nullptr) return std::nullopt;
    if (!found->is_number() || !std::isfinite(found->get<double>())) {
      complain(name, "a finite number");
      return std::nullopt;
    }
    return found->get<double>();
  }
  /// The array, or an empty one.
  const Json& array(const Json& object, const char* name) {
    const Json* found = field(object, name);
    if (found != nullptr && found->is_array()) return *found;
    complain(name, "an array");
    return empty_;
  }
  std::vector<std::string> texts(const Json& object, const char* name) {
    std::vector<std::string> all;
    for (const Json& one : array(object, name)) {
      if (!one.is_string()) {
        complain(name, "an array of texts");
        break;
      }
      all.push_back(one.get<std::string>());
    }
    return all;
  }
  void complain(const char* name, const char* wanted) {
    if (problem_.empty()) problem_ = fmt::format("'{}' is missing or not {}", name, wanted);
  }

 private:
  static const Json* field(const Json& object, const char* name) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
  }

  std::string problem_;
  Json empty_ = Json::array();
};

Table read_table(Reader& reader, const Json& json) {
  Table table{.caption = reader.text(json, "caption"), .header = reader.texts(json, "header")};
  for (const Json& row : reader.array(json, "rows")) {
    if (!row.is_array()) {
      reader.complain("rows", "an array of arrays");
      break;
    }
    std::vector<Cell> cells;
    for (const Json& cell : row) {
      cells.push_back({.text = reader.text(cell, "text"), .shade = reader.number(cell, "shade")});
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Chart read_chart(Reader& reader, const Json& json) {
  Chart chart{.title = reader.text(json, "title"),
              .x_title = reader.text(json, "x_title"),
              .y_title = reader.text(json, "y_title"),
              .y_low = reader.number(json, "y_low"),
              .y_high = reader.number(json, "y_high")};
  const std::string kind = reader.text(json, "kind");
  bool known = false;
  for (const auto& [value, name] : kChartKinds) {
    if (name == kind) {
      chart.kind = value;
      known = true;
    }
  }
  if (!known) reader.complain("kind", "bars, lines or ranking");
  for (const Json& one : reader.array(json, "series")) {
    Series series{.name = reader.text(one, "name")};
    for (const Json& point : reader.array(one, "points")) {
      const auto y = reader.number(point, "y");
      if (!y) reader.complain("y", "a finite number");
      series.points.push_back({.label = reader.text(point, "label"),
                               .y = y.value_or(0),
                               .low = reader.number(point, "low"),
                               .high = reader.number(point, "high"),
                               .paper = reader.number(point, "paper")});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::string report_json(const Report& report) { return to_json(report).dump(2); }

std::string reports_json(std::span<const Report> reports) {
  Json all = Json::array();
  for (const Report& report : reports) all.push_back(to_json(report));
  return all.dump(2) + "\n";
}

Result<Report> parse_report_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Error{"this is not a JSON object"};
  Reader reader;
  Report report{.name = reader.text(json, "name"),
                .title = reader.text(json, "title"),
                .source = reader.text(json, "source"),
                .paper_says = reader.text(json, "paper_says"),
                .findings = reader.texts(json, "findings"),
                .differences = reader.texts(json, "differences")};
  for (const Json& pair : reader.array(json, "setting")) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) {
      reader.complain("setting", "an array of pairs of texts");
      break;
    }
    report.setting.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
  }
  for (const Json& chart : reader.array(json, "charts")) {
    report.charts.push_back(read_chart(reader, chart));
  }
  for (const Json& table : reader.array(json, "tables")) {
    report.tables.push_back(read_table(reader, table));
  }
  if (!reader.problem().empty()) return Error{reader.problem()};
  return report;
}

}  // namespace rowbot::lab
