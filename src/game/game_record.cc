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

bool one_line(std::string_view name) {
  return !name.empty() && trimmed(name) == name &&
         std::none_of(name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; });
}

/// The fields of a record as texts, before they are understood: what both forms share.
struct Fields {
  std::string first;
  std::string second;
  std::optional<std::uint64_t> first_seed;
  std::optional<std::uint64_t> second_seed;
  std::string moves;
  std::vector<std::chrono::microseconds> thinking;
  std::string result;
  std::string reason;
  std::uint64_t start_moves = 0;
  bool had_undo = false;
};

Result<GameRecord> understood(Fields fields) {
  GameRecord record;
  record.first = {.name = std::move(fields.first), .seed = fields.first_seed};
  record.second = {.name = std::move(fields.second), .seed = fields.second_seed};
  auto played = parse_played(fields.moves);
  if (!played) return Error{"moves: " + played.error().message};
  record.moves = std::move(played->moves);
  record.thinking = std::move(fields.thinking);
  const auto result = parse_result(fields.result);
  if (!result) {
    return Error{
        fmt::format("result: {} is not first, second, draw or ongoing", in_quotes(fields.result))};
  }
  const auto reason = parse_reason(fields.reason);
  if (!reason) return Error{fmt::format("reason: {} is unknown", in_quotes(fields.reason))};
  record.result = *result;
  record.reason = *reason;
  record.start_moves = fields.start_moves;
  record.had_undo = fields.had_undo;
  if (const auto final = replay(record); !final) return final.error();
  return record;
}

Result<std::vector<std::chrono::microseconds>> parse_thinking(std::string_view text) {
  std::vector<std::chrono::microseconds> times;
  for (const std::string_view part : split(text, ' ')) {
    if (part.empty()) continue;
    const auto value = parse_integer(part);
    if (!value || *value < 0) {
      return Error{fmt::format("thinking-us: {} is not a number of microseconds", in_quotes(part))};
    }
    times.emplace_back(*value);
  }
  return times;
}

/// Stores one `key: value` line of the text form; the key is known not to be a repetition.
Result<void> store(Fields& fields, std::string_view key, std::string_view value) {
  if (key == "first") {
    fields.first = value;
  } else if (key == "second") {
    fields.second = value;
  } else if (key == "moves") {
    fields.moves = value;
  } else if (key == "result") {
    fields.result = value;
  } else if (key == "reason") {
    fields.reason = value;
  } else if (key == "first-seed" || key == "second-seed") {
    const auto seed = parse_count(value);
    if (!seed) return Error{fmt::format("{}: {}", key, seed.error().message)};
    (key == "first-seed" ? fields.first_seed : fields.second_seed) = *seed;
  } else if (key == "thinking-us") {
    auto times = parse_thinking(value);
    if (!times) return times.error();
    fields.thinking = *std::move(times);
  } else if (key == "start-moves") {
    const auto moves = parse_count(value);
    if (!moves) return Error{fmt::format("start-moves: {}", moves.error().message)};
    fields.start_moves = *moves;
  } else if (key == "had-undo" && (value == "yes" || value == "no")) {
    fields.had_undo = value == "yes";
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

Result<std::pair<std::string, std::optional<std::uint64_t>>> player_field(
    const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) {
    return Error{fmt::format("'{}' is missing or not an object with a name", key)};
  }
  auto name = text_field(*found, "name");
  if (!name) return Error{fmt::format("'{}': {}", key, name.error().message)};
  std::optional<std::uint64_t> seed;
  if (const auto value = found->find("seed"); value != found->end() && !value->is_null()) {
    if (!value->is_number_unsigned()) {
      return Error{fmt::format("'{}': 'seed' is not a whole number from 0", key)};
    }
    seed = value->get<std::uint64_t>();
  }
  return std::pair(*std::move(name), seed);
}

Result<std::vector<std::chrono::microseconds>> thinking_field(const nlohmann::json& object) {
  std::vector<std::chrono::microseconds> times;
  const auto found = object.find("thinking_us");
  if (found == object.end()) return times;
  if (!found->is_array()) return Error{"'thinking_us' is not an array"};
  for (const auto& value : *found) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > INT64_MAX) {
      return Error{"'thinking_us' holds something that is not a number of microseconds"};
    }
    times.emplace_back(value.get<std::int64_t>());
  }
  return times;
}

nlohmann::ordered_json player_json(const PlayerRecord& player) {
  nlohmann::ordered_json json{{"name", player.name}};
  if (player.seed) json["seed"] = *player.seed;
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
    if (!one_line(player->name)) {
      return Error{
          fmt::format("a player's name must be one line of text, not {}", in_quotes(player->name))};
    }
  }
  if (!record.thinking.empty() && record.thinking.size() != record.moves.size()) {
    return Error{fmt::format("there are {} thinking times for {} moves", record.thinking.size(),
                             record.moves.size())};
  }
  const auto game = Game::resume(record);
  if (!game) return game.error();
  return game->position();
}

std::string record_text(const GameRecord& record) {
  std::string text = fmt::format("rowbot-game: {}\nfirst: {}\nsecond: {}\n", kFormat,
                                 record.first.name, record.second.name);
  if (record.first.seed) text += fmt::format("first-seed: {}\n", *record.first.seed);
  if (record.second.seed) text += fmt::format("second-seed: {}\n", *record.second.seed);
  text += fmt::format("moves: {}\n", moves_text(record.moves));
  if (!record.thinking.empty()) {
    text += "thinking-us:";
    for (const auto time : record.thinking) text += fmt::format(" {}", time.count());
    text += '\n';
  }
  text += fmt::format("result: {}\nreason: {}\n", result_text(record.result),
                      reason_text(record.reason));
  if (record.start_moves > 0) text += fmt::format("start-moves: {}\n", record.start_moves);
  if (record.had_undo) text += "had-undo: yes\n";
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
  return understood(std::move(fields));
}

nlohmann::ordered_json record_json(const GameRecord& record) {
  nlohmann::ordered_json json{{"format", kFormat},
                              {"first", player_json(record.first)},
                              {"second", player_json(record.second)},
                              {"moves", moves_text(record.moves)}};
  if (!record.thinking.empty()) {
    json["thinking_us"] = nlohmann::ordered_json::array();
    for (const auto time : record.thinking) json["thinking_us"].push_back(time.count());
  }
  json["result"] = result_text(record.result);
  json["reason"] = reason_text(record.reason);
  if (record.start_moves > 0) json["start_moves"] = record.start_moves;
  if (record.had_undo) json["had_undo"] = true;
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
  Fields fields{.first = std::move(first->first),
                .second = std::move(second->first),
                .first_seed = first->second,
                .second_seed = second->second};
  for (const auto& [key, field] :
       {std::pair("moves", &fields.moves), std::pair("result", &fields.result),
        std::pair("reason", &fields.reason)}) {
    auto value = text_field(json, key);
    if (!value) return value.error();
    *field = *std::move(value);
  }
  auto thinking = thinking_field(json);
  if (!thinking) return thinking.error();
  fields.thinking = *std::move(thinking);
  const auto start_moves = json.value("start_moves", nlohmann::json(0U));
  const auto had_undo = json.value("had_undo", nlohmann::json(false));
  if (!start_moves.is_number_unsigned() || !had_undo.is_boolean()) {
    return Error{"'start_moves' is not a number from 0, or 'had_undo' not true or false"};
  }
  fields.start_moves = start_moves.get<std::uint64_t>();
  fields.had_undo = had_undo.get<bool>();
  return understood(std::move(fields));
}

}  // namespace rowbot::game
