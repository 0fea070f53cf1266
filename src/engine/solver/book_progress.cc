#include "engine/solver/book_progress.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/text_file.h"
#include "fmt/core.h"

namespace rowbot::solver {
namespace {

/// Positions of the deepest ply take far longer than the disk takes for one of these.
constexpr int kNotesBetweenSyncs = 32;

/// 25 bytes a position: the 69 million positions after fourteen plies.
constexpr std::size_t kMaxBytes = std::size_t{2} << 30;

std::string heading(int plies) { return fmt::format("rowbot book progress, plies {}\n", plies); }

}  // namespace

Result<BookProgressText> parse_book_progress(std::string_view text, int plies) {
  BookProgressText progress;
  const std::string first = heading(plies);
  if (!text.starts_with(first)) {
    // A heading of which not all came to the disk; its other bytes are right or zero.
    bool torn = text.size() <= first.size() || text.find('\0') < first.size();
    for (std::size_t i = 0; i < std::min(text.size(), first.size()); ++i) {
      torn = torn && (text[i] == first[i] || text[i] == '\0');
    }
    if (torn) return progress;
    return Error{fmt::format("this is not the progress of a book of {} plies", plies)};
  }
  progress.whole = first.size();
  for (int number = 2;; ++number) {
    const std::size_t end = text.find('\n', progress.whole);
    if (end == std::string_view::npos) return progress;
    const std::string_view line = text.substr(progress.whole, end - progress.whole);
    if (line.find('\0') != std::string_view::npos) return progress;
    const std::size_t space = line.find(' ');
    const auto key = parse_count(line.substr(0, space));
    const auto score = parse_integer(space == std::string_view::npos ? "" : line.substr(space + 1));
    if (!key || !score || *score < -21 || *score > 21) {
      return Error{fmt::format("line {} is not 'key score': {}", number, in_quotes(line))};
    }
    progress.known.emplace(*key, Score(static_cast<int>(*score)));
    progress.whole = end + 1;
  }
}

Result<BookProgressFile> BookProgressFile::open(Disk& disk, const std::string& path, int plies) {
  std::string text;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    auto read = read_text_file(path, kMaxBytes);
    if (!read) return read.error();
    text = *std::move(read);
  }
  auto parsed = parse_book_progress(text, plies);
  if (!parsed) {
    return Error{
        fmt::format("{}: {}; remove it or choose another --out", path, parsed.error().message)};
  }
  auto file = disk.open(path);
  if (!file) return file.error();
  if (parsed->whole != text.size()) {
    if (auto cut = (*file)->truncate(parsed->whole); !cut) return cut.error();
  }
  BookProgressFile progress(*std::move(file), std::move(parsed->known));
  if (parsed->whole == 0) {
    if (auto done = progress.file_->append(heading(plies)); !done) return done.error();
  }
  if (auto done = progress.sync(); !done) return done.error();
  if (auto done = disk.sync_folder_of(path); !done) return done.error();
  return progress;
}

Result<void> BookProgressFile::note(std::uint64_t key, Score score) {
  if (auto done = file_->append(fmt::format("{} {}\n", key, score.value())); !done) return done;
  return ++unsynced_ < kNotesBetweenSyncs ? Result<void>() : sync();
}

Result<void> BookProgressFile::sync() {
  unsynced_ = 0;
  return file_->sync();
}

}  // namespace rowbot::solver
