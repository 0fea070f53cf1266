#include "lab/matches/seat.h"

#include <utility>

namespace rowbot::lab {

std::stop_token Seat::begin_game(PlayedGame opening) {
  const std::lock_guard lock(mutex_);
  game_ = std::move(opening);
  if (!taken_away_) stop_ = std::stop_source();
  return stop_.get_token();
}

void Seat::begin_move(game::Side side, Clock::time_point deadline) {
  const std::lock_guard lock(mutex_);
  thinking_ = side;
  deadline_ = deadline;
}

bool Seat::end_move(const PlayedGame& game) {
  const std::lock_guard lock(mutex_);
  deadline_.reset();
  if (taken_away_) return false;
  game_.moves = game.moves;
  game_.thinking = game.thinking;
  return true;
}

void Seat::end_game() {
  const std::lock_guard lock(mutex_);
  deadline_.reset();
}

void Seat::interrupt() {
  const std::lock_guard lock(mutex_);
  taken_away_ = true;
  stop_.request_stop();
}

std::optional<PlayedGame> Seat::check(Clock::time_point now, Clock::duration grace) {
  const std::lock_guard lock(mutex_);
  if (!deadline_ || now <= *deadline_ || taken_away_) return std::nullopt;
  stop_.request_stop();
  if (now <= *deadline_ + grace) return std::nullopt;
  taken_away_ = true;
  PlayedGame lost = game_;
  lost.result = game::win_of(game::other(thinking_));
  lost.reason = game::EndReason::kTimedOut;
  lost.note = "did not answer, and did not stop when it was asked to";
  return lost;
}

}  // namespace rowbot::lab
