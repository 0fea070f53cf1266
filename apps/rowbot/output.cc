#include "output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <system_error>
#include <unistd.h>

namespace rowbot::app {

void occupy_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is taken, which is this one.
    if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1) return;
  }
}

// std::cout, which prints the help, writes through to stdout at once and has no buffer of its own.

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw std::system_error(errno, std::generic_category(), "standard output");
  }
}

int end_output(int code, int reason) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if (!flushed && reason == 0) reason = errno;
  if (flushed && std::cout.good() && std::ferror(stdout) == 0) return code;
  if (reason != EPIPE) {
    std::fprintf(stderr, "rowbot: cannot write the result to standard output%s%s\n",
                 reason != 0 ? ": " : "", reason != 0 ? std::strerror(reason) : "");
  }
  return code != 0 ? code : 1;
}

}  // namespace rowbot::app
