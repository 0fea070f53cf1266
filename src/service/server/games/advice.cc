#include "service/server/games/advice.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "fmt/core.h"

namespace rowbot::server {
namespace {

using game::Column;
using game::GameResult;
using game::Position;
using game::Side;
using solver::Score;

/// For one position; some ten seconds of work, far more than one that the book covers needs.
constexpr std::uint64_t kMostNodes = 200'000'000;

/// For the whole line shown beside the scores: half a second at most, and mostly far less, since
/// each position of it is nearer to the end than the one before.
constexpr std::uint64_t kLineNodes = 2'000'000;

int sign(int value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

/// Discs the winner still drops.
int winner_moves(Score score, int discs) {
  const int plies = solver::plies_to_end(score, discs);
  return score.value() > 0 ? (plies + 1) / 2 : plies / 2;
}

std::string moves_count(int count) {
  return fmt::format("{} move{}", count, count == 1 ? "" : "s");
}

/// "wins in 5 moves", for the side to move.
std::string fate(Score score, int discs) {
  if (score.value() == 0) return "leads to a draw";
  return fmt::format("{} in {}", score.value() > 0 ? "wins" : "loses",
                     moves_count(winner_moves(score, discs)));
}

struct Columns {
  int best_score;
  std::vector<Column> best;
};

Columns best_of(const solver::ColumnScores& scores) {
  Columns columns{.best_score = -game::kCells};
  for (const auto& score : scores) {
    if (score) columns.best_score = std::max(columns.best_score, score->value());
  }
  for (const Column c : game::kAllColumns) {
    const auto& score = scores.at(static_cast<std::size_t>(c.index()));
    if (score && score->value() == columns.best_score) columns.best.push_back(c);
  }
  return columns;
}

Analysis of_finished(const game::Outcome& outcome) {
  Analysis analysis{.result = outcome.result};
  switch (outcome.result) {
    case GameResult::kFirstWins:
      analysis.text = "First player has won";
      break;
    case GameResult::kSecondWins:
      analysis.text = "Second player has won";
      break;
    case GameResult::kDraw:
    case GameResult::kOngoing:
      analysis.text = "The game is drawn";
      break;
  }
  return analysis;
}

std::string list_of(const std::vector<Column>& columns) {
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) text += i + 1 == columns.size() ? " or " : ", ";
    text += columns[i].digit();
  }
  return text;
}

/// What a move did to the game, in a sentence.
std::string judgement(const ReviewedMove& move, int discs) {
  const std::string better =
      fmt::format("column {} {}", list_of(move.best), fate(Score(move.best_score), discs));
  if (!move.kept) {
    const std::string_view lost = move.best_score > 0 ? "Gives the win away" : "Lets the draw slip";
    return fmt::format("{}: {}.", lost, better);
  }
  if (move.score == move.best_score) {
    return fmt::format("A best move: it {}.", fate(Score(move.score), discs));
  }
  return fmt::format("{}: {}.", move.score > 0 ? "Still winning, but slower" : "Shortens the game",
                     better);
}

std::string summary_of(const Review& review, GameResult result) {
  const auto mistakes = [&](Side side) {
    return std::count_if(review.moves.begin(), review.moves.end(), [side](const auto& move) {
      return !move.kept && (move.ply % 2 == 1) == (side == Side::kFirst);
    });
  };
  const std::string counted =
      fmt::format("Moves that changed the outcome: first player {}, second player {}.",
                  mistakes(Side::kFirst), mistakes(Side::kSecond));
  if (!review.turning_point) {
    return fmt::format("Nobody gave anything away that mattered. {}", counted);
  }
  const std::string_view end = result == GameResult::kDraw ? "drawn" : "decided";
  return fmt::format("The game was {} by move {}. {}", end, *review.turning_point, counted);
}

}  // namespace

std::optional<Analysis> analyse(solver::Solver& solver, const Position& position, StopToken stop) {
  if (position.outcome().finished()) return of_finished(position.outcome());
  const solver::Request request{.nodes = kMostNodes, .stop = stop};
  const auto solved = solver.column_scores(position, request);
  if (!solved) return std::nullopt;
  Columns columns = best_of(solved->scores);
  Analysis analysis{.score = columns.best_score,
                    .best = std::move(columns.best),
                    .line = solver.principal_variation(position, Score(columns.best_score),
                                                       {.nodes = kLineNodes, .stop = stop})};
  for (std::size_t i = 0; i < solved->scores.size(); ++i) {
    if (solved->scores.at(i)) analysis.scores.at(i) = solved->scores.at(i)->value();
  }
  const Score score(analysis.score);
  analysis.plies = solver::plies_to_end(score, position.discs());
  const Side mover = position.to_move();
  analysis.result = analysis.score == 0  ? GameResult::kDraw
                    : analysis.score > 0 ? game::win_of(mover)
                                         : game::win_of(game::other(mover));
  analysis.text = solver::in_words(score, position.discs());
  if (!analysis.text.empty()) {
    analysis.text[0] =
        static_cast<char>(std::toupper(static_cast<unsigned char>(analysis.text[0])));
  }
  return analysis;
}

std::optional<Hint> hint(solver::Solver& solver, const Position& position, StopToken stop) {
  const auto best = solver.best_moves(position, {.nodes = kMostNodes, .stop = stop});
  if (!best) return std::nullopt;
  constexpr int kCentre = game::kColumns / 2;
  const Column column =
      *std::min_element(best->columns.begin(), best->columns.end(), [](Column a, Column b) {
        return std::abs(a.index() - kCentre) < std::abs(b.index() - kCentre);
      });
  return Hint{
      .column = column, .score = best->score.value(), .text = fate(best->score, position.discs())};
}

std::optional<Review> review(solver::Solver& solver, std::span<const Column> moves,
                             std::size_t start, GameResult result, StopToken stop) {
  Review review;
  Position position;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (i >= start) {
      const auto solved = solver.column_scores(position, {.nodes = kMostNodes, .stop = stop});
      if (!solved) return std::nullopt;
      Columns columns = best_of(solved->scores);
      const auto& played = solved->scores.at(static_cast<std::size_t>(moves[i].index()));
      ReviewedMove move{.ply = static_cast<int>(i) + 1,
                        .column = moves[i],
                        .score = played->value(),
                        .best = std::move(columns.best),
                        .best_score = columns.best_score,
                        .kept = sign(played->value()) == sign(columns.best_score)};
      move.text = judgement(move, position.discs());
      if (!move.kept) review.turning_point = move.ply;
      review.moves.push_back(std::move(move));
    }
    position = position.after(moves[i]);
  }
  review.summary = summary_of(review, result);
  return review;
}

}  // namespace rowbot::server
