#include "service/server/http/messages.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "fmt/core.h"
#include "game/bits.h"
#include "game/moves_text.h"
#include "nlohmann/json.hpp"
#include "service/server/games/levels.h"
#include "service/server/games/survey.h"
#include "service/server/lab/lab_agents.h"
#include "service/server/token.h"

namespace rowbot::server {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestAnnouncement = 500;
constexpr std::uint64_t kMostLabGames = 200;
constexpr std::uint64_t kLongestLabOpening = 12;
constexpr std::uint64_t kLargestSeed = (std::uint64_t{1} << 53) - 1;  // exact in every JSON reader

ApiError bad(std::string_view code, std::string message) {
  return {.status = 400, .code = std::string(code), .message = std::move(message)};
}

HttpResult<json> parse_object(std::string_view body) {
  json object = json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return bad("bad_json", "The body must be a JSON object.");
  return object;
}

/// Nothing when the key is absent or null.
HttpResult<std::optional<std::string>> text_field(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::optional<std::string>();
  if (!found->is_string()) return bad("bad_field", fmt::format("\"{}\" must be a text.", key));
  return std::optional(found->get<std::string>());
}

HttpResult<std::optional<HumanSeat>> human_field(const json& object) {
  static constexpr std::array<std::pair<std::string_view, HumanSeat>, 5> kSeats{
      {{"first", HumanSeat::kFirst},
       {"second", HumanSeat::kSecond},
       {"both", HumanSeat::kBoth},
       {"link", HumanSeat::kLink},
       {"none", HumanSeat::kNone}}};
  const auto text = text_field(object, "human");
  if (!text) return text.error();
  if (!*text) return std::optional<HumanSeat>();
  for (const auto& [name, seat] : kSeats) {
    if (name == **text) return std::optional(seat);
  }
  return bad("bad_field", "\"human\" must be first, second, both, link or none.");
}

HttpResult<std::optional<std::string>> level_field(const json& object) {
  auto level = text_field(object, "level");
  if (!level) return level.error();
  if (*level && visitor_level(**level) == nullptr) {
    return bad("unknown_level", fmt::format("There is no level {}. GET /api/v1/levels lists them.",
                                            in_quotes(**level)));
  }
  return level;
}

struct Whole {
  std::uint64_t least;
  std::uint64_t most;
  std::uint64_t fallback;  ///< when the key is absent or null
};

HttpResult<std::uint64_t> whole_field(const json& object, const char* key, const Whole& range) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return range.fallback;
  if (found->is_number_unsigned()) {
    const auto number = found->get<std::uint64_t>();
    if (number >= range.least && number <= range.most) return number;
  }
  return bad("bad_field", fmt::format("\"{}\" must be a whole number from {} to {}.", key,
                                      range.least, range.most));
}

/// One of the two in a match of the laboratory.
HttpResult<roster::AgentSpec> lab_agent_field(const json& object, const char* key) {
  const auto text = text_field(object, key);
  if (!text) return text.error();
  if (!*text) {
    return bad("bad_agent",
               fmt::format("\"{}\" must name an agent. GET /api/v1/lab/agents lists some.", key));
  }
  auto agent = lab_agent(**text);
  if (!agent) return bad("bad_agent", fmt::format("\"{}\": {}.", key, agent.error().message));
  return *std::move(agent);
}

/// One seat of a game to watch.
HttpResult<std::string> agent_field(const json& object, const char* key,
                                    std::string_view fallback) {
  auto text = text_field(object, key);
  if (!text) return text.error();
  std::string agent = text->value_or(std::string(fallback));
  const auto thinker = thinker_of(agent);
  if (!thinker) {
    return bad("bad_agent", fmt::format("\"{}\": {}.", key, thinker.error().message));
  }
  return visitor_level(agent) != nullptr ? agent : thinker->agent.text();
}

template <std::size_t kCount>
HttpResult<std::string> choice_field(const json& object, const char* key,
                                     const std::array<SurveyChoice, kCount>& choices) {
  const auto text = text_field(object, key);
  if (!text) return text.error();
  const bool known = *text && std::any_of(choices.begin(), choices.end(),
                                          [&](const auto& choice) { return choice.key == **text; });
  if (!known) {
    return bad("bad_field",
               fmt::format("\"{}\" must be one of the keys of GET /api/v1/survey.", key));
  }
  return **text;
}

}  // namespace

HttpResult<NewGameMessage> parse_new_game(std::string_view body) {
  const auto object = parse_object(body);
  if (!object) return object.error();
  NewGameMessage message;
  const auto human = human_field(*object);
  if (!human) return human.error();
  message.human = human->value_or(HumanSeat::kFirst);
  const auto level = level_field(*object);
  if (!level) return level.error();
  if (message.human == HumanSeat::kFirst || message.human == HumanSeat::kSecond) {
    message.level = level->value_or("easy");
  }
  if (message.human == HumanSeat::kNone) {
    const std::string fallback = level->value_or("easy");
    auto first = agent_field(*object, "first", fallback);
    if (!first) return first.error();
    auto second = agent_field(*object, "second", fallback);
    if (!second) return second.error();
    message.first = *first;
    message.second = *second;
  }
  const auto moves = text_field(*object, "moves");
  if (!moves) return moves.error();
  if (*moves) {
    if ((*moves)->size() > game::kCells) return bad("bad_moves", "These are more moves than fit.");
    auto played = game::parse_played(**moves);
    if (!played) return bad("bad_moves", fmt::format("\"moves\": {}.", played.error().message));
    if (played->position.outcome().finished()) {
      return bad("bad_moves", "The game is over after these moves.");
    }
    message.moves = std::move(played->moves);
  }
  return message;
}

HttpResult<RestartMessage> parse_restart(std::string_view body) {
  if (trimmed(body).empty()) return RestartMessage{};
  const auto object = parse_object(body);
  if (!object) return object.error();
  const auto human = human_field(*object);
  if (!human) return human.error();
  auto level = level_field(*object);
  if (!level) return level.error();
  return RestartMessage{.human = *human, .level = *std::move(level)};
}

HttpResult<MoveMessage> parse_move(std::string_view body) {
  const auto object = parse_object(body);
  if (!object) return object.error();
  const auto integer = [&](const char* key) -> std::optional<std::int64_t> {
    const auto found = object->find(key);
    if (found == object->end() || !found->is_number_integer()) return std::nullopt;
    // A number past 64 bits reads as unsigned or as a fraction; both are no column and no ply.
    if (found->is_number_unsigned() && found->template get<std::uint64_t>() > INT32_MAX) {
      return std::nullopt;
    }
    return found->template get<std::int64_t>();
  };
  const auto column = integer("column");
  if (!column || *column < 1 || *column > game::kColumns) {
    return bad("bad_column", "\"column\" must be a number from 1 to 7.");
  }
  MoveMessage message{.column = game::Column(static_cast<int>(*column) - 1)};
  if (const auto ply = object->find("ply"); ply != object->end() && !ply->is_null()) {
    const auto number = integer("ply");
    if (!number || *number < 0 || *number >= game::kCells) {
      return bad("bad_ply", "\"ply\" must be the number of moves made, from 0 to 41.");
    }
    message.ply = static_cast<int>(*number);
  }
  return message;
}

HttpResult<std::string> parse_ticket(std::string_view body) {
  const auto object = parse_object(body);
  if (!object) return object.error();
  auto token = text_field(*object, "token");
  if (!token) return token.error();
  if (!*token || !is_token(**token)) {
    return bad("bad_field", "\"token\" must be what POST /api/v1/table/join answered.");
  }
  return **std::move(token);
}

HttpResult<TableMoveMessage> parse_table_move(std::string_view body) {
  auto token = parse_ticket(body);
  if (!token) return token.error();
  const auto move = parse_move(body);
  if (!move) return move.error();
  return TableMoveMessage{.token = *std::move(token), .move = *move};
}

HttpResult<SurveyMessage> parse_survey(std::string_view body) {
  const auto object = parse_object(body);
  if (!object) return object.error();
  auto token = text_field(*object, "game");
  if (!token) return token.error();
  if (*token && !is_token(**token)) return bad("bad_field", "\"game\" must be a game's token.");
  const auto feel = choice_field(*object, "feel", kFeelings);
  if (!feel) return feel.error();
  const auto age = choice_field(*object, "age", kAges);
  if (!age) return age.error();
  return SurveyMessage{.token = *std::move(token), .feel = *feel, .age = *age};
}

HttpResult<LabMatchMessage> parse_lab_match(std::string_view body) {
  const auto object = parse_object(body);
  if (!object) return object.error();
  auto a = lab_agent_field(*object, "a");
  if (!a) return a.error();
  auto b = lab_agent_field(*object, "b");
  if (!b) return b.error();
  LabMatchMessage message{.a = *std::move(a), .b = *std::move(b)};
  const auto games =
      whole_field(*object, "games", {.least = 1, .most = kMostLabGames, .fallback = message.games});
  if (!games) return games.error();
  const auto seed =
      whole_field(*object, "seed", {.least = 0, .most = kLargestSeed, .fallback = message.seed});
  if (!seed) return seed.error();
  const auto openings =
      whole_field(*object, "openings", {.least = 0, .most = kLongestLabOpening, .fallback = 0});
  if (!openings) return openings.error();
  message.games = *games;
  message.seed = *seed;
  message.openings = static_cast<int>(*openings);
  return message;
}

HttpResult<AnnouncementMessage> parse_announcement(std::string_view body) {
  const auto object = parse_object(body);
  if (!object) return object.error();
  const auto text = text_field(*object, "text");
  if (!text) return text.error();
  if (!*text || (*text)->size() > kLongestAnnouncement) {
    return bad("bad_field",
               fmt::format("\"text\" must be a text of at most {} bytes.", kLongestAnnouncement));
  }
  return AnnouncementMessage{.text = **text};
}

}  // namespace rowbot::server
