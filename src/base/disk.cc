#include "base/disk.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "fmt/core.h"

namespace rowbot {
namespace {

Error os_failure(std::string_view doing, const std::string& path) {
  return Error{
      fmt::format("cannot {} {}: {}", doing, path, std::generic_category().message(errno))};
}

class SystemFile final : public AppendFile {
 public:
  SystemFile(int file, std::string path) : file_(file), path_(std::move(path)) {}
  SystemFile(const SystemFile&) = delete;
  SystemFile& operator=(const SystemFile&) = delete;
  SystemFile(SystemFile&&) = delete;
  SystemFile& operator=(SystemFile&&) = delete;
  ~SystemFile() override {
    if (file_ >= 0) ::close(file_);
  }

  Result<void> append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return os_failure("write", path_);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }
  Result<void> truncate(std::uint64_t size) override {
    if (::ftruncate(file_, static_cast<off_t>(size)) != 0) return os_failure("shorten", path_);
    return {};
  }
  Result<void> sync() override {
    if (::fdatasync(file_) != 0) return os_failure("bring to the disk", path_);
    return {};
  }

 private:
  int file_;
  std::string path_;
};

class SystemDisk final : public Disk {
 public:
  Result<std::unique_ptr<AppendFile>> open(const std::string& path) override {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const int file =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
    if (file < 0 && errno != ENXIO) return os_failure("open for writing", path);
    auto opened = std::make_unique<SystemFile>(file, path);
    struct stat kind {};
    // ENXIO: a pipe without a reader, which would have been waited for.
    if (file < 0 || ::fstat(file, &kind) != 0 || !S_ISREG(kind.st_mode)) {
      return Error{
          fmt::format("{} is not a regular file but a device or a pipe; name a file", path)};
    }
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return os_failure("lock", path);
      return Error{fmt::format("another program writes {}; stop it, or name another file", path)};
    }
    return std::unique_ptr<AppendFile>(std::move(opened));
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    if (std::rename(from.c_str(), to.c_str()) != 0) return os_failure("rename to", to);
    return {};
  }
  Result<void> remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return os_failure("remove", path);
    return {};
  }
  Result<void> sync_folder_of(const std::string& path) override {
    const auto parent = std::filesystem::path(path).parent_path();
    const std::string folder = parent.empty() ? std::string(1, '.') : parent.string();
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) {
      // A folder that may be written but not read can still hold the file.
      return errno == EACCES ? Result<void>() : os_failure("open the folder", folder);
    }
    const bool done = ::fsync(file) == 0 || errno == EINVAL;
    auto result = done ? Result<void>() : Result<void>(os_failure("bring to the disk", folder));
    ::close(file);
    return result;
  }
};

}  // namespace

Disk& system_disk() {
  static SystemDisk disk;
  return disk;
}

Result<void> replace_file(Disk& disk, const std::string& path, std::string_view bytes) {
  const std::string beside = path + ".new";
  auto written = [&]() -> Result<void> {
    auto file = disk.open(beside);
    if (!file) return file.error();
    if (auto done = (*file)->truncate(0); !done) return done;  // what an earlier try left
    if (auto done = (*file)->append(bytes); !done) return done;
    return (*file)->sync();
  }();
  if (!written) {
    static_cast<void>(disk.remove(beside));
    return written;
  }
  if (auto done = disk.rename(beside, path); !done) return done;
  return disk.sync_folder_of(path);
}

}  // namespace rowbot
