#include "robot/drivers/gpio.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <gpiod.h>

#include "robot/drivers/text_files.h"

namespace rowbot::drivers {
namespace {

constexpr const char* kConsumer = "rowbot";

/// An open chip and some of its lines; closing the chip releases them.
class LineSet {
 public:
  static Result<std::unique_ptr<LineSet>> open(const std::string& chip,
                                               const std::vector<int>& lines) {
    if (lines.size() > GPIOD_LINE_BULK_MAX_LINES) {
      return Error{fmt::format("{}: at most {} lines at a time", chip, GPIOD_LINE_BULK_MAX_LINES)};
    }
    gpiod_chip* opened = gpiod_chip_open(chip.c_str());
    if (opened == nullptr) return device_error("open", chip, errno);
    auto set = std::unique_ptr<LineSet>(new LineSet(opened, chip));
    std::vector<unsigned> offsets;
    for (const int line : lines) {
      if (line < 0 || static_cast<unsigned>(line) >= gpiod_chip_num_lines(opened)) {
        return Error{fmt::format("{} has lines 0 to {}; there is no line {}", chip,
                                 gpiod_chip_num_lines(opened) - 1, line)};
      }
      offsets.push_back(static_cast<unsigned>(line));
    }
    if (gpiod_chip_get_lines(opened, offsets.data(), static_cast<unsigned>(offsets.size()),
                             &set->bulk_) < 0) {
      return device_error("use the lines of", chip, errno);
    }
    return set;
  }
  ~LineSet() { gpiod_chip_close(chip_); }
  LineSet(const LineSet&) = delete;
  LineSet& operator=(const LineSet&) = delete;
  LineSet(LineSet&&) = delete;
  LineSet& operator=(LineSet&&) = delete;

  [[nodiscard]] gpiod_line_bulk& bulk() { return bulk_; }
  [[nodiscard]] gpiod_line* line(std::size_t index) { return bulk_.lines[index]; }
  [[nodiscard]] Error error(const char* what) const { return device_error(what, name_, errno); }

 private:
  LineSet(gpiod_chip* chip, std::string name) : chip_(chip), name_(std::move(name)) {}

  gpiod_chip* chip_;
  std::string name_;
  gpiod_line_bulk bulk_{};
};

class LinuxOutputs final : public OutputLines {
 public:
  explicit LinuxOutputs(std::unique_ptr<LineSet> lines) : lines_(std::move(lines)) {}
  Result<void> set(std::size_t index, bool high) override {
    if (gpiod_line_set_value(lines_->line(index), high ? 1 : 0) == 0) return {};
    return lines_->error("switch a line of");
  }
  Result<bool> get(std::size_t index) override {
    const int value = gpiod_line_get_value(lines_->line(index));
    if (value < 0) return lines_->error("read a line of");
    return value == 1;
  }

 private:
  std::unique_ptr<LineSet> lines_;
};

class LinuxInputs final : public InputLines {
 public:
  explicit LinuxInputs(std::unique_ptr<LineSet> lines) : lines_(std::move(lines)) {}

  Result<std::vector<Edge>> wait(Nanoseconds timeout) override {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
    const timespec limit{.tv_sec = seconds.count(), .tv_nsec = (timeout - seconds).count()};
    gpiod_line_bulk ready{};
    const int found = gpiod_line_event_wait_bulk(&lines_->bulk(), &limit, &ready);
    if (found < 0) return lines_->error("wait for the switches on");
    std::vector<Edge> edges;
    for (unsigned i = 0; found > 0 && i < gpiod_line_bulk_num_lines(&ready); ++i) {
      gpiod_line* line = gpiod_line_bulk_get_line(&ready, i);
      std::array<gpiod_line_event, 16> events{};
      const int count = gpiod_line_event_read_multiple(line, events.data(), events.size());
      if (count < 0) return lines_->error("read the switches on");
      for (int k = 0; k < count; ++k) {
        const gpiod_line_event& event = events.at(static_cast<std::size_t>(k));
        edges.push_back({.index = index_of(line),
                         .high = event.event_type == GPIOD_LINE_EVENT_RISING_EDGE,
                         .time = std::chrono::seconds(event.ts.tv_sec) +
                                 std::chrono::nanoseconds(event.ts.tv_nsec)});
      }
    }
    std::ranges::stable_sort(edges, {}, &Edge::time);
    return edges;
  }
  Result<std::vector<bool>> levels() override {
    std::vector<bool> levels;
    for (unsigned i = 0; i < gpiod_line_bulk_num_lines(&lines_->bulk()); ++i) {
      const int value = gpiod_line_get_value(lines_->line(i));
      if (value < 0) return lines_->error("read the switches on");
      levels.push_back(value == 1);
    }
    return levels;
  }
  [[nodiscard]] Nanoseconds now() const override {
    return std::chrono::steady_clock::now().time_since_epoch();
  }

 private:
  [[nodiscard]] std::size_t index_of(gpiod_line* line) const {
    std::size_t index = 0;
    while (lines_->line(index) != line) ++index;
    return index;
  }

  std::unique_ptr<LineSet> lines_;
};

class UnconnectedLines final : public OutputLines {
 public:
  explicit UnconnectedLines(std::size_t count) : high_(count, false) {}
  Result<void> set(std::size_t index, bool high) override {
    high_.at(index) = high;
    return {};
  }
  Result<bool> get(std::size_t index) override { return bool{high_.at(index)}; }

 private:
  std::vector<bool> high_;
};

}  // namespace

std::unique_ptr<OutputLines> unconnected_outputs(std::size_t count) {
  return std::make_unique<UnconnectedLines>(count);
}

Result<std::unique_ptr<OutputLines>> open_outputs(const std::string& chip,
                                                  const std::vector<int>& lines) {
  auto set = LineSet::open(chip, lines);
  if (!set) return set.error();
  // One request a line: setting one line of a common request sets the first, and all others low.
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (gpiod_line_request_output((*set)->line(i), kConsumer, 0) < 0) {
      return (*set)->error("get output lines of");
    }
  }
  return std::unique_ptr<OutputLines>(std::make_unique<LinuxOutputs>(*std::move(set)));
}

Result<std::unique_ptr<InputLines>> open_inputs(const std::string& chip,
                                                const std::vector<int>& lines) {
  auto set = LineSet::open(chip, lines);
  if (!set) return set.error();
  if (gpiod_line_request_bulk_both_edges_events_flags(&(*set)->bulk(), kConsumer,
                                                      GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP) < 0) {
    return (*set)->error("get input lines with pull-up of");
  }
  return std::unique_ptr<InputLines>(std::make_unique<LinuxInputs>(*std::move(set)));
}

}  // namespace rowbot::drivers
