#include "lab/matches/move_quality.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "game/position.h"

namespace rowbot::lab {
namespace {

constexpr int sign_of(int score) { return score > 0 ? 1 : score < 0 ? -1 : 0; }

}  // namespace

bool JudgedMove::keeps_value() const { return sign_of(best) == sign_of(played); }

std::optional<std::vector<JudgedMove>> judge_game(solver::Solver& solver, const MatchSpec& spec,
                                                  const PlayedGame& game, StopToken stop) {
  std::vector<JudgedMove> judged;
  game::Position position;
  const game::Side a_side = side_of(Role::kA, spec, game.number);
  for (std::size_t ply = 0; ply < game.record.moves.size(); ++ply) {
    const game::Column column = game.record.moves[ply];
    if (static_cast<int>(ply) >= spec.opening_plies) {
      const auto columns = solver.column_scores(position, {.stop = stop});
      if (!columns) return std::nullopt;
      JudgedMove move{.ply = static_cast<int>(ply),
                      .by = position.to_move() == a_side ? Role::kA : Role::kB,
                      .best = -game::kCells,
                      .played = columns->scores.at(static_cast<std::size_t>(column.index()))
                                    .value_or(solver::Score())
                                    .value()};
      for (const auto& score : columns->scores) {
        if (score) move.best = std::max(move.best, score->value());
      }
      judged.push_back(move);
    }
    position = position.after(column);
  }
  return judged;
}

double MoveQuality::share_kept() const {
  return moves == 0 ? 1 : static_cast<double>(kept) / static_cast<double>(moves);
}

double MoveQuality::mean_score_lost() const {
  return moves == 0 ? 0 : static_cast<double>(score_lost) / static_cast<double>(moves);
}

std::uint64_t MoveQuality::faultless_games() const {
  return games - std::accumulate(first_mistake.begin(), first_mistake.end(), std::uint64_t{0});
}

std::optional<int> MoveQuality::median_first_mistake() const {
  const std::uint64_t faulty = games - faultless_games();
  std::uint64_t seen = 0;
  for (std::size_t ply = 0; ply < first_mistake.size(); ++ply) {
    seen += first_mistake.at(ply);
    if (faulty > 0 && 2 * seen >= faulty) return static_cast<int>(ply) + 1;
  }
  return std::nullopt;
}

void add_game(MoveQuality& quality, const std::vector<JudgedMove>& moves, Role player) {
  ++quality.games;
  bool faultless = true;
  for (const JudgedMove& move : moves) {
    if (move.by != player) continue;
    ++quality.moves;
    quality.score_lost += static_cast<std::uint64_t>(move.best - move.played);
    if (move.keeps_value()) {
      ++quality.kept;
    } else if (faultless) {
      faultless = false;
      ++quality.first_mistake.at(static_cast<std::size_t>(move.ply));
    }
  }
}

}  // namespace rowbot::lab
