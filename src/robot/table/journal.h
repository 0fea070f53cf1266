// The log of a table: one JSON object a line, appended as things happen. A game begins, moves are
// written once they are verified, and it ends once; what the table did in between is there too.
// Replaying the log gives the same games.
//
// A power cut may tear what was not yet synced: one event of a game, or the lines of state since
// the last one. The end of the file is then cut short or has zeros in it, and is taken as if it had
// not been written. Zeros with events of a game behind them are damage, and are refused.
//
//   {"event":"game","game":3,"first":"human","second":"perfect","robot":"panda","t":0.0}
//   {"event":"state","state":"waiting","message":"Your move.","t":0.4}
//   {"event":"move","game":3,"ply":0,"column":4,"t":2.1}
//   {"event":"end","game":3,"result":"second","reason":"four_in_a_row","t":80.2}
//
// Thread safety: one thread writes; reading a file is a pure function of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/disk.h"
#include "base/result.h"
#include "game/game_record.h"
#include "nlohmann/json_fwd.hpp"

namespace rowbot::table {

/// A game as its log tells it: reason kOngoing when the log breaks off.
struct LoggedGame {
  std::uint64_t number = 0;
  std::string robot;
  game::GameRecord record;
};

/// Refuses lines that are no events, and games that contradict themselves, with the line's number.
[[nodiscard]] Result<std::vector<LoggedGame>> parse_journal(std::string_view text);
[[nodiscard]] Result<std::vector<LoggedGame>> read_journal(const std::string& file);

class Journal {
 public:
  /// Appends to the file; creates it when it is not there, cuts off a torn end. An empty name keeps
  /// nothing. Refuses a file that another table writes, in this process or another; a process that
  /// is killed gives it back. `disk` outlives the journal.
  [[nodiscard]] static Result<std::unique_ptr<Journal>> open(const std::string& file,
                                                             Disk& disk = system_disk());

  /// What the file held when it was opened.
  [[nodiscard]] const std::vector<LoggedGame>& games() const { return games_; }

  // What a call could not write is not in the file; the next call may succeed again.
  /// On the disk when it returns.
  [[nodiscard]] Result<void> begin_game(const LoggedGame& game, double t_s);
  /// On the disk when it returns.
  [[nodiscard]] Result<void> move(std::uint64_t game, int ply, game::Column column, double t_s);
  /// On the disk when it returns.
  [[nodiscard]] Result<void> end_game(std::uint64_t game, game::GameResult result,
                                      game::EndReason reason, double t_s);
  [[nodiscard]] Result<void> state(std::string_view state, std::string_view message, double t_s);

 private:
  Journal() = default;
  [[nodiscard]] Result<void> write(const nlohmann::ordered_json& line, bool to_disk);
  [[nodiscard]] Result<void> write_text(const std::string& text, bool to_disk);

  std::unique_ptr<AppendFile> file_;  // null: keeps nothing
  std::vector<LoggedGame> games_;
  std::uint64_t size_ = 0;  // of the whole lines in the file
  bool unsynced_ = false;   // there are lines of state that may be lost
  bool torn_ = false;       // there may be a part of a line behind size_
};

}  // namespace rowbot::table
