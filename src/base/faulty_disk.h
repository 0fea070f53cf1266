// For tests: the system's disk, whose calls fail when a FaultPoint says so. What cannot be appended
// leaves its first half behind, as a disk does that fills up.
// Thread safety: as Disk.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/disk.h"
#include "base/fault_point.h"

namespace rowbot::disk_testing {

class FaultyDisk final : public Disk {
 public:
  /// `point` outlives the disk and its files.
  explicit FaultyDisk(FaultPoint& point) : point_(point) {}

  Result<std::unique_ptr<AppendFile>> open(const std::string& path) override {
    if (point_.fails(false)) return failure("open", path);
    auto file = system_disk().open(path);
    if (!file) return file;
    return std::unique_ptr<AppendFile>(std::make_unique<File>(point_, *std::move(file), path));
  }
  Result<void> rename(const std::string& from, const std::string& to) override {
    return point_.fails(false) ? failure("rename", from) : system_disk().rename(from, to);
  }
  Result<void> remove(const std::string& path) override {
    return point_.fails(false) ? failure("remove", path) : system_disk().remove(path);
  }
  Result<void> sync_folder_of(const std::string& path) override {
    if (point_.fails(false)) return failure("sync the folder of", path);
    return {};
  }

 private:
  static Error failure(const char* doing, const std::string& path) {
    return Error{std::string("cannot ") + doing + " " + path + ": a fault of the test"};
  }

  class File final : public AppendFile {
   public:
    File(FaultPoint& point, std::unique_ptr<AppendFile> file, std::string path)
        : point_(point), file_(std::move(file)), path_(std::move(path)) {}
    Result<void> append(std::string_view bytes) override {
      if (!point_.fails(true)) return file_->append(bytes);
      static_cast<void>(file_->append(bytes.substr(0, bytes.size() / 2)));
      return failure("write", path_);
    }
    Result<void> truncate(std::uint64_t size) override {
      return point_.fails(false) ? failure("shorten", path_) : file_->truncate(size);
    }
    Result<void> sync() override {
      if (point_.fails(false)) return failure("sync", path_);
      return {};  // no test cuts the power here
    }

   private:
    FaultPoint& point_;
    std::unique_ptr<AppendFile> file_;
    std::string path_;
  };

  FaultPoint& point_;
};

}  // namespace rowbot::disk_testing
