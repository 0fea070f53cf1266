#include "base/disk_recording.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unistd.h>
#include <utility>

#include "base/temporary_folder.h"
#include "fmt/core.h"

namespace rowbot::disk_testing {
namespace {

constexpr std::size_t kSector = 512;
constexpr std::size_t kMostFailures = 10;

using Events = std::vector<const DiskEvent*>;

struct Inode {
  std::string content;  // as far as it was synced
  Events pending;
};

void write_part(std::string& content, const DiskEvent& event, std::size_t from, std::size_t to) {
  if (from >= to) return;
  const std::size_t at = event.offset + from;
  if (content.size() < at + (to - from)) content.resize(at + (to - from), '\0');
  content.replace(at, to - from, event.text, from, to - from);
}

void apply(std::string& content, const DiskEvent& event) {
  if (event.call == DiskCall::kTruncate) {
    content.resize(event.offset, '\0');
  } else {
    write_part(content, event, 0, event.text.size());
  }
}

/// Each sector of the write is there or not; one in four ends in the middle.
void apply_torn(std::string& content, const DiskEvent& event, Rng& rng) {
  if (event.call == DiskCall::kTruncate) {
    if (rng.below(2) == 0) apply(content, event);
    return;
  }
  for (std::size_t from = 0; from < event.text.size();) {
    const std::size_t rest = kSector - (event.offset + from) % kSector;
    const std::size_t to = std::min(event.text.size(), from + rest);
    const std::uint32_t fate = rng.below(8);
    if (fate < 3) write_part(content, event, from, to);
    if (fate == 3) {
      const auto span = static_cast<std::uint32_t>(to - from);
      write_part(content, event, from, from + rng.below(span));
    }
    from = to;
  }
}

std::string after_cut(const Inode& inode, Loss loss, Rng& rng) {
  std::string content = inode.content;
  std::size_t kept = inode.pending.size();
  if (loss == Loss::kTail) kept = rng.below(static_cast<std::uint32_t>(kept + 1));
  if (loss == Loss::kEverything) kept = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    const std::uint32_t fate = loss == Loss::kAnySubset ? rng.below(3) : 0;
    if (fate == 0) apply(content, *inode.pending[i]);
    if (fate == 1) apply_torn(content, *inode.pending[i], rng);
  }
  if (loss == Loss::kTail && kept < inode.pending.size()) {
    apply_torn(content, *inode.pending[kept], rng);
  }
  return content;
}

/// Names and what they stand for. Names change in order: file systems keep a journal of them.
using Names = std::map<std::string, std::size_t>;

void rename_or_remove(Names& names, const DiskEvent& event) {
  const auto found = names.find(event.file);
  if (found == names.end()) return;
  const std::size_t inode = found->second;
  names.erase(found);
  if (event.call == DiskCall::kRename) names[event.text] = inode;
}

/// The disk as the calls leave it, with what is not yet promised kept apart.
class DiskModel {
 public:
  void apply_call(const DiskEvent& event) {
    switch (event.call) {
      case DiskCall::kCreate:
        names_[event.file] = inodes_.size();
        changes_.emplace_back(&event, inodes_.size());
        inodes_.emplace_back();
        break;
      case DiskCall::kWrite:
      case DiskCall::kTruncate:
        inodes_.at(names_.at(event.file)).pending.push_back(&event);
        break;
      case DiskCall::kSync: {
        Inode& inode = inodes_.at(names_.at(event.file));
        for (const DiskEvent* pending : inode.pending) apply(inode.content, *pending);
        inode.pending.clear();
        break;
      }
      case DiskCall::kRemove:
      case DiskCall::kRename:
        rename_or_remove(names_, event);
        changes_.emplace_back(&event, 0);
        break;
      case DiskCall::kSyncFolder:
        keep_names(kept_names_, changes_.size());
        changes_.clear();
        break;
    }
  }

  [[nodiscard]] DiskRecording::Image cut(Loss loss, Rng& rng) const {
    std::size_t changes = changes_.size();
    if (loss == Loss::kEverything) changes = 0;
    if (loss == Loss::kTail || loss == Loss::kAnySubset) {
      changes = rng.below(static_cast<std::uint32_t>(changes + 1));
    }
    Names names = kept_names_;
    keep_names(names, changes);
    DiskRecording::Image image;
    for (const auto& [name, inode] : names) image[name] = after_cut(inodes_.at(inode), loss, rng);
    return image;
  }

 private:
  void keep_names(Names& names, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [event, inode] = changes_[i];
      if (event->call == DiskCall::kCreate) {
        names[event->file] = inode;
      } else {
        rename_or_remove(names, *event);
      }
    }
  }

  std::vector<Inode> inodes_;
  Names names_;                                                    // as the program sees them
  Names kept_names_;                                               // as they were synced
  std::vector<std::pair<const DiskEvent*, std::size_t>> changes_;  // with the inode of a new name
};

}  // namespace

void DiskRecording::note(DiskEvent event) {
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
}

void DiskRecording::acknowledge() {
  const std::lock_guard lock(mutex_);
  acknowledged_at_.push_back(events_.size());
}

std::size_t DiskRecording::syncs() const {
  return static_cast<std::size_t>(std::count_if(
      events_.begin(), events_.end(), [](const auto& e) { return e.call == DiskCall::kSync; }));
}

std::size_t DiskRecording::acknowledged_before(std::size_t position) const {
  return static_cast<std::size_t>(
      std::upper_bound(acknowledged_at_.begin(), acknowledged_at_.end(), position) -
      acknowledged_at_.begin());
}

DiskRecording::Image DiskRecording::image(std::size_t position, Loss loss, Rng& rng) const {
  DiskModel model;
  for (std::size_t i = 0; i < position; ++i) model.apply_call(events_.at(i));
  return model.cut(loss, rng);
}

namespace {

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

class RecordedFile final : public AppendFile {
 public:
  RecordedFile(DiskRecording& recording, std::unique_ptr<AppendFile> file, const std::string& path)
      : recording_(recording),
        file_(std::move(file)),
        name_(name_of(path)),
        size_(std::filesystem::file_size(path)) {}

  Result<void> append(std::string_view bytes) override {
    if (auto done = file_->append(bytes); !done) return done;
    recording_.note(
        {.call = DiskCall::kWrite, .file = name_, .offset = size_, .text = std::string(bytes)});
    size_ += bytes.size();
    return {};
  }
  Result<void> truncate(std::uint64_t size) override {
    if (auto done = file_->truncate(size); !done) return done;
    recording_.note({.call = DiskCall::kTruncate, .file = name_, .offset = size, .text = {}});
    size_ = size;
    return {};
  }
  Result<void> sync() override {
    recording_.note({.call = DiskCall::kSync, .file = name_, .text = {}});
    return {};
  }

 private:
  DiskRecording& recording_;
  std::unique_ptr<AppendFile> file_;
  std::string name_;
  std::uint64_t size_;
};

}  // namespace

Result<std::unique_ptr<AppendFile>> RecordedDisk::open(const std::string& path) {
  const bool there = std::filesystem::exists(path);
  auto file = system_disk().open(path);
  if (!file) return file;
  if (!there) recording_.note({.call = DiskCall::kCreate, .file = name_of(path), .text = {}});
  return std::unique_ptr<AppendFile>(
      std::make_unique<RecordedFile>(recording_, *std::move(file), path));
}

Result<void> RecordedDisk::rename(const std::string& from, const std::string& to) {
  if (auto done = system_disk().rename(from, to); !done) return done;
  recording_.note({.call = DiskCall::kRename, .file = name_of(from), .text = name_of(to)});
  return {};
}

Result<void> RecordedDisk::remove(const std::string& path) {
  if (auto done = system_disk().remove(path); !done) return done;
  recording_.note({.call = DiskCall::kRemove, .file = name_of(path), .text = {}});
  return {};
}

Result<void> RecordedDisk::sync_folder_of(const std::string& path) {
  recording_.note({.call = DiskCall::kSyncFolder, .file = name_of(path), .text = {}});
  return {};
}

std::filesystem::path memory_folder() {
  return ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path();
}

void put_image(const DiskRecording::Image& image, const std::string& folder) {
  for (const auto& [name, content] : image) write_bytes(folder + "/" + name, content);
}

CutReport make_power_cuts(const DiskRecording& recording, std::size_t cuts, std::uint64_t seed,
                          const Examine& examine) {
  constexpr std::array kLosses{Loss::kAnySubset, Loss::kTail, Loss::kEverything, Loss::kAnySubset,
                               Loss::kNothing};
  CutReport report;
  const std::size_t positions = recording.size() + 1;
  for (std::size_t i = 0; i < cuts && report.failures.size() < kMostFailures; ++i) {
    Rng rng(mix_seed(seed) + i);
    // Every position is met once before any is met twice, with another loss each time round.
    const std::size_t position =
        cuts >= positions
            ? i % positions
            : (i * positions + rng.below(static_cast<std::uint32_t>(positions))) / cuts % positions;
    const Loss loss = kLosses.at((i / positions + i) % kLosses.size());
    const TemporaryFolder folder(memory_folder());
    put_image(recording.image(position, loss, rng), folder.file(""));
    ++report.cuts;
    const std::string wrong = examine(folder.file(""), recording.acknowledged_before(position));
    if (!wrong.empty()) {
      report.failures.push_back(fmt::format("cut {} after call {} of {}, loss {}: {}", i, position,
                                            recording.size(), static_cast<int>(loss), wrong));
    }
  }
  return report;
}

std::size_t cuts_to_make(double share) {
  const char* wanted = std::getenv("ROWBOT_CUTS");
  const double all = wanted == nullptr ? 300 : std::strtod(wanted, nullptr);
  return std::max<std::size_t>(1, static_cast<std::size_t>(all * share));
}

}  // namespace rowbot::disk_testing
