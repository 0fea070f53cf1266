#include "engine/solver/book_progress.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include "fmt/core.h"

namespace rowbot::solver {
namespace {

/// Positions of the deepest ply take far longer than the disk takes for one of these.
constexpr int kNotesBetweenSyncs = 32;

std::string heading(int plies) { return fmt::format("rowbot book progress, plies {}\n", plies); }

struct Parsed {
  KnownScores known;
  std::size_t whole = 0;  // bytes before the torn end; 0: not even the heading
};

Result<Parsed> parse(std::string_view text, const std::string& path, int plies) {
  Parsed parsed;
  const std::string first = heading(plies);
  if (!text.starts_with(first)) {
    // A heading of which not all came to the disk; its other bytes are right or zero.
    bool torn = text.size() <= first.size() || text.find('\0') < first.size();
    for (std::size_t i = 0; i < std::min(text.size(), first.size()); ++i) {
      torn = torn && (text[i] == first[i] || text[i] == '\0');
    }
    if (torn) return parsed;
    return Error{fmt::format(
        "'{}' is not the progress of a book of {} plies; remove it or choose another --out", path,
        plies)};
  }
  parsed.whole = first.size();
  while (true) {
    const std::size_t end = text.find('\n', parsed.whole);
    if (end == std::string_view::npos) return parsed;
    const std::string line(text.substr(parsed.whole, end - parsed.whole));
    if (line.find('\0') != std::string::npos) return parsed;
    std::istringstream fields(line);
    std::uint64_t key = 0;
    int score = 0;
    if (!(fields >> key >> score) || score < -21 || score > 21) {
      return Error{fmt::format("'{}' has a line that is not 'key score': '{}'", path, line)};
    }
    parsed.known.emplace(key, Score(score));
    parsed.whole = end + 1;
  }
}

}  // namespace

Result<BookProgressFile> BookProgressFile::open(Disk& disk, const std::string& path, int plies) {
  std::string text;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    if (!std::filesystem::is_regular_file(path, ignored)) {
      return Error{fmt::format("'{}' is not a file; choose another --out", path)};
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) return Error{fmt::format("cannot read '{}'; may this user read it?", path)};
    text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  auto parsed = parse(text, path, plies);
  if (!parsed) return parsed.error();
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
