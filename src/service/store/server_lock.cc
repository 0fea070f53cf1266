#include "service/store/server_lock.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/text.h"
#include "fmt/core.h"

namespace rowbot::store {
namespace {

namespace fs = std::filesystem;

std::string os_error(int code) { return std::system_category().message(code); }

/// The process that holds it, as that server wrote it; nothing if it has not yet.
std::optional<std::int64_t> holder_of(int file) {
  std::array<char, 32> text{};
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  if (size <= 0) return std::nullopt;
  const auto number =
      parse_integer(trimmed(std::string_view(text.data(), static_cast<std::size_t>(size))));
  return number && *number > 0 ? std::optional<std::int64_t>(*number) : std::nullopt;
}

Error used_by_server(const std::string& database, std::optional<std::int64_t> holder) {
  const std::string process = holder ? fmt::format(" (process {})", *holder) : std::string();
  return Error{
      fmt::format("another server{} uses the database {}; stop it, or name another file with --db",
                  process, database)};
}

/// Links to one database lead to one lock.
fs::path lock_path(const std::string& database) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(fs::absolute(database), error);
  if (error) path = database;
  path += ".serve-lock";
  return path;
}

}  // namespace

Result<ServerLock> ServerLock::take(const std::string& database) {
  if (database == ":memory:") return ServerLock(-1);
  std::error_code error;
  if (fs::is_directory(database, error)) {
    return Error{fmt::format("{} is a folder; name a file in it", database)};
  }
  const fs::path path = lock_path(database);
  fs::create_directories(path.parent_path(), error);
  // A file of its own: closing any descriptor of the database would drop SQLite's locks on it.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (file < 0) {
    return Error{
        fmt::format("cannot open {}: {}. The server writes beside its database: let this "
                    "user write to the folder, or name another file with --db",
                    path.string(), os_error(errno))};
  }
  ServerLock lock(file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    const int code = errno;
    if (code != EWOULDBLOCK) {
      return Error{fmt::format("cannot lock {}: {}", path.string(), os_error(code))};
    }
    return used_by_server(database, holder_of(file));
  }
  // Only for the message above: a disk that is full does not matter here.
  const std::string holder = fmt::format("{}\n", ::getpid());
  if (::ftruncate(file, 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(file, holder.data(), holder.size(), 0);
  }
  return lock;
}

Result<void> ServerLock::refuse_other(const std::string& database) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  const ServerLock probe(::open(lock_path(database).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (probe.file_ < 0 || ::flock(probe.file_, LOCK_SH | LOCK_NB) == 0) return {};
  const auto holder = holder_of(probe.file_);
  if (holder == ::getpid()) return {};
  return used_by_server(database, holder);
}

ServerLock::ServerLock(ServerLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

ServerLock::~ServerLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace rowbot::store
