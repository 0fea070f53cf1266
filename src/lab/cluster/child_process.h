// Another program, started by a shell command, that is spoken to by lines.
// Thread safety: one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "base/result.h"

namespace rowbot::cluster {

class ChildProcess {
 public:
  /// Starts `sh -c command` in a process group of its own. Its standard error is ours.
  [[nodiscard]] static Result<ChildProcess> start(const std::string& command);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills the whole group and waits for it to be gone.
  ~ChildProcess();

  /// Sends a line; never blocks. Fails when the child is gone or does not read.
  [[nodiscard]] Result<void> send(std::string_view line) const;
  /// The next line, without its newline. Blocks until it is there or the deadline is reached; fails
  /// when the child ends, is late, or sends a line that is longer than any message.
  [[nodiscard]] Result<std::string> receive(std::chrono::steady_clock::time_point deadline);

  /// Whether it has sent something that nobody has asked for.
  [[nodiscard]] bool has_unread() const;

  /// Gives it a moment to end by itself, then kills it.
  void end(std::chrono::milliseconds patience);

 private:
  ChildProcess(pid_t group, int input, int output)
      : group_(group), input_(input), output_(output) {}
  void close_all();

  pid_t group_ = -1;  // -1 once it has been waited for
  int input_ = -1;    // a socket: what we write is its standard input
  int output_ = -1;
  std::string pending_;
};

}  // namespace rowbot::cluster
