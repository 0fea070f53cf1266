// Lines that another program writes while they are read: standard input, a pipe, a FIFO.
// Thread safety: none.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"

namespace rowbot::app {

class PositionStream {
 public:
  /// Whether the name is `-` or that of a pipe; anything else is read as a file.
  [[nodiscard]] static bool names_one(const std::string& path);
  /// Requires names_one(path). Refuses a FIFO to which nobody writes, and does not wait for it.
  [[nodiscard]] static Result<PositionStream> open(const std::string& path);

  /// The next line without its end; none at the end of the input. Blocks until it is there. Holds
  /// one line at a time and refuses one that is too long for a position.
  [[nodiscard]] Result<std::optional<std::string>> next();

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  explicit PositionStream(File file) : file_(std::move(file)) {}

  File file_;
};

}  // namespace rowbot::app
