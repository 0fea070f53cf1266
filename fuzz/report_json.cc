#include "fuzz.h"
#include "lab/experiments/report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = rowbot::fuzz::as_text(data, size);
  rowbot::fuzz::round_trip(text, rowbot::lab::parse_report_json, rowbot::lab::report_json);
  // Whatever a report holds can be drawn.
  if (const auto report = rowbot::lab::parse_report_json(text)) {
    const std::span one(&*report, 1);
    rowbot::fuzz::require(!rowbot::lab::reports_html(one).empty(), "a report has a page");
    rowbot::fuzz::require(!rowbot::lab::reports_markdown(one).empty(), "a report has a text");
  }
  return 0;
}
