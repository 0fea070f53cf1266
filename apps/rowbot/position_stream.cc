#include "position_stream.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "fmt/core.h"

namespace rowbot::app {

bool PositionStream::names_one(const std::string& path) {
  struct stat status {};
  return path == "-" || (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode));
}

Result<PositionStream> PositionStream::open(const std::string& path) {
  if (path == "-") return PositionStream(File(stdin, [](std::FILE*) { return 0; }));
  // Not blocking, which would wait for a writer.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  char first = 0;
  const ssize_t got = ::read(number, &first, 1);  // 0: no writer; EAGAIN: one that has not begun
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  const bool blocks = ::fcntl(number, F_SETFL, 0) == 0;
  File file(got == 0 || !blocks ? nullptr : ::fdopen(number, "r"), std::fclose);
  if (!file) {
    ::close(number);
    return Error{fmt::format(
        "{} is a pipe to which nobody writes; start the writer first, or name a regular file",
        path)};
  }
  if (got == 1) std::ungetc(static_cast<unsigned char>(first), file.get());
  return PositionStream(std::move(file));
}

Result<std::optional<std::string>> PositionStream::next() {
  std::array<char, 512> text{};  // 42 moves and a score are 46 characters
  if (std::fgets(text.data(), static_cast<int>(text.size()), file_.get()) == nullptr) {
    if (std::ferror(file_.get()) == 0) return std::optional<std::string>();
    return Error{fmt::format("cannot read: {}", std::strerror(errno))};
  }
  std::string_view line(text.data());
  if (line.ends_with('\n')) {
    line.remove_suffix(1);
  } else if (std::feof(file_.get()) == 0) {
    return Error{"the line is too large for 'moves score'"};
  }
  return std::optional(std::string(line));
}

}  // namespace rowbot::app
