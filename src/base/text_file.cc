#include "base/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmt/core.h"

namespace rowbot {
namespace {

class Descriptor {
 public:
  // Not blocking: a pipe without a writer would be waited for.
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

Error cannot_read(const std::string& path, int reason) {
  const char* advice = reason == ENOENT || reason == ENOTDIR ? "; is the name right?"
                       : reason == EACCES                    ? "; may this user read it?"
                                                             : "";
  return Error{fmt::format("cannot read {}: {}{}", path, std::strerror(reason), advice)};
}

std::string size_text(std::size_t bytes) {
  if (bytes >= std::size_t{1} << 20) return fmt::format("{} MB", bytes >> 20U);
  return fmt::format("{} kB", std::max<std::size_t>(1, bytes >> 10U));
}

Error too_large(const std::string& path, std::size_t limit) {
  return Error{
      fmt::format("{} is too large: a file of this kind has at most {}; is the name right?", path,
                  size_text(limit))};
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::size_t limit) {
  const Descriptor file(path);
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return cannot_read(path, errno);
  if (S_ISDIR(status.st_mode)) return Error{fmt::format("{} is a folder; name a file", path)};
  if (!S_ISREG(status.st_mode)) {
    return Error{fmt::format("{} is a device, a pipe or a socket; name a regular file", path)};
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) return too_large(path, limit);
  // The size is only a guess: files of the kernel say 0, and a file may grow meanwhile.
  constexpr std::size_t kBlock = 65536;
  std::string text;
  text.reserve(size);
  while (true) {
    const std::size_t have = text.size();
    text.resize(std::max(size, have) + std::min(kBlock, limit + 1 - std::min(limit, have)));
    const ssize_t got = ::read(file.number(), text.data() + have, text.size() - have);
    if (got < 0 && errno != EINTR) return cannot_read(path, errno);
    text.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (text.size() > limit) return too_large(path, limit);
    if (got == 0) return text;
  }
}

}  // namespace rowbot
