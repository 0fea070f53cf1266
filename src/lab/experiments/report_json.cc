#include <array>
#include <string_view>

#include "base/fields.h"
#include "lab/experiments/report.h"
#include "nlohmann/json.hpp"

namespace rowbot::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr EnumNames<Chart::Kind, 3> kChartKinds{{{Chart::Kind::kBars, "bars"},
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

std::vector<std::string> texts(Fields& fields, const char* key) {
  return fields.get<std::vector<std::string>>(key);
}

Table read_table(Fields& fields) {
  Table table{.caption = fields.get<std::string>("caption"), .header = texts(fields, "header")};
  for (auto& row : fields.get<std::vector<std::vector<Fields>>>("rows")) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (Fields& cell : row) {
      cells.emplace_back(cell.get<std::string>("text"));
      cell("shade", cells.back().shade);
    }
  }
  return table;
}

Chart read_chart(Fields& fields) {
  Chart chart{.title = fields.get<std::string>("title"),
              .x_title = fields.get<std::string>("x_title"),
              .y_title = fields.get<std::string>("y_title")};
  fields("y_low", chart.y_low);
  fields("y_high", chart.y_high);
  fields.name("kind", chart.kind, kChartKinds);
  for (Fields& one : fields.get<std::vector<Fields>>("series")) {
    Series& series = chart.series.emplace_back();
    series.name = one.get<std::string>("name");
    for (Fields& item : one.get<std::vector<Fields>>("points")) {
      Point& point = series.points.emplace_back();
      point.label = item.get<std::string>("label");
      point.y = item.get<double>("y");
      item("low", point.low);
      item("high", point.high);
      item("paper", point.paper);
    }
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
  auto reader = FieldReader::from_json(text);
  if (!reader) return reader.error();
  Fields top = reader->top();
  Report report{.name = top.get<std::string>("name"),
                .title = top.get<std::string>("title"),
                .source = top.get<std::string>("source"),
                .paper_says = top.get<std::string>("paper_says"),
                .findings = texts(top, "findings"),
                .differences = texts(top, "differences")};
  for (auto& [name, value] : top.get<std::vector<std::array<std::string, 2>>>("setting")) {
    report.setting.emplace_back(std::move(name), std::move(value));
  }
  for (Fields& chart : top.get<std::vector<Fields>>("charts")) {
    report.charts.push_back(read_chart(chart));
  }
  for (Fields& table : top.get<std::vector<Fields>>("tables")) {
    report.tables.push_back(read_table(table));
  }
  if (auto sound = reader->finish(UnknownField::kIsAllowed); !sound) return sound.error();
  return report;
}

}  // namespace rowbot::lab
