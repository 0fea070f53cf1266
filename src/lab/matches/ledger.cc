#include "lab/matches/ledger.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <utility>

namespace rowbot::lab {

WinDrawLoss& WinDrawLoss::operator+=(const WinDrawLoss& other) {
  wins += other.wins;
  draws += other.draws;
  losses += other.losses;
  return *this;
}

WinDrawLoss MatchTally::all() const {
  WinDrawLoss sum = a_first;
  sum += a_second;
  return sum;
}

Ledger::Ledger(MatchSpec spec, std::optional<SprtClaims> claims)
    : spec_(std::move(spec)), claims_(claims), games_(spec_.games) {}

bool Ledger::add(const PlayedGame& game) {
  if (game.number >= games_.size() || games_[game.number].known) return false;
  const game::GameRecord& record = game.record;
  assert(record.result != game::GameResult::kOngoing);
  Summary& summary = games_[game.number];
  summary.known = true;
  summary.failed =
      record.reason == game::EndReason::kTimedOut || record.reason == game::EndReason::kFailed;
  summary.half_points = static_cast<std::uint8_t>(half_points_of_a(game, spec_));
  const bool a_first = side_of(Role::kA, spec_, game.number) == game::Side::kFirst;
  const auto opening = static_cast<std::size_t>(spec_.opening_plies);
  for (std::size_t ply = opening; ply < record.moves.size(); ++ply) {
    ++summary.moves.at((ply % 2 == 0) == a_first ? 0 : 1);
  }
  const std::array sides{record.first.thinking, record.second.thinking};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    const auto time = sides.at(a_first ? i : 1 - i).value_or(std::chrono::microseconds(0));
    summary.thinking_us.at(i) =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(time.count(), 0, most));
  }
  ++known_;
  advance_test();
  return true;
}

std::optional<std::uint64_t> Ledger::hand_out() {
  if (verdict_ != SprtVerdict::kUndecided) return std::nullopt;
  while (next_ < games_.size() && (games_[next_].known || games_[next_].handed_out)) ++next_;
  if (next_ == games_.size()) return std::nullopt;
  games_[next_].handed_out = true;
  return next_++;
}

bool Ledger::complete() const {
  return known_ == games_.size() || verdict_ != SprtVerdict::kUndecided;
}

void Ledger::advance_test() {
  while (claims_ && verdict_ == SprtVerdict::kUndecided && tested_ + 1 < games_.size() &&
         games_[tested_].known && games_[tested_ + 1].known) {
    ++tested_pairs_.at(static_cast<std::size_t>(games_[tested_].half_points) +
                       games_[tested_ + 1].half_points);
    tested_ += 2;
    verdict_ = sprt_verdict(tested_pairs_, *claims_);
  }
}

MatchTally Ledger::tally() const {
  const std::uint64_t counted = verdict_ == SprtVerdict::kUndecided ? games_.size() : tested_;
  MatchTally tally;
  for (std::uint64_t number = 0; number < counted; ++number) {
    const Summary& game = games_[number];
    if (!game.known) continue;
    const bool a_first = side_of(Role::kA, spec_, number) == game::Side::kFirst;
    WinDrawLoss& side = a_first ? tally.a_first : tally.a_second;
    ++(game.half_points == 2 ? side.wins : game.half_points == 1 ? side.draws : side.losses);
    tally.failures += game.failed ? 1 : 0;
    for (std::size_t i = 0; i < 2; ++i) {
      tally.effort.at(i).moves += game.moves.at(i);
      tally.effort.at(i).thinking += std::chrono::microseconds(game.thinking_us.at(i));
      tally.plies += game.moves.at(i);
    }
    tally.plies += static_cast<std::uint64_t>(spec_.opening_plies);
    if (number % 2 == 1 && games_[number - 1].known) {
      ++tally.pairs.at(static_cast<std::size_t>(games_[number - 1].half_points) + game.half_points);
    }
  }
  return tally;
}

}  // namespace rowbot::lab
