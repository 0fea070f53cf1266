#include "service/server/table/table_queue.h"

#include <algorithm>

#include "service/server/token.h"

namespace rowbot::server {

HttpResult<std::string> TableQueue::join(const std::string& client, Clock::time_point now) {
  const auto same = std::count_if(visitors_.begin(), visitors_.end(),
                                  [&](const Visitor& v) { return v.client == client; });
  if (static_cast<std::size_t>(same) >= options_.places_per_client) {
    return ApiError{.status = 429,
                    .code = "too_many",
                    .message = "Enough of your address wait already. Please watch for a while.",
                    .retry_after = 30};
  }
  if (visitors_.size() >= options_.places) {
    return ApiError{.status = 503,
                    .code = "queue_full",
                    .message = "The queue is full. Please watch, and try again in a while.",
                    .retry_after = 30};
  }
  visitors_.push_back({.token = new_token(), .client = client, .heard = now});
  return visitors_.back().token;
}

bool TableQueue::leave(std::string_view token) {
  return std::erase_if(visitors_, [token](const Visitor& v) { return v.token == token; }) > 0;
}

void TableQueue::heard_of(std::string_view token, Clock::time_point now) {
  for (Visitor& visitor : visitors_) {
    if (visitor.token == token) visitor.heard = now;
  }
}

void TableQueue::played(std::uint64_t game) { played_ = game; }

void TableQueue::forget_game() {
  played_.reset();
  over_since_.reset();
}

bool TableQueue::has_played(const Moment& moment, Clock::time_point now) {
  if (!played_) return false;
  if (moment.game == *played_ && moment.over) {
    if (!over_since_) over_since_ = now;
    return now - *over_since_ >= options_.result_shown;
  }
  if (moment.game == *played_ && !over_since_) return false;
  forget_game();  // the next one begins, which is theirs if nobody waits
  return true;
}

bool TableQueue::update(const Moment& moment, Clock::time_point now) {
  std::erase_if(visitors_, [&](const Visitor& v) { return now - v.heard > options_.unheard; });
  const auto front = [this] { return empty() ? std::string() : visitors_.front().token; };
  if (front() != seated_) forget_game();

  if (!moment.awaits_move || empty()) {
    turn_.reset();
  } else if (!turn_ || turn_->token != front() || turn_->game != moment.game ||
             turn_->ply != moment.ply) {
    turn_ = Turn{.token = front(), .game = moment.game, .ply = moment.ply, .since = now};
  } else if (now - turn_->since > options_.silent) {
    visitors_.pop_front();
    turn_.reset();
  }
  if (has_played(moment, now) && waiting() > 0) visitors_.pop_front();

  const std::string sits = front();
  if (sits == seated_) return false;
  seated_ = sits;
  forget_game();
  return !sits.empty();
}

std::optional<std::size_t> TableQueue::place(std::string_view token) const {
  const auto found = std::find_if(visitors_.begin(), visitors_.end(),
                                  [token](const Visitor& v) { return v.token == token; });
  if (found == visitors_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - visitors_.begin());
}

std::optional<std::chrono::seconds> TableQueue::left(Clock::time_point now) const {
  if (!turn_) return std::nullopt;
  const auto left = options_.silent - (now - turn_->since);
  return std::max(std::chrono::seconds(0), std::chrono::ceil<std::chrono::seconds>(left));
}

}  // namespace rowbot::server
