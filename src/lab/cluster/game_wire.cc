#include "lab/cluster/game_wire.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "fmt/core.h"
#include "game/moves_text.h"

namespace rowbot::cluster {
namespace {

constexpr std::array kFinalReasons{game::EndReason::kFourInARow, game::EndReason::kBoardFull,
                                   game::EndReason::kTimedOut, game::EndReason::kFailed};

}  // namespace

std::string game_line(const lab::PlayedGame& game) {
  std::string note = game.note;
  std::replace(note.begin(), note.end(), '\n', ' ');
  return fmt::format("{} {} {} {} {} {} {}", game.number, game::result_text(game.result),
                     game::reason_text(game.reason), game.thinking[0].count(),
                     game.thinking[1].count(),
                     game.moves.empty() ? "-" : game::moves_text(game.moves), note);
}

Result<lab::PlayedGame> parse_game_line(std::string_view line) {
  constexpr std::size_t kFields = 6;
  std::array<std::string_view, kFields> fields;
  for (std::string_view& field : fields) {
    const std::size_t end = line.find(' ');
    if (end == std::string_view::npos) return Error{"a game's line has six fields and a note"};
    field = line.substr(0, end);
    line.remove_prefix(end + 1);
  }
  lab::PlayedGame game;
  game.note = line;
  if (line.find('\n') != std::string_view::npos) return Error{"a note is one line"};
  const auto number = parse_integer(fields[0]);
  const auto result = game::parse_result(fields[1]);
  const auto reason = std::find_if(kFinalReasons.begin(), kFinalReasons.end(),
                                   [&](auto one) { return game::reason_text(one) == fields[2]; });
  const auto a_us = parse_integer(fields[3]);
  const auto b_us = parse_integer(fields[4]);
  if (!number || *number < 0 || !result || *result == game::GameResult::kOngoing ||
      reason == kFinalReasons.end() || !a_us || *a_us < 0 || !b_us || *b_us < 0) {
    return Error{fmt::format("{} is not the line of a finished game", in_quotes(line))};
  }
  auto played = game::parse_played(fields[5] == "-" ? std::string_view() : fields[5]);
  if (!played) return played.error();
  game.number = static_cast<std::uint64_t>(*number);
  game.moves = std::move(played->moves);
  game.result = *result;
  game.reason = *reason;
  game.thinking = {std::chrono::microseconds(*a_us), std::chrono::microseconds(*b_us)};
  // The board and the result must tell the same story.
  const game::GameRecord record{.first = {.name = "first"},
                                .second = {.name = "second"},
                                .moves = game.moves,
                                .thinking = {},
                                .result = game.result,
                                .reason = game.reason};
  if (auto whole = game::replay(record); !whole) return whole.error();
  return game;
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
