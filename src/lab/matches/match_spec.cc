#include "lab/matches/match_spec.h"

#include <algorithm>
#include <utility>

#include "base/rng.h"
#include "fmt/core.h"
#include "game/position.h"

namespace rowbot::lab {
namespace {

constexpr int kLongestOpening = 12;

/// Unrelated numbers for the purposes of one game.
std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t number, std::uint64_t purpose) {
  return mix_seed(mix_seed(mix_seed(seed) + number) + purpose);
}

}  // namespace

std::string_view colours_text(Colours colours) {
  switch (colours) {
    case Colours::kSwapped:
      return "swapped";
    case Colours::kAFirst:
      return "a";
    case Colours::kBFirst:
      return "b";
  }
  return "";
}

std::string match_key(const MatchSpec& spec) {
  return match_key(spec, spec.a.text(), spec.b.text());
}

std::string match_key(const MatchSpec& spec, std::string_view a, std::string_view b) {
  return fmt::format("{}|{}|seed={}|openings={}|first={}|limit={}ms|{}", a, b, spec.seed,
                     spec.opening_plies, colours_text(spec.colours), spec.move_limit.count(),
                     spec.group);
}

Result<void> check_match(const MatchSpec& spec) {
  if (spec.games == 0) return Error{"a match has at least one game"};
  if (spec.opening_plies < 0 || spec.opening_plies > kLongestOpening) {
    return Error{
        fmt::format("an opening has 0 to {} plies, not {}", kLongestOpening, spec.opening_plies)};
  }
  return {};
}

game::Side side_of(Role role, const MatchSpec& spec, std::uint64_t number) {
  bool a_first = true;
  switch (spec.colours) {
    case Colours::kSwapped:
      a_first = number % 2 == 0;
      break;
    case Colours::kAFirst:
      break;
    case Colours::kBFirst:
      a_first = false;
      break;
  }
  return a_first == (role == Role::kA) ? game::Side::kFirst : game::Side::kSecond;
}

std::uint64_t agent_seed(const MatchSpec& spec, std::uint64_t number, Role role) {
  const roster::AgentSpec& agent = role == Role::kA ? spec.a : spec.b;
  return derived_seed(spec.seed, number, role == Role::kA ? 1 : 2) ^ agent.seed().value_or(0);
}

std::vector<game::Column> opening_moves(const MatchSpec& spec, std::uint64_t number) {
  const std::uint64_t pair = number / 2;
  Rng rng(derived_seed(spec.seed, pair, 3));
  while (true) {
    std::vector<game::Column> moves;
    game::Position position;
    while (static_cast<int>(moves.size()) < spec.opening_plies && !position.outcome().finished()) {
      const game::Column column(static_cast<int>(rng.below(game::kColumns)));
      if (!position.can_play(column)) continue;
      moves.push_back(column);
      position = position.after(column);
    }
    if (!position.outcome().finished() && position.winning_moves() == 0) return moves;
  }
}

PlayedGame unplayed_game(const MatchSpec& spec, std::uint64_t number) {
  game::PlayerRecord a{.name = spec.a.text(), .seed = agent_seed(spec, number, Role::kA)};
  game::PlayerRecord b{.name = spec.b.text(), .seed = agent_seed(spec, number, Role::kB)};
  if (side_of(Role::kA, spec, number) == game::Side::kSecond) std::swap(a, b);
  PlayedGame game{
      .number = number,
      .record = {
          .first = std::move(a), .second = std::move(b), .moves = opening_moves(spec, number)}};
  game.record.start_moves = game.record.moves.size();
  return game;
}

PlayedGame played_game(PlayedGame unplayed, const game::Game& game, const Thinking& thinking,
                       std::string note) {
  game::GameRecord& record = unplayed.record;
  record.moves.assign(game.moves().begin(), game.moves().end());
  record.result = game.result();
  record.reason = game.reason();
  record.first.thinking = thinking[0];
  record.second.thinking = thinking[1];
  // An agent's message may have any form; a note is one line.
  std::replace_if(
      note.begin(), note.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  record.note = trimmed(note);
  return unplayed;
}

int half_points_of_a(const PlayedGame& game, const MatchSpec& spec) {
  if (game.record.result == game::GameResult::kDraw) return 1;
  return game.record.result == game::win_of(side_of(Role::kA, spec, game.number)) ? 2 : 0;
}

}  // namespace rowbot::lab
