// The bodies of requests: from JSON to values, or to a error that names the field.
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/roster/agent_spec.h"
#include "game/column.h"
#include "service/server/api_error.h"

namespace rowbot::server {

/// Who of the two is a person.
enum class HumanSeat : std::uint8_t { kFirst, kSecond, kBoth, kLink, kNone };

struct NewGameMessage {
  HumanSeat human = HumanSeat::kFirst;
  std::string level;  ///< set for kFirst and kSecond; a level that exists
  std::string first;  ///< set for kNone; texts that thinker_of() accepts
  std::string second;
  std::vector<game::Column> moves;  ///< legal, and the game goes on after them
};

struct RestartMessage {
  std::optional<HumanSeat> human;
  std::optional<std::string> level;
};

struct MoveMessage {
  game::Column column{0};
  std::optional<int> ply;
};

/// A move at the robot's table.
struct TableMoveMessage {
  std::string token;  ///< of the visitor
  MoveMessage move;
};

struct SurveyMessage {
  std::optional<std::string> token;
  std::string feel;
  std::string age;
};

/// A match in the laboratory.
struct LabMatchMessage {
  roster::AgentSpec a;  ///< that lab_agent() made
  roster::AgentSpec b;
  std::uint64_t games = 100;
  std::uint64_t seed = 1;
  int openings = 0;  ///< random plies before the agents take over
};

struct AnnouncementMessage {
  std::string text;
};

[[nodiscard]] HttpResult<NewGameMessage> parse_new_game(std::string_view body);
/// An empty body changes nothing about the game.
[[nodiscard]] HttpResult<RestartMessage> parse_restart(std::string_view body);
[[nodiscard]] HttpResult<MoveMessage> parse_move(std::string_view body);
[[nodiscard]] HttpResult<TableMoveMessage> parse_table_move(std::string_view body);
/// The token of a visitor at the robot's table.
[[nodiscard]] HttpResult<std::string> parse_ticket(std::string_view body);
[[nodiscard]] HttpResult<SurveyMessage> parse_survey(std::string_view body);
[[nodiscard]] HttpResult<LabMatchMessage> parse_lab_match(std::string_view body);
[[nodiscard]] HttpResult<AnnouncementMessage> parse_announcement(std::string_view body);

}  // namespace rowbot::server
