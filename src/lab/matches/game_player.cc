#include "lab/matches/game_player.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include "base/text.h"
#include "engine/roster/roster.h"
#include "fmt/core.h"
#include "game/position.h"

namespace rowbot::lab {
namespace {

constexpr std::size_t index_of(Role role) { return role == Role::kA ? 0 : 1; }

}  // namespace

agents::Budget budget_in_match(const agents::Agent& agent, std::string_view text) {
  agents::Budget budget = agent.budget();
  const auto parsed = roster::parse_agent_text(text);
  if (!parsed) return budget;
  const auto names = [&parsed](std::string_view key) {
    return std::any_of(parsed->options.begin(), parsed->options.end(),
                       [key](const roster::OptionValue& option) { return option.key == key; });
  };
  if (names("sims") && !names("time")) budget.time.reset();
  return budget;
}

/// A move, or what went wrong instead.
struct GamePlayer::Answer {
  std::optional<game::Column> column;
  std::string note;
};

Result<GamePlayer> GamePlayer::make(const MatchSpec& spec, const AgentMaker& maker) {
  auto a = maker(spec.a);
  if (!a) return a.error();
  auto b = maker(spec.b);
  if (!b) return b.error();
  const std::array budgets{budget_in_match(**a, spec.a), budget_in_match(**b, spec.b)};
  return GamePlayer(spec, {*std::move(a), *std::move(b)}, budgets);
}

GamePlayer::Answer GamePlayer::ask(Role role, const game::Position& position,
                                   const std::stop_token& stop) {
  agents::Agent& agent = *agents_.at(index_of(role));
  try {
    const auto decision = agent.choose(position, budgets_.at(index_of(role)), stop);
    if (!decision) return {.note = decision.error().message};
    if (!position.can_play(decision->column)) {
      return {.note =
                  fmt::format("played into column {}, which is full", decision->column.number())};
    }
    return {.column = decision->column};
  } catch (const std::exception& thrown) {
    return {.note = fmt::format("broke down: {}", thrown.what())};
  } catch (...) {
    return {.note = "broke down with something that is no exception"};
  }
}

std::optional<PlayedGame> GamePlayer::play(std::uint64_t number, Seat& seat) {
  PlayedGame game{.number = number, .moves = opening_moves(spec_, number)};
  const std::stop_token stop = seat.begin_game(game);
  game::Position position;
  for (const game::Column column : game.moves) position = position.after(column);
  for (const Role role : {Role::kA, Role::kB}) {
    agents_.at(index_of(role))->start_game(agent_seed(spec_, number, role));
  }
  std::array<Seat::Clock::duration, 2> thinking{};
  const auto lose = [&](game::Side side, game::EndReason reason, std::string note) {
    game.result = game::win_of(game::other(side));
    game.reason = reason;
    game.note = std::move(note);
  };
  while (game.result == game::GameResult::kOngoing) {
    const game::Side side = position.to_move();
    const Role role = side_of(Role::kA, spec_, number) == side ? Role::kA : Role::kB;
    const auto start = Seat::Clock::now();
    seat.begin_move(side, start + spec_.move_limit);
    const Answer answer = ask(role, position, stop);
    const auto elapsed = Seat::Clock::now() - start;
    thinking.at(index_of(role)) += elapsed;  // a quick move is less than a microsecond
    game.thinking.at(index_of(role)) =
        std::chrono::duration_cast<std::chrono::microseconds>(thinking.at(index_of(role)));
    if (answer.column) game.moves.push_back(*answer.column);
    if (!seat.end_move(game)) return std::nullopt;
    if (elapsed > spec_.move_limit) {
      if (answer.column) game.moves.pop_back();  // too late to count
      lose(side, game::EndReason::kTimedOut,
           fmt::format("took longer than {} for a move", duration_text(spec_.move_limit)));
    } else if (!answer.column) {
      lose(side, game::EndReason::kFailed, answer.note);
    } else {
      position = position.after(*answer.column);
      game.result = position.outcome().result;
      game.reason = game.result == game::GameResult::kDraw ? game::EndReason::kBoardFull
                                                           : game::EndReason::kFourInARow;
    }
  }
  seat.end_game();
  return game;
}

}  // namespace rowbot::lab
