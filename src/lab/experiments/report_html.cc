#include <algorithm>
#include <cmath>

#include "fmt/core.h"
#include "lab/experiments/report.h"

namespace rowbot::lab {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1c2230; --quiet: #5b6477;
  --rule: #d9dde6; --soft: #f4f6fa; --mark: #c2185b; --won: 46, 125, 50; --lost: 198, 40, 40;
  --s0: #1f6fb4; --s1: #e08a1e; --s2: #2e8b57; --s3: #8e5bb5; --s4: #b5483d; --s5: #5b7083;
  --s6: #118a8b; --s7: #8a6d1d; --s8: #3b3f4a; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171f; --ink: #e8eaf0; --quiet: #9aa3b5;
  --rule: #333948; --soft: #1c212c; --mark: #ff6fa3; --won: 76, 175, 80; --lost: 229, 83, 80;
  --s0: #5aa9e6; --s1: #f2b04e; --s2: #5cc48d; --s3: #b992e0; --s4: #e88378; --s5: #9db2c4;
  --s6: #4fc6c6; --s7: #cdb45a; --s8: #c9ccd4; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 54rem; background: var(--paper);
  color: var(--ink); font: 16px/1.55 Georgia, "Times New Roman", serif; }
h1, h2, h3, th, nav, dl, figcaption, caption { font-family: system-ui, sans-serif; }
h1 { font-size: 1.9rem; margin: 0 0 .3rem; }
h2 { font-size: 1.35rem; margin: 3.2rem 0 .2rem; padding-top: 1.2rem;
  border-top: 2px solid var(--rule); }
h3 { font-size: 1rem; margin: 1.6rem 0 .3rem; }
.source { color: var(--quiet); margin: 0 0 1rem; }
nav ul { columns: 2; padding-left: 1.1rem; font-size: .92rem; }
a { color: var(--s0); }
blockquote { margin: 1rem 0; padding: .6rem 1rem; background: var(--soft);
  border-left: 4px solid var(--mark); }
.finding { font-size: 1.05rem; }
figure { margin: 1.4rem 0; break-inside: avoid; }
svg { width: 100%; height: auto; display: block; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .quiet { fill: var(--quiet); }
svg .title { font-size: 14px; font-weight: 600; }
.grid { stroke: var(--rule); stroke-width: 1; }
.whisker { stroke: var(--ink); stroke-width: 1.3; }
.paper { fill: var(--mark); stroke: var(--paper); stroke-width: 1; }
.line { fill: none; stroke-width: 2; }
.s0 { fill: var(--s0); } .s1 { fill: var(--s1); } .s2 { fill: var(--s2); }
.s3 { fill: var(--s3); } .s4 { fill: var(--s4); } .s5 { fill: var(--s5); }
.s6 { fill: var(--s6); } .s7 { fill: var(--s7); } .s8 { fill: var(--s8); }
.band { fill-opacity: .18; }
.l0 { stroke: var(--s0); } .l1 { stroke: var(--s1); } .l2 { stroke: var(--s2); }
.l3 { stroke: var(--s3); } .l4 { stroke: var(--s4); } .l5 { stroke: var(--s5); }
.l6 { stroke: var(--s6); } .l7 { stroke: var(--s7); } .l8 { stroke: var(--s8); }
.scroll { overflow-x: auto; margin: 1.2rem 0; break-inside: avoid; }
table { border-collapse: collapse; font: .84rem/1.35 system-ui, sans-serif; width: 100%; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
th, td { padding: .32rem .55rem; border-bottom: 1px solid var(--rule); text-align: right;
  vertical-align: top; font-variant-numeric: tabular-nums; }
th { border-bottom: 2px solid var(--rule); font-weight: 600; }
td { white-space: nowrap; }
table.wide { font-size: .72rem; }
table.wide th, table.wide td { padding: .3rem .22rem; }
th:first-child, td:first-child { text-align: left; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; font-size: .88rem;
  background: var(--soft); padding: .8rem 1rem; margin: .4rem 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
footer { margin-top: 3rem; color: var(--quiet); font-size: .85rem; }
@media print { body { font-size: 10.5pt; max-width: none; padding: 0; } nav { display: none; }
  h2 { break-before: page; border: 0; } h2:first-of-type { break-before: auto; }
  .scroll { overflow: visible; } }
)css";

/// Green above an even score, red below; the stronger the farther.
std::string shade_style(double shade) {
  const double distance = std::clamp(2 * shade - 1, -1.0, 1.0);
  return fmt::format(R"x( style="background: rgba(var(--{}), {:.2f})")x",
                     distance >= 0 ? "won" : "lost", 0.45 * std::abs(distance));
}

std::string table_html(const Table& table) {
  constexpr std::size_t kManyColumns = 11;
  std::string html = fmt::format("<div class=\"scroll\"><table{}>",
                                 table.header.size() > kManyColumns ? " class=\"wide\"" : "");
  if (!table.caption.empty()) html += "<caption>" + escaped_html(table.caption) + "</caption>";
  html += "<thead><tr>";
  for (const std::string& name : table.header) html += "<th>" + escaped_html(name) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (const Cell& cell : row) {
      html += fmt::format("<td{}>{}</td>", cell.shade ? shade_style(*cell.shade) : "",
                          escaped_html(cell.text));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string section_html(const Report& report) {
  std::string html = fmt::format(
      "<section><h2 id=\"{0}\">{1}</h2>\n<p class=\"source\"><code>{0}</code> &middot; "
      "{2}</p>\n",
      escaped_html(report.name), escaped_html(report.title), escaped_html(report.source));
  if (!report.paper_says.empty()) {
    html += "<blockquote>" + escaped_html(report.paper_says) + "</blockquote>\n";
  }
  for (const std::string& finding : report.findings) {
    html += "<p class=\"finding\">" + escaped_html(finding) + "</p>\n";
  }
  for (const Chart& chart : report.charts) html += "<figure>" + chart_svg(chart) + "</figure>\n";
  for (const Table& table : report.tables) html += table_html(table);
  if (!report.differences.empty()) {
    html += "<h3>What differs from the paper</h3><ul>";
    for (const std::string& one : report.differences) html += "<li>" + escaped_html(one) + "</li>";
    html += "</ul>\n";
  }
  html += "<h3>Setting</h3><dl>";
  for (const auto& [name, value] : report.setting) {
    html += "<dt>" + escaped_html(name) + "</dt><dd>" + escaped_html(value) + "</dd>";
  }
  return html + "</dl></section>\n";
}

}  // namespace

std::string escaped_html(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string reports_html(std::span<const Report> reports) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Rowbot laboratory</title><style>{}</style></head><body>\n"
      "<h1>Rowbot laboratory</h1>\n<p class=\"source\">The papers' experiments, made again. Bars "
      "and dots are ours, with 95 % intervals; a diamond is the paper's value.</p>\n",
      kStyle);
  if (reports.size() > 1) {
    html += "<nav><ul>";
    for (const Report& report : reports) {
      html += fmt::format("<li><a href=\"#{}\">{}</a></li>", escaped_html(report.name),
                          escaped_html(report.title));
    }
    html += "</ul></nav>\n";
  }
  for (const Report& report : reports) html += section_html(report);
  return html + "<footer>Made by rowbot experiment report.</footer></body></html>\n";
}

}  // namespace rowbot::lab
