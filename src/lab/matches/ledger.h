// The books of a match: which games have been played, which are still to be handed out, how it
// stands. Adding the games in any order gives the same result.
// Thread safety: one thread at a time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/matches/match_spec.h"
#include "lab/matches/sprt.h"

namespace rowbot::lab {

struct WinDrawLoss {
  std::uint64_t wins = 0;
  std::uint64_t draws = 0;
  std::uint64_t losses = 0;

  [[nodiscard]] std::uint64_t games() const { return wins + draws + losses; }
  [[nodiscard]] double points() const {
    return static_cast<double>(wins) + 0.5 * static_cast<double>(draws);
  }
  WinDrawLoss& operator+=(const WinDrawLoss& other);
  friend bool operator==(const WinDrawLoss&, const WinDrawLoss&) = default;
};

/// What one of the two spent.
struct Effort {
  std::uint64_t moves = 0;
  std::chrono::microseconds thinking{0};

  friend bool operator==(const Effort&, const Effort&) = default;
};

/// How a match stands; everything from A's point of view.
struct MatchTally {
  WinDrawLoss a_first;   ///< games in which A moved first
  WinDrawLoss a_second;  ///< games in which B did
  PairCounts pairs{};    ///< whole pairs only
  std::array<Effort, 2> effort{};
  std::uint64_t plies = 0;
  std::uint64_t failures = 0;  ///< games lost by time-out or break-down

  [[nodiscard]] WinDrawLoss all() const;
  friend bool operator==(const MatchTally&, const MatchTally&) = default;
};

class Ledger {
 public:
  explicit Ledger(MatchSpec spec, std::optional<SprtClaims> claims = std::nullopt);

  /// False when the game was known already, or is none of this match.
  bool add(const PlayedGame& game);

  /// The smallest number neither known nor handed out, unless the match is decided.
  [[nodiscard]] std::optional<std::uint64_t> hand_out();

  /// All games known, or a sequential test decided.
  [[nodiscard]] bool complete() const;
  [[nodiscard]] std::uint64_t known() const { return known_; }
  [[nodiscard]] SprtVerdict verdict() const { return verdict_; }
  [[nodiscard]] const MatchSpec& spec() const { return spec_; }

  /// Over the games that count: all known ones, or, once a sequential test has decided, those up
  /// to the pair that decided it, so that what was played beside it changes nothing.
  [[nodiscard]] MatchTally tally() const;

 private:
  struct Summary {
    bool known = false;
    bool handed_out = false;
    bool failed = false;
    std::uint8_t half_points = 0;  // of A
    std::array<std::uint8_t, 2> moves{};
    std::array<std::uint32_t, 2> thinking_us{};
  };

  void advance_test();

  MatchSpec spec_;
  std::optional<SprtClaims> claims_;
  std::vector<Summary> games_;
  std::uint64_t known_ = 0;
  std::uint64_t next_ = 0;    // all before are known or handed out
  std::uint64_t tested_ = 0;  // games the sequential test has looked at
  PairCounts tested_pairs_{};
  SprtVerdict verdict_ = SprtVerdict::kUndecided;
};

}  // namespace rowbot::lab
