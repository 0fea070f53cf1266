// Making an opening book: solves every position of the deepest ply and works out the plies above.
// Thread safety: build_book() runs threads of its own; the progress callback comes from one of
// them at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/disk.h"
#include "base/resources.h"
#include "base/result.h"
#include "base/stop.h"
#include "engine/solver/book.h"
#include "game/position.h"

namespace rowbot::solver {

struct BookProgress {
  std::size_t solved = 0;   ///< of the deepest ply, those of earlier runs included
  std::size_t total = 0;    ///< positions of the deepest ply
  std::size_t resumed = 0;  ///< how many of them earlier runs had solved
};

struct BookBuildOptions {
  int plies = 8;
  std::filesystem::path out;
  int threads = 1;
  std::size_t table_mb = 16;                          ///< of each thread
  std::function<void(const BookProgress&)> progress;  ///< called after every few positions
  StopToken stop;
  Disk* disk = &system_disk();  ///< tests record it
};

/// Each thread's part of half the memory, from 1 to 256 megabytes.
[[nodiscard]] std::size_t book_table_mb(const Resources& resources);

struct BookBuildReport {
  std::uint64_t positions = 0;
  std::size_t bytes = 0;
};

/// The unfinished positions of each ply from 0 to `plies`, mirror images once, sorted by
/// Position::symmetric_key().
[[nodiscard]] std::vector<std::vector<game::Position>> positions_by_ply(int plies);

/// Blocks until the book is written to `out`. Every solved position is noted at once in
/// `out`.progress, which is made before the work begins; when that file exists already, the work
/// goes on where it was left. It is removed when the book is complete. When stopped, or when a
/// position cannot be noted, an error says so at once. A book that was there before is replaced as
/// a whole.
[[nodiscard]] Result<BookBuildReport> build_book(const BookBuildOptions& options);

}  // namespace rowbot::solver
