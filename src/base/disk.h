// Files that outlast a power cut: a small port over the system's calls, so that tests can record
// them. Thread safety: none; a file belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rowbot {

/// A file that grows at its end. Nothing is promised before sync() has returned.
class AppendFile {
 public:
  AppendFile() = default;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  AppendFile(AppendFile&&) = delete;
  AppendFile& operator=(AppendFile&&) = delete;
  virtual ~AppendFile() = default;

  /// All of it, or an error: then a part may be in the file.
  [[nodiscard]] virtual Result<void> append(std::string_view bytes) = 0;
  [[nodiscard]] virtual Result<void> truncate(std::uint64_t size) = 0;
  /// Blocks until the content is on the disk.
  [[nodiscard]] virtual Result<void> sync() = 0;
};

class Disk {
 public:
  Disk() = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  Disk(Disk&&) = delete;
  Disk& operator=(Disk&&) = delete;
  virtual ~Disk() = default;

  /// Makes the file when it is not there. Refuses one that is open already, here or in another
  /// program: a file has one writer. A program that is killed gives its files back.
  [[nodiscard]] virtual Result<std::unique_ptr<AppendFile>> open(const std::string& path) = 0;
  [[nodiscard]] virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  [[nodiscard]] virtual Result<void> remove(const std::string& path) = 0;
  /// Blocks until the names in the file's folder are on the disk: those made, changed and removed.
  [[nodiscard]] virtual Result<void> sync_folder_of(const std::string& path) = 0;
};

/// The real one.
[[nodiscard]] Disk& system_disk();

/// Writes a new file beside `path` (with ".new" behind its name), syncs it and renames it: whatever
/// happens, `path` holds the old content or the whole new one, and the new one when this returns.
[[nodiscard]] Result<void> replace_file(Disk& disk, const std::string& path,
                                        std::string_view bytes);

}  // namespace rowbot
