#include "game/game_record.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "base/text.h"
#include "fmt/core.h"
#include "game/game.h"
#include "game/moves_text.h"
#include "nlohmann/json.hpp"

namespace rowbot::game {
namespace {

constexpr int kFormat = 1;

bool one_line(std::string_view text) {
  return trimmed(text) == text && text.find_first_of("\n\r") == std::string_view::npos;
}

/// A record and those of its fields that are texts until all are there: what both forms share.
struct Fields {
  GameRecord record;
  std::string moves;
  std::string result;
  std::string reason;
};

Result<GameRecord> to_record(Fields fields) {
  GameRecord& record = fields.record;
  auto played = parse_played(fields.moves);
  if (!played) return Error{"moves: " + played.error().message};
  record.moves = std::move(played->moves);
  const auto result = parse_result(fields.result);
  if (!result) {
    return Error{
        fmt::format("result: {} is not first, second, draw or ongoing", in_quotes(fields.result))};
  }
  const auto reason = parse_reason(fields.reason);
  if (!reason) return Error{fmt::format("reason: {} is unknown", in_quotes(fields.reason))};
  record.result = *result;
  record.reason = *reason;
  if (const auto final = replay(record); !final) return final.error();
  return std::move(record);
}

/// Stores one `key: value` line of the text form; the key is known not to be a repetition.
Result<void> store(Fields& fields, std::string_view key, std::string_view value) {
  GameRecord& record = fields.record;
  PlayerRecord& player = key.starts_with("first") ? record.first : record.second;
  if (key == "first" || key == "second") {
    player.name = value;
  } else if (key == "moves") {
    fields.moves = value;
  } else if (key == "result") {
    fields.result = value;
  } else if (key == "reason") {
    fields.reason = value;
  } else if (key == "first-seed" || key == "second-seed" || key == "start-moves") {
    const auto number = parse_count(value);
    if (!number) return Error{fmt::format("{}: {}", key, number.error().message)};
    if (key == "start-moves") {
      record.start_moves = *number;
    } else {
      player.seed = *number;
    }
  } else if (key == "thinking-us" || key == "first-us" || key == "second-us") {
    auto times = parse_thinking(value);
    if (!times) return Error{fmt::format("{}: {}", key, times.error().message)};
    if (key == "thinking-us") {
      record.thinking = *std::move(times);
    } else if (times->size() == 1) {
      player.thinking = times->front();
    } else {
      return Error{fmt::format("{}: {} is not one number", key, in_quotes(value))};
    }
  } else if (key == "had-undo" && (value == "yes" || value == "no")) {
    record.had_undo = value == "yes";
  } else if (key == "note") {
    record.note = value;
  } else {
    return Error{fmt::format("there is no field {}", in_quotes(key))};
  }
  return {};
}

Result<std::string> text_field(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) {
    return Error{fmt::format("'{}' is missing or not a text", key)};
  }
  return found->get<std::string>();
}

Result<MoveTime> time_value(const nlohmann::json& value) {
  if (value.is_null()) return MoveTime();
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > INT64_MAX) {
    return Error{"'thinking_us' holds something that is not a number of microseconds"};
  }
  return MoveTime(value.get<std::int64_t>());
}

Result<PlayerRecord> player_field(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) {
    return Error{fmt::format("'{}' is missing or not an object with a name", key)};
  }
  const auto name = text_field(*found, "name");
  if (!name) return Error{fmt::format("'{}': {}", key, name.error().message)};
  PlayerRecord player{.name = *name};
  if (const auto value = found->find("seed"); value != found->end() && !value->is_null()) {
    if (!value->is_number_unsigned()) {
      return Error{fmt::format("'{}': 'seed' is not a whole number from 0", key)};
    }
    player.seed = value->get<std::uint64_t>();
  }
  const auto time = time_value(found->value("thinking_us", nlohmann::json()));
  if (!time) return Error{fmt::format("'{}': {}", key, time.error().message)};
  player.thinking = *time;
  return player;
}

Result<std::vector<MoveTime>> thinking_field(const nlohmann::json& object) {
  std::vector<MoveTime> times;
  const auto found = object.find("thinking_us");
  if (found == object.end()) return times;
  if (!found->is_array()) return Error{"'thinking_us' is not an array"};
  for (const auto& value : *found) {
    const auto time = time_value(value);
    if (!time) return time.error();
    times.push_back(*time);
  }
  return times;
}

nlohmann::ordered_json time_json(MoveTime time) {
  return time ? nlohmann::ordered_json(time->count()) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json player_json(const PlayerRecord& player) {
  nlohmann::ordered_json json{{"name", player.name}};
  if (player.seed) json["seed"] = *player.seed;
  if (player.thinking) json["thinking_us"] = player.thinking->count();
  return json;
}

}  // namespace

void settle_by_rules(GameRecord& record) {
  const Game game(record.moves);
  record.result = game.result();
  record.reason = game.reason();
}

Result<Position> replay(const GameRecord& record) {
  for (const PlayerRecord* player : {&record.first, &record.second}) {
    if (player->name.empty() || !one_line(player->name)) {
      return Error{
          fmt::format("a player's name must be one line of text, not {}", in_quotes(player->name))};
    }
  }
  if (!one_line(record.note)) {
    return Error{fmt::format("the note must be one line of text, not {}", in_quotes(record.note))};
  }
  if (!record.thinking.empty() && record.thinking.size() != record.moves.size()) {
    return Error{fmt::format("there are {} thinking times for {} moves", record.thinking.size(),
                             record.moves.size())};
  }
  const auto game = Game::resume(record);
  if (!game) return game.error();
  return game->position();
}

std::array<MoveTime, 2> total_thinking(const GameRecord& record) {
  std::array<MoveTime, 2> total{record.first.thinking, record.second.thinking};
  for (std::size_t ply = record.start_moves; ply < record.thinking.size(); ++ply) {
    const bool measured = (ply % 2 == 0 ? record.first : record.second).thinking.has_value();
    const MoveTime time = record.thinking[ply];
    MoveTime& sum = total.at(ply % 2);
    if (time && !measured) sum = sum.value_or(std::chrono::microseconds(0)) + *time;
  }
  return total;
}

std::string thinking_text(const std::vector<MoveTime>& times) {
  std::string text;
  for (const MoveTime time : times) {
    if (!text.empty()) text += ' ';
    text += time ? std::to_string(time->count()) : "-";
  }
  return text;
}

Result<std::vector<MoveTime>> parse_thinking(std::string_view text) {
  std::vector<MoveTime> times;
  for (const std::string_view part : split(text, ' ')) {
    if (part.empty()) continue;
    if (part == "-") {
      times.emplace_back();
      continue;
    }
    const auto value = parse_integer(part);
    if (!value || *value < 0) {
      return Error{fmt::format("{} is not a number of microseconds", in_quotes(part))};
    }
    times.emplace_back(*value);
  }
  return times;
}

std::string record_text(const GameRecord& record) {
  std::string text = fmt::format("rowbot-game: {}\nfirst: {}\nsecond: {}\n", kFormat,
                                 record.first.name, record.second.name);
  for (const auto& [side, player] :
       {std::pair("first", &record.first), std::pair("second", &record.second)}) {
    if (player->seed) text += fmt::format("{}-seed: {}\n", side, *player->seed);
    if (player->thinking) text += fmt::format("{}-us: {}\n", side, player->thinking->count());
  }
  text += fmt::format("moves: {}\n", moves_text(record.moves));
  if (!record.thinking.empty()) {
    text += fmt::format("thinking-us: {}\n", thinking_text(record.thinking));
  }
  text += fmt::format("result: {}\nreason: {}\n", result_text(record.result),
                      reason_text(record.reason));
  if (record.start_moves > 0) text += fmt::format("start-moves: {}\n", record.start_moves);
  if (record.had_undo) text += "had-undo: yes\n";
  if (!record.note.empty()) text += fmt::format("note: {}\n", record.note);
  return text;
}

Result<GameRecord> parse_record_text(std::string_view text) {
  Fields fields;
  std::vector<std::string_view> seen;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trimmed(line).empty()) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      return Error{
          fmt::format("line {}: {} is not of the form 'key: value'", number, in_quotes(line))};
    }
    const std::string_view key = trimmed(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (seen.empty()) {
      if (key != "rowbot-game") {
        return Error{fmt::format("line {}: a game begins with 'rowbot-game: {}'", number, kFormat)};
      }
      if (value != std::to_string(kFormat)) {
        return Error{
            fmt::format("line {}: format {} is not known here; this program reads "
                        "format {}",
                        number, in_quotes(value), kFormat)};
      }
    } else if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
      return Error{fmt::format("line {}: the field {} stands there twice", number, in_quotes(key))};
    } else if (const auto stored = store(fields, key, value); !stored) {
      return Error{fmt::format("line {}: {}", number, stored.error().message)};
    }
    seen.push_back(key);
  }
  if (seen.empty()) return Error{"there is no game here: the text is empty"};
  return to_record(std::move(fields));
}

nlohmann::ordered_json record_json(const GameRecord& record) {
  nlohmann::ordered_json json{{"format", kFormat},
                              {"first", player_json(record.first)},
                              {"second", player_json(record.second)},
                              {"moves", moves_text(record.moves)}};
  if (!record.thinking.empty()) {
    json["thinking_us"] = nlohmann::ordered_json::array();
    for (const auto time : record.thinking) json["thinking_us"].push_back(time_json(time));
  }
  json["result"] = result_text(record.result);
  json["reason"] = reason_text(record.reason);
  if (record.start_moves > 0) json["start_moves"] = record.start_moves;
  if (record.had_undo) json["had_undo"] = true;
  if (!record.note.empty()) json["note"] = record.note;
  return json;
}

Result<GameRecord> parse_record_json(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Error{"this is not a JSON object"};
  if (const auto format = json.find("format"); format == json.end() || *format != kFormat) {
    return Error{fmt::format("'format' is missing or not {}", kFormat)};
  }
  auto first = player_field(json, "first");
  if (!first) return first.error();
  auto second = player_field(json, "second");
  if (!second) return second.error();
  Fields fields;
  GameRecord& record = fields.record;
  record.first = *std::move(first);
  record.second = *std::move(second);
  for (const auto& [key, field] :
       {std::pair("moves", &fields.moves), std::pair("result", &fields.result),
        std::pair("reason", &fields.reason)}) {
    auto value = text_field(json, key);
    if (!value) return value.error();
    *field = *std::move(value);
  }
  auto thinking = thinking_field(json);
  if (!thinking) return thinking.error();
  record.thinking = *std::move(thinking);
  const auto start_moves = json.value("start_moves", nlohmann::json(0U));
  const auto had_undo = json.value("had_undo", nlohmann::json(false));
  const auto note = json.value("note", nlohmann::json(""));
  if (!start_moves.is_number_unsigned() || !had_undo.is_boolean() || !note.is_string()) {
    return Error{
        "'start_moves' is not a number from 0, 'had_undo' not true or false, or 'note' not a text"};
  }
  record.start_moves = start_moves.get<std::uint64_t>();
  record.had_undo = had_undo.get<bool>();
  record.note = note.get<std::string>();
  return to_record(std::move(fields));
}

}  // namespace rowbot::game
