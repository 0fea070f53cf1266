// The log of a table: one JSON object a line, appended as things happen. A game begins, moves are
// written once they are verified, and it ends once; what the table did in between is there too.
// Replaying the log gives the same games. The last line may be torn by a power cut: it is then as
// if it had not been written.
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
  /// Appends to the file; creates it when it is not there, cuts off a torn last line. An empty
  /// name keeps nothing.
  [[nodiscard]] static Result<std::unique_ptr<Journal>> open(const std::string& file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  Journal(Journal&&) = delete;
  Journal& operator=(Journal&&) = delete;

  /// What the file held when it was opened.
  [[nodiscard]] const std::vector<LoggedGame>& games() const { return games_; }

  [[nodiscard]] Result<void> begin_game(const LoggedGame& game, double t_s);
  /// On the disk when it returns.
  [[nodiscard]] Result<void> move(std::uint64_t game, int ply, game::Column column, double t_s);
  /// On the disk when it returns.
  [[nodiscard]] Result<void> end_game(std::uint64_t game, game::GameResult result,
                                      game::EndReason reason, double t_s);
  [[nodiscard]] Result<void> state(std::string_view state, std::string_view message, double t_s);

 private:
  Journal(int file, std::string name, std::vector<LoggedGame> games);
  [[nodiscard]] Result<void> write(const nlohmann::ordered_json& line, bool to_disk);

  int file_;
  std::string name_;
  std::vector<LoggedGame> games_;
};

}  // namespace rowbot::table
