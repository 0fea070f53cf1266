#include "lab/matches/seat.h"

#include <utility>

namespace rowbot::lab {

StopToken Seat::begin_game(PlayedGame unplayed) {
  const std::lock_guard lock(mutex_);
  unplayed_ = std::move(unplayed);
  if (!taken_away_) stop_.reset();
  return stop_.get_token();
}

void Seat::begin_move(const game::Game& game, const Thinking& thinking,
                      Clock::time_point deadline) {
  const std::lock_guard lock(mutex_);
  game_ = game;
  thinking_ = thinking;
  deadline_ = deadline;
}

bool Seat::end_move() {
  const std::lock_guard lock(mutex_);
  deadline_.reset();
  return !taken_away_;
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
  game_.time_out(*game_.turn());
  return played_game(unplayed_, game_, thinking_,
                     "did not answer, and did not stop when it was asked to");
}

}  // namespace rowbot::lab
