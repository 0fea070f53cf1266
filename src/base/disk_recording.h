// For tests of power cuts: what a program did to its files, call by call, and what a disk may hold
// if the power fails after any of these calls. A disk promises only what was synced. Everything
// since may be there, be lost, be there in part (sectors of 512 bytes) or be there without what was
// written before it.
// Thread safety: note() and acknowledge() from any thread; the rest once the run is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/disk.h"
#include "base/rng.h"

namespace rowbot::disk_testing {

enum class DiskCall : std::uint8_t {
  kCreate,
  kWrite,
  kTruncate,  ///< `offset` is the new size
  kSync,
  kRemove,
  kRename,      ///< to `text`
  kSyncFolder,  ///< names made, removed and changed so far are kept; one folder for all files
};

struct DiskEvent {
  DiskCall call = DiskCall::kWrite;
  std::string file;
  std::uint64_t offset = 0;
  std::string text;  ///< the bytes of kWrite, the new name of kRename
};

/// What happens to the calls since the last sync.
enum class Loss : std::uint8_t {
  kNothing,  ///< as if the program alone had been killed
  kEverything,
  kTail,       ///< they are kept up to one that is torn, and no further
  kAnySubset,  ///< each is kept, lost or torn, independently of the others
};

class DiskRecording {
 public:
  void note(DiskEvent event);
  /// The program told somebody that one more piece of work is safe.
  void acknowledge();

  /// Cuts can be made after 0 to this many calls.
  [[nodiscard]] std::size_t size() const { return events_.size(); }
  [[nodiscard]] std::size_t syncs() const;
  /// How much had been acknowledged when the call `position` was made.
  [[nodiscard]] std::size_t acknowledged_before(std::size_t position) const;

  /// The files, by name, after a power cut behind the first `position` calls.
  using Image = std::map<std::string, std::string>;
  [[nodiscard]] Image image(std::size_t position, Loss loss, Rng& rng) const;

 private:
  std::mutex mutex_;  // guards both while the program runs
  std::vector<DiskEvent> events_;
  std::vector<std::size_t> acknowledged_at_;  // how many events there were at each
};

/// The system's disk, with every call recorded. All files are in one folder, new at the start.
class RecordedDisk final : public Disk {
 public:
  explicit RecordedDisk(DiskRecording& recording) : recording_(recording) {}

  [[nodiscard]] Result<std::unique_ptr<AppendFile>> open(const std::string& path) override;
  [[nodiscard]] Result<void> rename(const std::string& from, const std::string& to) override;
  [[nodiscard]] Result<void> remove(const std::string& path) override;
  [[nodiscard]] Result<void> sync_folder_of(const std::string& path) override;

 private:
  DiskRecording& recording_;
};

/// Where files cost no wait for a real disk, if there is such a place: what the disk does is made
/// up.
[[nodiscard]] std::filesystem::path memory_folder();

/// Writes the files of an image into a folder.
void put_image(const DiskRecording::Image& image, const std::string& folder);

struct CutReport {
  std::size_t cuts = 0;
  std::vector<std::string> failures;  ///< where, how, and what was wrong; at most ten
};

/// Makes `cuts` power cuts, spread over the whole recording, puts each image into a new folder and
/// asks `examine` what is wrong there: nothing if it returns an empty text. It is told how much had
/// been acknowledged before the cut.
using Examine = std::function<std::string(const std::string& folder, std::size_t acknowledged)>;
[[nodiscard]] CutReport make_power_cuts(const DiskRecording& recording, std::size_t cuts,
                                        std::uint64_t seed, const Examine& examine);

/// A share of the cuts that one run of all tests makes: 300, or what ROWBOT_CUTS says.
[[nodiscard]] std::size_t cuts_to_make(double share);

}  // namespace rowbot::disk_testing
