#include "lab/experiments/report.h"

#include <algorithm>
#include <set>
#include <string>

#include "fmt/core.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lab/experiments/experiment.h"
#include "lab/matches/match_store.h"

namespace rowbot::lab {
namespace {

using testing::HasSubstr;
using testing::Not;

Report sample() {
  return {
      .name = "sample",
      .title = "A <title> & more",
      .source = "nowhere",
      .paper_says = "42 \"or so\"",
      .findings = {"one", "two"},
      .setting = {{"seed", "1"}},
      .differences = {"all"},
      .charts = {{.title = "bars",
                  .x_title = "x",
                  .y_title = "y",
                  .kind = Chart::Kind::kBars,
                  .series = {{.name = "s",
                              .points = {{.label = "p", .y = 3, .low = 2, .high = 4, .paper = 5},
                                         {.label = "q", .y = 0.1}}}},
                  .y_low = 0},
                 {.title = "ranks",
                  .kind = Chart::Kind::kRanking,
                  .series = {{.name = "s", .points = {{.label = "p", .y = -300}}}}}},
      .tables = {{.caption = "t", .header = {"a|b"}, .rows = {{{"c|d", 0.5}}}}}};
}

TEST(Report, SurvivesItsJson) {
  const auto again = parse_report_json(report_json(sample()));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, sample());
}

TEST(Report, RefusesJsonOfAnotherKind) {
  for (const char* text : {"", "[]", "{}", "{\"name\": 3}", "nonsense"}) {
    const auto read = parse_report_json(text);
    ASSERT_FALSE(read) << text;
    EXPECT_FALSE(read.error().message.empty());
  }
}

TEST(Report, HtmlIsSelfContainedAndEscaped) {
  const std::vector<Report> reports{sample(), sample()};
  const std::string html = reports_html(reports);
  EXPECT_THAT(html, HasSubstr("A &lt;title&gt; &amp; more"));
  EXPECT_THAT(html, Not(HasSubstr("A <title>")));
  for (const char* outside : {"http:", "https:", "<script", "@import", "url("}) {
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  }
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, HasSubstr("@media print"));
  EXPECT_THAT(html, HasSubstr("class=\"whisker\""));
  EXPECT_THAT(html, HasSubstr("class=\"paper\""));
}

TEST(Report, ChartsStayFiniteWhateverTheData) {
  for (const double y : {0.0, -5.0, 1e12, 1e-9}) {
    for (const auto kind : {Chart::Kind::kBars, Chart::Kind::kLines, Chart::Kind::kRanking}) {
      const std::string svg =
          chart_svg({.kind = kind, .series = {{.name = "s", .points = {{.label = "p", .y = y}}}}});
      EXPECT_THAT(svg, Not(HasSubstr("nan")));
      EXPECT_THAT(svg, Not(HasSubstr("inf")));
      EXPECT_LT(svg.size(), 20'000U);
    }
  }
  EXPECT_EQ(chart_svg({}), "");
}

TEST(Report, DrawsManyPointsAsACurveInItsBand) {
  Series series{.name = "s"};
  for (int i = 1; i <= 25; ++i) {
    const double y = 60 + i;
    series.points.push_back(
        {.label = fmt::format("{}k", 10 * i), .y = y, .low = y - 3, .high = y + 2});
  }
  const std::string svg = chart_svg({.kind = Chart::Kind::kLines, .series = {series}});
  EXPECT_THAT(svg, HasSubstr("class=\"band s0\""));
  EXPECT_THAT(svg, Not(HasSubstr("whisker")));
  EXPECT_THAT(svg, HasSubstr(">250k<"));       // the last place has its label,
  EXPECT_THAT(svg, Not(HasSubstr(">240k<")));  // not all have
  EXPECT_THAT(svg, Not(HasSubstr(">0<")));     // the axis begins where the data do
}

TEST(Report, MarkdownKeepsItsTablesWhole) {
  EXPECT_THAT(reports_markdown(std::vector{sample()}), HasSubstr("| c\\|d |"));
}

TEST(Experiments, HaveTheNamesPeopleWereTold) {
  std::set<std::string_view> names;
  for (const Experiment& experiment : experiments()) names.insert(experiment.name);
  for (const char* name :
       {"carlo-7.1", "carlo-7.2", "boehm-5.1", "boehm-5.2", "boehm-5.3", "boehm-5.4", "dublin-4",
        "dublin-5", "rhodes", "all-agents", "first-move", "never-lose"}) {
    EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_TRUE(find_experiment(name));
  }
  EXPECT_EQ(names.size(), experiments().size());
  const auto typo = find_experiment("rhode");
  ASSERT_FALSE(typo);
  EXPECT_THAT(typo.error().message, HasSubstr("'rhodes'"));
}

TEST(Experiments, RunAtTheirSmallestScaleAndResumeToTheSameReport) {
  auto tables = store::Archive::open(":memory:");
  ASSERT_TRUE(tables);
  MatchStore archive(*tables);
  const auto run = [&archive] {
    Workbench bench({.experiment = "boehm-5.2",
                     .scale = 0.0002,
                     .run = {.resources = {.threads = 2}, .archive = &archive}});
    return run_experiment(**find_experiment("boehm-5.2"), bench);
  };
  const auto first = run();
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->charts.size(), 1U);
  EXPECT_EQ(first->tables.front().rows.size(), 6U);
  EXPECT_EQ(first->setting.front().first, "machine");
  const auto again = run();  // every game comes from the archive
  ASSERT_TRUE(again);
  EXPECT_EQ(*first, *again);
}

TEST(Experiments, DrawLearningCurvesWhateverTheThreads) {
  for (const auto& [name, learners] : {std::pair{"boehm-5.1", 9U}, std::pair{"boehm-5.3", 5U}}) {
    const auto run = [name = name](int threads) {
      Workbench bench(
          {.experiment = name, .scale = 0.0004, .run = {.resources = {.threads = threads}}});
      return run_experiment(**find_experiment(name), bench);
    };
    const auto report = run(2);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->tables.front().rows.size(), learners);
    ASSERT_EQ(report->charts.front().series.size(), learners);
    for (const Series& series : report->charts.front().series) {
      EXPECT_EQ(series.points.size(), 25U);
      EXPECT_EQ(series.points.back().label, "0.1k");
    }
    if (learners == 9U) {
      EXPECT_NEAR(report->charts.front().series[5].points.back().paper.value_or(0), 93.32, 1e-9);
    }
    const auto alone = run(1);
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->charts, report->charts);
    EXPECT_EQ(alone->tables, report->tables);
  }
}

}  // namespace
}  // namespace rowbot::lab
