// The scores a book under construction has so far, in a file that outlasts whatever stops the work:
//
//   rowbot book progress, plies 8
//   4567 -3                          key and score, a line for each solved position
//
// The file only grows. A power cut may leave its end cut short or with zeros in it; what is behind
// the last whole line before that is cut off, and those positions are solved again.
// Thread safety: none; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/disk.h"
#include "base/result.h"
#include "engine/solver/score.h"

namespace rowbot::solver {

/// Scores by Position::symmetric_key().
using KnownScores = std::unordered_map<std::uint64_t, Score>;

struct BookProgressText {
  KnownScores known;
  std::size_t whole = 0;  // bytes before the torn end; 0: not even the heading
};
/// Keys that are no position of the book are not noticed here and do no harm later.
[[nodiscard]] Result<BookProgressText> parse_book_progress(std::string_view text, int plies);

class BookProgressFile {
 public:
  /// Opens the file or makes it, and has then written to it: a place that cannot be written is
  /// found before the work begins. Refuses what is not the progress of a book of as many plies, and
  /// leaves it as it is. `disk` outlives it.
  [[nodiscard]] static Result<BookProgressFile> open(Disk& disk, const std::string& path,
                                                     int plies);

  /// What the file held when it was opened.
  [[nodiscard]] KnownScores& known() { return known_; }
  /// In the file when it returns; on the disk after every few, and after sync().
  [[nodiscard]] Result<void> note(std::uint64_t key, Score score);
  [[nodiscard]] Result<void> sync();

 private:
  BookProgressFile(std::unique_ptr<AppendFile> file, KnownScores known)
      : file_(std::move(file)), known_(std::move(known)) {}

  std::unique_ptr<AppendFile> file_;
  KnownScores known_;
  int unsynced_ = 0;
};

}  // namespace rowbot::solver
