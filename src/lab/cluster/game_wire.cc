#include "lab/cluster/game_wire.h"

#include <array>

#include "base/text.h"
#include "fmt/core.h"
#include "game/game_record.h"
#include "nlohmann/json.hpp"

namespace rowbot::cluster {

std::string game_line(const lab::PlayedGame& game) {
  return fmt::format("{} {}", game.number,
                     game::record_json(game.record)
                         .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

Result<lab::PlayedGame> parse_game_line(std::string_view line) {
  const std::size_t end = line.find(' ');
  const auto number = parse_count(line.substr(0, end));
  if (end == std::string_view::npos || !number) {
    return Error{fmt::format("{} does not begin with a game's number", in_quotes(line))};
  }
  auto record = game::parse_record_json(line.substr(end + 1));
  if (!record) return record.error();
  if (record->result == game::GameResult::kOngoing) return Error{"the game is not finished"};
  return lab::PlayedGame{.number = *number, .record = *std::move(record)};
}

std::string match_line(const lab::MatchSpec& spec) {
  return fmt::format("{} {} {} {} {} {}|{}|{}", spec.games, spec.seed, spec.opening_plies,
                     lab::colours_text(spec.colours), spec.move_limit.count(), spec.a.text(),
                     spec.b.text(), spec.group);
}

Result<lab::MatchSpec> parse_match_line(std::string_view line) {
  constexpr std::size_t kFields = 5;
  std::array<std::string_view, kFields> fields;
  for (std::string_view& field : fields) {
    const std::size_t end = line.find(' ');
    if (end == std::string_view::npos) return Error{"a match's line has five fields and its texts"};
    field = line.substr(0, end);
    line.remove_prefix(end + 1);
  }
  const auto games = parse_count(fields[0]);
  const auto seed = parse_count(fields[1]);
  const auto openings = parse_integer(fields[2]);
  const auto limit_ms = parse_integer(fields[4]);
  const auto texts = split(line, '|');
  if (!games || !seed || !openings || *openings < 0 || *openings > 42 || !limit_ms ||
      *limit_ms < 1 || *limit_ms > 86'400'000 || texts.size() != 3) {
    return Error{"a match's line is not understood"};
  }
  auto a = roster::AgentSpec::parse(texts[0]);
  if (!a) return a.error();
  auto b = roster::AgentSpec::parse(texts[1]);
  if (!b) return b.error();
  lab::MatchSpec spec{.a = *std::move(a),
                      .b = *std::move(b),
                      .games = *games,
                      .seed = *seed,
                      .opening_plies = static_cast<int>(*openings),
                      .move_limit = std::chrono::milliseconds(*limit_ms),
                      .group = std::string(texts[2])};
  bool known = false;
  for (const lab::Colours colours :
       {lab::Colours::kSwapped, lab::Colours::kAFirst, lab::Colours::kBFirst}) {
    if (fields[3] != lab::colours_text(colours)) continue;
    spec.colours = colours;
    known = true;
  }
  if (!known) return Error{"a match's line names no order of colours"};
  if (auto checked = lab::check_match(spec); !checked) return checked.error();
  return spec;
}

}  // namespace rowbot::cluster
