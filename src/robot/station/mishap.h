// What can go wrong at a table on purpose: faults of the cell, fouls of people, and commands at a
// bad moment. Written NAME@PLY, for example two-discs@6: when six moves have been made.
// Thread safety: plain values and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/rng.h"

namespace rowbot::station {

enum class Mishap : std::uint8_t {
  kSlippedPiece,   // the arm loses the disc
  kEmptyMagazine,  //
  kPieceOnRim,     // the human's disc stays on top of the board
  kJammedColumn,   // a disc is stuck in the mouth of the column the robot wants
  kDeadJoint,      // a motor no longer pulls
  kDriftedJoint,   // a joint is not where its motor believes
  kLateMessages,   // the driver's answers come late
  kSilentDriver,   // the driver no longer answers
  kMovedBoard,     // somebody bumps the board
  kCoveredCamera,  //
  kStrayDrop,      // the arm aims one column beside
  kOutOfTurn,      // the human plays while the arm moves
  kTwoDiscs,       // the human plays two discs
  kTakenDisc,      // the human takes a disc out
  kFullColumn,     // the human puts a disc into a full column, or beside
  kLeaves,         // the human goes away
  kPhantomPress,   // a switch closes that nothing has touched
  kStop,           // emergency stop while the arm moves
  kRestart,        // the restart button while the arm moves
};

struct PlannedMishap {
  Mishap what = Mishap::kSlippedPiece;
  int ply = 0;

  friend bool operator==(const PlannedMishap&, const PlannedMishap&) = default;
};

[[nodiscard]] std::string_view mishap_name(Mishap mishap);
[[nodiscard]] std::vector<Mishap> all_mishaps();
[[nodiscard]] Result<PlannedMishap> parse_mishap(std::string_view text);
/// On a simulated wire nothing befalls the twin's own motors; without switches none misleads.
struct MishapSetting {
  bool on_wire = false;
  bool switches = false;
};
[[nodiscard]] std::vector<Mishap> possible_mishaps(const MishapSetting& setting);
/// One or two for one game.
[[nodiscard]] std::vector<PlannedMishap> random_mishaps(Rng& rng,
                                                        const std::vector<Mishap>& possible);

}  // namespace rowbot::station
