#include "lab/matches/game_player.h"

#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include "base/text.h"
#include "fmt/core.h"
#include "game/play_out.h"

namespace rowbot::lab {
namespace {

constexpr std::size_t index_of(Role role) { return role == Role::kA ? 0 : 1; }

}  // namespace

Result<GamePlayer> GamePlayer::make(const MatchSpec& spec, const Resources& resources) {
  auto a = spec.a.make(resources);
  if (!a) return a.error();
  auto b = spec.b.make(resources);
  if (!b) return b.error();
  return GamePlayer(spec, {*std::move(a), *std::move(b)});
}

Result<game::Column> GamePlayer::ask(Role role, const game::Position& position, StopToken stop) {
  try {
    agents::Agent& agent = *agents_.at(index_of(role));
    const auto decision = agent.choose(position, agent.budget(), stop);
    if (!decision) return decision.error();
    return decision->column;
  } catch (const std::exception& thrown) {
    return Error{fmt::format("broke down: {}", thrown.what())};
  } catch (...) {
    return Error{"broke down with something that is no exception"};
  }
}

std::optional<PlayedGame> GamePlayer::play(std::uint64_t number, Seat& seat) {
  PlayedGame unplayed = unplayed_game(spec_, number);
  game::Game game(unplayed.record.moves);
  const StopToken stop = seat.begin_game(unplayed);
  for (const Role role : {Role::kA, Role::kB}) {
    agents_.at(index_of(role))->start_game(agent_seed(spec_, number, role));
  }
  std::array<Seat::Clock::duration, 2> elapsed{};  // a quick move is less than a microsecond
  Thinking thinking{};
  std::string note;
  bool taken_away = false;
  game::play_out(
      game, [&](game::Side side, const game::Position& position) -> std::optional<game::Column> {
        const Role role = side_of(Role::kA, spec_, number) == side ? Role::kA : Role::kB;
        const std::size_t i = side == game::Side::kFirst ? 0 : 1;
        const auto start = Seat::Clock::now();
        seat.begin_move(game, thinking, start + spec_.move_limit);
        const auto column = ask(role, position, stop);
        const auto time = Seat::Clock::now() - start;
        elapsed.at(i) += time;
        thinking.at(i) = std::chrono::duration_cast<std::chrono::microseconds>(elapsed.at(i));
        taken_away = !seat.end_move();
        if (taken_away) return std::nullopt;
        if (time > spec_.move_limit) {
          note = fmt::format("took longer than {} for a move", duration_text(spec_.move_limit));
          game.time_out(side);
          return std::nullopt;
        }
        if (!column) {
          note = column.error().message;
          game.fail(side);
          return std::nullopt;
        }
        if (game.judge(*column) != game::Verdict::kFine) {
          note = fmt::format("played into column {}, which is full", column->number());
        }
        return *column;
      });
  if (taken_away) return std::nullopt;
  return played_game(std::move(unplayed), game, thinking, std::move(note));
}

}  // namespace rowbot::lab
