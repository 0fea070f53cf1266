#include "progress.h"

#include <algorithm>
#include <cstdio>

#include "fmt/core.h"

namespace rowbot::app {
namespace {

std::string readable(std::chrono::duration<double> time) {
  const auto seconds = static_cast<long>(time.count());
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (seconds < 7200) return fmt::format("{} min", seconds / 60);
  return fmt::format("{:.1f} h", static_cast<double>(seconds) / 3600);
}

}  // namespace

void ProgressLine::show(std::size_t done, std::size_t total, std::size_t resumed) {
  const auto now = Clock::now();
  const bool finished = done == total;
  if (!finished && now - last_ < (live_ ? std::chrono::seconds(1) : std::chrono::seconds(30))) {
    return;
  }
  last_ = now;
  const auto left = (now - start_) * (static_cast<double>(total - done) /
                                      std::max(1.0, static_cast<double>(done - resumed)));
  fmt::print(stderr, "{}{} of {} {}, {:.1f} %, {} left{}", live_ ? "\r" : "", done, total, unit_,
             100.0 * static_cast<double>(done) / static_cast<double>(total), readable(left),
             live_ && !finished ? "   " : "   \n");
  std::fflush(stderr);
}

}  // namespace rowbot::app
