#include "engine/solver/book_builder.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>

#include "base/memory.h"
#include "engine/solver/solver.h"
#include "fmt/core.h"

namespace rowbot::solver {
namespace {

using game::Position;
using KnownScores = std::unordered_map<std::uint64_t, Score>;

/// Neighbours in the sorted order have many positions in common: a thread takes them together.
constexpr std::size_t kBatch = 32;

std::string progress_heading(int plies) {
  return fmt::format("rowbot book progress, plies {}", plies);
}

/// Reads the scores noted by earlier runs. An unfinished last line is what a crash leaves: ignored.
Result<KnownScores> read_progress(const std::filesystem::path& path, int plies) {
  KnownScores known;
  std::ifstream file(path);
  if (!file) return known;
  std::string line;
  if (!std::getline(file, line)) return known;
  if (line != progress_heading(plies)) {
    return Error{fmt::format(
        "'{}' is not the progress of a book of {} plies; remove it or choose another --out",
        path.string(), plies)};
  }
  while (std::getline(file, line)) {
    if (file.eof()) break;  // no line end: cut off
    std::istringstream fields(line);
    std::uint64_t key = 0;
    int score = 0;
    if (!(fields >> key >> score) || score < -21 || score > 21) {
      return Error{
          fmt::format("'{}' has a line that is not 'key score': '{}'", path.string(), line)};
    }
    known.emplace(key, Score(score));
  }
  return known;
}

/// Solves what is not known yet of one ply, with all threads.
class PlySolver {
 public:
  PlySolver(const BookBuildOptions& options, const std::vector<Position>& positions,
            KnownScores& known, std::ofstream& notes)
      : options_(options), positions_(positions), known_(known), notes_(notes) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (!known.contains(positions[i].symmetric_key())) open_.push_back(i);
    }
    resumed_ = positions.size() - open_.size();
    const std::uint64_t half_mb = free_memory_bytes() >> 21U;
    table_mb_ =
        options.table_mb != 0
            ? options.table_mb
            : std::clamp<std::size_t>(half_mb / static_cast<unsigned>(options.threads), 1, 256);
  }

  /// Whether all positions are solved and noted.
  [[nodiscard]] bool run() {
    {
      std::vector<std::jthread> workers;
      for (int i = 0; i < options_.threads; ++i) workers.emplace_back([this] { work(); });
    }
    notes_.flush();
    return known_.size() >= positions_.size() && notes_.good();
  }

 private:
  void work() {
    Solver solver({.table_mb = table_mb_});
    while (true) {
      const std::size_t begin = next_.fetch_add(kBatch);
      if (begin >= open_.size()) return;
      const std::size_t end = std::min(begin + kBatch, open_.size());
      for (std::size_t i = begin; i < end; ++i) {
        const Position& position = positions_[open_[i]];
        const auto solution = solver.score(position, {.stop = options_.stop});
        if (!solution) return;
        note(position.symmetric_key(), solution->score);
      }
    }
  }

  void note(std::uint64_t key, Score score) {
    const std::lock_guard lock(mutex_);
    known_.emplace(key, score);
    notes_ << key << ' ' << score.value() << '\n';
    if (known_.size() % kBatch == 0) notes_.flush();
    if (options_.progress) {
      options_.progress({.solved = known_.size(), .total = positions_.size(), .resumed = resumed_});
    }
  }

  const BookBuildOptions& options_;
  const std::vector<Position>& positions_;
  std::vector<std::size_t> open_;  // indices of the positions to solve
  std::size_t table_mb_ = 0;
  std::size_t resumed_ = 0;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;  // guards known_ and notes_ while threads run, and serialises the callback
  KnownScores& known_;
  std::ofstream& notes_;
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

Result<void> write_whole(const std::filesystem::path& path,
                         const std::vector<std::uint8_t>& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) return Error{fmt::format("cannot write '{}'", path.string())};
  return {};
}

}  // namespace

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
  const auto by_ply = positions_by_ply(options.plies);
  std::filesystem::path notes_path = options.out;
  notes_path += ".progress";
  auto known = read_progress(notes_path, options.plies);
  if (!known) return known.error();
  if (!known->empty() || std::filesystem::exists(notes_path)) {
    // Rewritten, so that a line cut off by a crash does not spoil the next one.
    std::ofstream rewritten(notes_path, std::ios::trunc);
    rewritten << progress_heading(options.plies) << '\n';
    for (const auto& [key, score] : *known) rewritten << key << ' ' << score.value() << '\n';
  }
  const bool fresh = known->empty();
  std::ofstream notes(notes_path, fresh ? std::ios::trunc : std::ios::app);
  if (fresh) notes << progress_heading(options.plies) << '\n';
  if (!notes) return Error{fmt::format("cannot write '{}'", notes_path.string())};

  if (!PlySolver(options, by_ply.back(), *known, notes).run()) {
    if (!notes.good()) return Error{fmt::format("cannot write '{}'", notes_path.string())};
    return Error{fmt::format("stopped; the same command goes on with '{}'", notes_path.string())};
  }

  std::vector<BookEntry> entries;
  KnownScores scores = std::move(*known);
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
  const auto bytes = Book::encode(options.plies, entries);
  if (auto written = write_whole(options.out, bytes); !written) return written.error();
  notes.close();
  std::filesystem::remove(notes_path);
  return BookBuildReport{.positions = entries.size(), .bytes = bytes.size()};
}

}  // namespace rowbot::solver
