#include "engine/solver/book_builder.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/parallel.h"
#include "engine/solver/book_progress.h"
#include "engine/solver/solver.h"
#include "fmt/core.h"

namespace rowbot::solver {
namespace {

using game::Position;

/// Neighbours in the sorted order have many positions in common: a thread takes them together.
constexpr std::size_t kBatch = 32;

/// Solves what is not known yet of one ply, with all threads.
class PlySolver {
 public:
  PlySolver(const BookBuildOptions& options, const std::vector<Position>& positions,
            BookProgressFile& notes)
      : options_(options), positions_(positions), notes_(notes) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (!notes.known().contains(positions[i].symmetric_key())) open_.push_back(i);
    }
    resumed_ = positions.size() - open_.size();
    solved_ = resumed_;
  }

  /// Whether all positions are solved and noted; an error when one could not be noted.
  [[nodiscard]] Result<bool> run() {
    run_parallel(static_cast<std::size_t>(options_.threads), [this](std::size_t) { work(); });
    if (noted_) noted_ = notes_.sync();
    if (!noted_) return noted_.error();
    return solved_ == positions_.size();
  }

 private:
  void work() {
    Solver solver({.table_mb = options_.table_mb});
    while (true) {
      const std::size_t begin = next_.fetch_add(kBatch);
      if (begin >= open_.size()) return;
      const std::size_t end = std::min(begin + kBatch, open_.size());
      for (std::size_t i = begin; i < end; ++i) {
        const Position& position = positions_[open_[i]];
        const auto solution = solver.score(position, {.stop = options_.stop});
        if (!solution) return;
        if (!note(position.symmetric_key(), solution->score)) return;
      }
    }
  }

  /// False when the work is in vain because the disk takes no more.
  [[nodiscard]] bool note(std::uint64_t key, Score score) {
    const std::lock_guard lock(mutex_);
    if (!noted_) return false;
    noted_ = notes_.note(key, score);
    if (!noted_) return false;
    notes_.known().emplace(key, score);
    ++solved_;
    if (options_.progress) {
      options_.progress({.solved = solved_, .total = positions_.size(), .resumed = resumed_});
    }
    return true;
  }

  const BookBuildOptions& options_;
  const std::vector<Position>& positions_;
  std::vector<std::size_t> open_;  // indices of the positions to solve
  std::size_t resumed_ = 0;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;  // guards the three below while threads run, and serialises the callback
  BookProgressFile& notes_;
  std::size_t solved_ = 0;
  Result<void> noted_;
};

/// The score of a position whose children's scores are all known.
Score score_from_children(const Position& position, const KnownScores& children) {
  if (position.winning_moves() != 0) return Score(win_now(position.discs()));
  int best = std::numeric_limits<int>::min();
  for (const game::Column column : game::kAllColumns) {
    if (!position.can_play(column)) continue;
    best = std::max(best, -children.at(position.after(column).symmetric_key()).value());
  }
  return Score(best);
}

/// Finds now, not after days of work, that the book could not be written.
Result<void> prepare_place(const std::filesystem::path& out) {
  std::error_code problem;
  if (std::filesystem::exists(out, problem) && !std::filesystem::is_regular_file(out, problem)) {
    return Error{fmt::format("'{}' is not a file; choose another --out", out.string())};
  }
  const auto folder = out.parent_path();
  problem.clear();
  if (!folder.empty()) std::filesystem::create_directories(folder, problem);
  if (problem) {
    return Error{
        fmt::format("cannot make the folder '{}': {}", folder.string(), problem.message())};
  }
  return {};
}

/// All plies of the book, from the scores of the deepest.
std::vector<BookEntry> entries_of(const std::vector<std::vector<Position>>& by_ply,
                                  KnownScores scores) {
  std::vector<BookEntry> entries;
  for (auto ply = by_ply.rbegin(); ply != by_ply.rend(); ++ply) {
    KnownScores here;
    for (const Position& position : *ply) {
      const std::uint64_t key = position.symmetric_key();
      const Score score =
          ply == by_ply.rbegin() ? scores.at(key) : score_from_children(position, scores);
      here.emplace(key, score);
      entries.push_back({.key = key, .score = score});
    }
    scores = std::move(here);
  }
  return entries;
}

}  // namespace

std::size_t book_table_mb(const Resources& resources) {
  const std::uint64_t half_mb = resources.memory_bytes >> 21U;
  return std::clamp<std::size_t>(half_mb / static_cast<unsigned>(resources.threads), 1, 256);
}

std::vector<std::vector<Position>> positions_by_ply(int plies) {
  std::vector<std::vector<Position>> by_ply{{Position()}};
  for (int ply = 0; ply < plies; ++ply) {
    std::vector<std::pair<std::uint64_t, Position>> next;
    for (const Position& position : by_ply.back()) {
      for (const game::Column column : game::kAllColumns) {
        if (!position.can_play(column)) continue;
        const Position child = position.after(column);
        if (child.outcome().finished()) continue;
        next.emplace_back(child.symmetric_key(), child);
      }
    }
    const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto same_key = [](const auto& a, const auto& b) { return a.first == b.first; };
    std::sort(next.begin(), next.end(), by_key);
    next.erase(std::unique(next.begin(), next.end(), same_key), next.end());
    std::vector<Position>& positions = by_ply.emplace_back();
    positions.reserve(next.size());
    for (const auto& [key, position] : next) positions.push_back(position);
  }
  return by_ply;
}

Result<BookBuildReport> build_book(const BookBuildOptions& options) {
  if (auto fine = prepare_place(options.out); !fine) return fine.error();
  const std::string out = options.out.string();
  const std::string notes_path = out + ".progress";
  auto notes = BookProgressFile::open(*options.disk, notes_path, options.plies);
  if (!notes) return notes.error();
  const auto by_ply = positions_by_ply(options.plies);
  const auto complete = PlySolver(options, by_ply.back(), *notes).run();
  if (!complete) {
    return Error{fmt::format("{}; the same command goes on with '{}' when that is mended",
                             complete.error().message, notes_path)};
  }
  if (!*complete) {
    return Error{fmt::format("stopped; the same command goes on with '{}'", notes_path)};
  }
  const auto entries = entries_of(by_ply, std::move(notes->known()));
  const auto bytes = Book::encode(options.plies, entries);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (auto written = replace_file(*options.disk, out, text); !written) return written.error();
  if (auto removed = options.disk->remove(notes_path); !removed) return removed.error();
  return BookBuildReport{.positions = entries.size(), .bytes = bytes.size()};
}

}  // namespace rowbot::solver
