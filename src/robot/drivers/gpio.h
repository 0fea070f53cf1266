// Lines of a GPIO chip, behind the smallest port over libgpiod that a simulation can stand in for.
// Thread safety: none; one thread owns a set of lines.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace rowbot::drivers {

using Nanoseconds = std::chrono::nanoseconds;

class OutputLines {
 public:
  OutputLines() = default;
  virtual ~OutputLines() = default;
  OutputLines(const OutputLines&) = delete;
  OutputLines& operator=(const OutputLines&) = delete;
  OutputLines(OutputLines&&) = delete;
  OutputLines& operator=(OutputLines&&) = delete;

  /// `index` counts the lines in the order in which they were asked for.
  virtual Result<void> set(std::size_t index, bool high) = 0;
  virtual Result<bool> get(std::size_t index) = 0;
};

struct Edge {
  std::size_t index = 0;
  bool high = false;
  Nanoseconds time{};  // the kernel's monotonic clock
};

class InputLines {
 public:
  InputLines() = default;
  virtual ~InputLines() = default;
  InputLines(const InputLines&) = delete;
  InputLines& operator=(const InputLines&) = delete;
  InputLines(InputLines&&) = delete;
  InputLines& operator=(InputLines&&) = delete;

  /// Blocks for at most `timeout`; all edges that are there by then, oldest first.
  virtual Result<std::vector<Edge>> wait(Nanoseconds timeout) = 0;
  [[nodiscard]] virtual Result<std::vector<bool>> levels() = 0;
  /// On the same clock as the edges.
  [[nodiscard]] virtual Nanoseconds now() const = 0;
};

/// `chip` is a device such as /dev/gpiochip0. The outputs begin low; the inputs are pulled up.
[[nodiscard]] Result<std::unique_ptr<OutputLines>> open_outputs(const std::string& chip,
                                                                const std::vector<int>& lines);
[[nodiscard]] Result<std::unique_ptr<InputLines>> open_inputs(const std::string& chip,
                                                              const std::vector<int>& lines);

/// Lines that lead nowhere and remember what they were set to: to measure a machine's timing.
[[nodiscard]] std::unique_ptr<OutputLines> unconnected_outputs(std::size_t count);

}  // namespace rowbot::drivers
