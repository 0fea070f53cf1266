#include "robot/table/journal.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "game/game.h"
#include "nlohmann/json.hpp"

namespace rowbot::table {
namespace {

using game::Column;
using game::EndReason;
using game::GameResult;
using Json = nlohmann::ordered_json;

std::string os_error() { return std::strerror(errno); }

/// Reads one log, line by line.
class Reader {
 public:
  Result<void> line(std::string_view text) {
    const Json event = Json::parse(text, nullptr, false);
    if (!event.is_object() || !event.contains("event") || !event["event"].is_string()) {
      return Error{"this is no event of a table"};
    }
    const auto& kind = event["event"].get_ref<const std::string&>();
    if (kind == "game") return begin(event);
    if (kind == "move") return move(event);
    if (kind == "end") return end(event);
    if (kind == "state") return {};
    return Error{fmt::format("there is no event '{}'", kind)};
  }

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
};

Result<std::string> contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Error{fmt::format("cannot read {}: {}", file, os_error())};
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

}  // namespace

Result<std::vector<LoggedGame>> parse_journal(std::string_view text) {
  Reader reader;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // torn
    if (auto read = reader.line(text.substr(0, end)); !read) {
      return Error{fmt::format("line {}: {}", number, read.error().message)};
    }
    text.remove_prefix(end + 1);
  }
  return std::move(reader).games();
}

Result<std::vector<LoggedGame>> read_journal(const std::string& file) {
  const auto text = contents(file);
  if (!text) return text.error();
  auto games = parse_journal(*text);
  if (!games) return Error{fmt::format("{}: {}", file, games.error().message)};
  return games;
}

Journal::Journal(int file, std::string name, std::vector<LoggedGame> games)
    : file_(file), name_(std::move(name)), games_(std::move(games)) {}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

Result<std::unique_ptr<Journal>> Journal::open(const std::string& file) {
  if (file.empty()) return std::unique_ptr<Journal>(new Journal(-1, {}, {}));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  const int opened = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (opened < 0) return Error{fmt::format("cannot open the log {}: {}", file, os_error())};
  std::unique_ptr<Journal> journal(new Journal(opened, file, {}));
  const auto text = contents(file);
  if (!text) return text.error();
  auto games = parse_journal(*text);
  if (!games) {
    return Error{
        fmt::format("{}: {}; move the file away to begin a new log", file, games.error().message)};
  }
  journal->games_ = *std::move(games);
  const std::size_t whole = text->rfind('\n') == std::string::npos ? 0 : text->rfind('\n') + 1;
  if (whole != text->size() && ::ftruncate(opened, static_cast<off_t>(whole)) != 0) {
    return Error{fmt::format("cannot cut off the torn last line of {}: {}", file, os_error())};
  }
  return journal;
}

Result<void> Journal::write(const Json& line, bool to_disk) {
  if (file_ < 0) return {};
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  // One call a line: a crash tears the last line at most.
  const ssize_t written = ::write(file_, text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size())) {
    return Error{fmt::format("cannot write the log {}: {}", name_,
                             written < 0 ? os_error() : std::string("the disk is full"))};
  }
  if (to_disk && ::fdatasync(file_) != 0 && errno != EINVAL) {
    return Error{fmt::format("cannot bring the log {} to the disk: {}", name_, os_error())};
  }
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
