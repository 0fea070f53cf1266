#include "robot/table/journal.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "base/text_file.h"
#include "game/game.h"
#include "nlohmann/json.hpp"

namespace rowbot::table {
namespace {

using game::Column;
using game::EndReason;
using game::GameResult;
using Json = nlohmann::ordered_json;

/// Reads one log, line by line.
class Reader {
 public:
  Result<void> line(std::string_view text) {
    const Json event = Json::parse(text, nullptr, false);
    if (!event.is_object() || !event.contains("event") || !event["event"].is_string()) {
      return Error{"this is no event of a table"};
    }
    const auto& kind = event["event"].get_ref<const std::string&>();
    if (behind_zeros_ && kind != "state") {
      return Error{"lines before it are damaged: zeros with events of a game behind them"};
    }
    if (kind == "game") return begin(event);
    if (kind == "move") return move(event);
    if (kind == "end") return end(event);
    if (kind == "state") return {};
    return Error{fmt::format("there is no event '{}'", kind)};
  }

  /// A power cut has left zeros: from here on no event of a game may follow.
  void note_zeros() { behind_zeros_ = true; }

  [[nodiscard]] std::vector<LoggedGame> games() && { return std::move(games_); }

 private:
  static std::optional<std::uint64_t> number(const Json& event, const char* key) {
    const auto found = event.find(key);
    if (found == event.end() || !found->is_number_unsigned()) return std::nullopt;
    return found->get<std::uint64_t>();
  }
  static std::string text(const Json& event, const char* key) {
    const auto found = event.find(key);
    return found != event.end() && found->is_string() ? found->get<std::string>() : std::string();
  }
  [[nodiscard]] bool open() const {
    return !games_.empty() && games_.back().record.reason == EndReason::kOngoing;
  }
  [[nodiscard]] bool of_open_game(const Json& event) const {
    return open() && number(event, "game") == games_.back().number;
  }

  Result<void> begin(const Json& event) {
    const auto id = number(event, "game");
    if (!id) return Error{"the game has no number"};
    if (open()) return Error{fmt::format("game {} has not ended", games_.back().number)};
    if (!games_.empty() && *id <= games_.back().number) {
      return Error{fmt::format("game {} comes after game {}", *id, games_.back().number)};
    }
    LoggedGame game{.number = *id, .robot = text(event, "robot"), .record = {}};
    game.record.first.name = text(event, "first");
    game.record.second.name = text(event, "second");
    if (auto sound = game::replay(game.record); !sound) return sound.error();
    games_.push_back(std::move(game));
    game_ = {};
    return {};
  }

  Result<void> move(const Json& event) {
    if (!of_open_game(event)) return Error{"the move belongs to no open game"};
    const auto ply = number(event, "ply");
    const auto column = number(event, "column");
    if (ply != game_.moves().size()) {
      return Error{
          fmt::format("{} moves were made, and this is not the next", game_.moves().size())};
    }
    if (!column || *column < 1 || *column > 7) return Error{"the column is not 1 to 7"};
    const Column c(static_cast<int>(*column) - 1);
    if (game_.play(c) != game::Verdict::kFine) {
      return Error{fmt::format("column {} cannot be played here", *column)};
    }
    games_.back().record.moves.push_back(c);
    return {};
  }

  Result<void> end(const Json& event) {
    if (!of_open_game(event)) return Error{"the end belongs to no open game"};
    game::GameRecord record = games_.back().record;
    const auto result = game::parse_result(text(event, "result"));
    const auto reason = game::parse_reason(text(event, "reason"));
    if (!result || !reason) return Error{"result or reason are not understood"};
    record.result = *result;
    record.reason = *reason;
    if (auto sound = game::replay(record); !sound) return sound.error();
    games_.back().record = std::move(record);
    return {};
  }

  std::vector<LoggedGame> games_;
  game::Game game_;  // the last one
  bool behind_zeros_ = false;
};

struct ParsedLog {
  std::vector<LoggedGame> games;
  std::size_t whole = 0;  // bytes before the torn end
};

Result<ParsedLog> parse_log(const std::string_view text) {
  Reader reader;
  int number = 0;
  std::size_t whole = 0;
  bool torn = false;
  for (std::size_t from = 0; from < text.size();) {
    ++number;
    const std::size_t end = text.find('\n', from);
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(from, end - from);
    from = end + 1;
    if (line.find('\0') != std::string_view::npos) {
      reader.note_zeros();
      torn = true;
    } else if (auto read = reader.line(line); !read) {
      return Error{fmt::format("line {}: {}", number, read.error().message)};
    }
    if (!torn) whole = from;
  }
  return ParsedLog{.games = std::move(reader).games(), .whole = whole};
}

/// A game takes about 10 kB: years of games.
constexpr std::size_t kJournalBytes = std::size_t{1} << 30;

}  // namespace

Result<std::vector<LoggedGame>> parse_journal(std::string_view text) {
  auto log = parse_log(text);
  if (!log) return log.error();
  return std::move(log->games);
}

Result<std::vector<LoggedGame>> read_journal(const std::string& file) {
  const auto text = read_text_file(file, kJournalBytes);
  if (!text) return text.error();
  auto games = parse_journal(*text);
  if (!games) return Error{fmt::format("{}: {}", file, games.error().message)};
  return games;
}

Result<std::unique_ptr<Journal>> Journal::open(const std::string& file, Disk& disk) {
  std::unique_ptr<Journal> journal(new Journal);
  if (file.empty()) return journal;
  // Opened, and so locked, before it is read: two tables would number their games alike and cut
  // each other's lines.
  auto opened = disk.open(file);
  if (!opened)
    return Error{fmt::format("the log of the table (--log): {}", opened.error().message)};
  journal->file_ = *std::move(opened);
  const auto text = read_text_file(file, kJournalBytes);
  if (!text) return text.error();
  auto log = parse_log(*text);
  if (!log) {
    return Error{
        fmt::format("{}: {}; move the file away to begin a new log", file, log.error().message)};
  }
  journal->games_ = std::move(log->games);
  journal->size_ = log->whole;
  if (log->whole != text->size()) {
    if (auto cut = journal->file_->truncate(log->whole); !cut) return cut.error();
  }
  // What an earlier run wrote and this one has read must not be lost later.
  if (auto done = journal->file_->sync(); !done) return done.error();
  if (auto done = disk.sync_folder_of(file); !done) return done.error();
  return journal;
}

Result<void> Journal::write(const Json& line, bool to_disk) {
  if (file_ == nullptr) return {};
  auto written =
      write_text(line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n', to_disk);
  if (!written) {
    // The next line must not stand behind a part of this one, nor must this one come back.
    torn_ = !file_->truncate(size_);
    return Error{fmt::format("the log of the table (--log): {}", written.error().message)};
  }
  return {};
}

Result<void> Journal::write_text(const std::string& text, bool to_disk) {
  if (torn_) {
    if (auto cut = file_->truncate(size_); !cut) return cut;
    torn_ = false;
  }
  // Lines of state first, so that an event of a game is never behind lines that may be lost.
  if (to_disk && unsynced_) {
    if (auto done = file_->sync(); !done) return done;
    unsynced_ = false;
  }
  if (auto done = file_->append(text); !done) return done;
  if (to_disk) {
    if (auto done = file_->sync(); !done) return done;
  }
  unsynced_ = !to_disk;
  size_ += text.size();
  return {};
}

Result<void> Journal::begin_game(const LoggedGame& game, double t_s) {
  return write({{"event", "game"},
                {"game", game.number},
                {"first", game.record.first.name},
                {"second", game.record.second.name},
                {"robot", game.robot},
                {"t", t_s}},
               true);
}

Result<void> Journal::move(std::uint64_t game, int ply, Column column, double t_s) {
  return write(
      {{"event", "move"}, {"game", game}, {"ply", ply}, {"column", column.number()}, {"t", t_s}},
      true);
}

Result<void> Journal::end_game(std::uint64_t game, GameResult result, EndReason reason,
                               double t_s) {
  return write({{"event", "end"},
                {"game", game},
                {"result", game::result_text(result)},
                {"reason", game::reason_text(reason)},
                {"t", t_s}},
               true);
}

Result<void> Journal::state(std::string_view state, std::string_view message, double t_s) {
  return write({{"event", "state"}, {"state", state}, {"message", message}, {"t", t_s}}, false);
}

}  // namespace rowbot::table
