#include "robot/vision/expect.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace rowbot::vision {
namespace {

using cell::CellContent;

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = line.find(separator);
    out.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return out;
    line.remove_prefix(end + 1);
  }
}

CellContent other_colour(CellContent c) {
  if (c == CellContent::kFirst) return CellContent::kSecond;
  if (c == CellContent::kSecond) return CellContent::kFirst;
  return c;
}

}  // namespace

Result<std::vector<PhotoLabel>> parse_labels(std::string_view text) {
  std::vector<PhotoLabel> labels;
  std::vector<std::string_view> names;
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    const auto fields = split(line, '\t');
    if (names.empty()) {
      names = fields;
      for (const std::string_view needed : {"file", "board"}) {
        if (std::find(names.begin(), names.end(), needed) == names.end()) {
          return Error{fmt::format("line {}: the column '{}' is missing", number, needed)};
        }
      }
      continue;
    }
    const auto field = [&](std::string_view name) -> std::string_view {
      const auto at =
          static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
      return at < fields.size() ? fields[at] : std::string_view();
    };
    PhotoLabel label;
    label.file = field("file");
    label.group = field("group");
    label.refuse = field("status") == "partial";
    if (label.file.empty()) return Error{fmt::format("line {}: no file name", number)};
    const auto board = cell::parse_board_text(field("board"));
    if (board) {
      label.board = *board;
    } else if (!label.refuse) {
      return Error{fmt::format("line {}: {}", number, board.error().message)};
    }
    labels.push_back(std::move(label));
  }
  if (names.empty()) return Error{"the label file is empty"};
  return labels;
}

bool add_to_tally(const PhotoLabel& label, const cell::BoardReading& reading, Tally& tally) {
  const bool good = reading.sight == cell::Sight::kGood;
  if (label.refuse) {
    ++tally.must_refuse;
    tally.must_refuse_right += good ? 0 : 1;
    tally.confident_wrong += good ? 1 : 0;
    return !good;
  }
  ++tally.photos;
  if (reading.sight == cell::Sight::kNone || reading.sight == cell::Sight::kMoving) {
    ++tally.refused;
  }
  struct Score {
    int cells = 0;
    int right = 0;
    int sure_wrong = 0;
  };
  std::optional<Score> best;
  for (const bool swap : {false, true}) {
    Score score;
    for (std::size_t i = 0; i < cell::kBoardCells; ++i) {
      if (label.board[i] == CellContent::kHidden) continue;
      const CellContent seen = swap ? other_colour(reading.board[i]) : reading.board[i];
      ++score.cells;
      if (seen == label.board[i]) {
        ++score.right;
      } else if (reading.confidence[i] > 0.99F && seen != CellContent::kHidden) {
        ++score.sure_wrong;
      }
    }
    if (!best || score.right > best->right) best = score;
  }
  const bool exact = best->right == best->cells;
  tally.cells += best->cells;
  tally.cells_right += best->right;
  tally.confident_wrong_cells += best->sure_wrong;
  tally.exact += exact ? 1 : 0;
  tally.confident_wrong += good && !exact ? 1 : 0;
  return exact;
}

}  // namespace rowbot::vision
