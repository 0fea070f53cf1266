// The table as everybody sees it, from any thread, without knowing arms, cameras or clocks.
// Thread safety: plain values and pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "robot/table/session.h"
#include "robot/table/table_message.h"

namespace rowbot::table {

enum class TableState : std::uint8_t {
  kPreparing,  // the arm goes to its neutral place
  kClearing,   // waits for an empty board
  kWaiting,    // the human's turn
  kThinking,
  kMoving,     // the arm, or people who move for it
  kVerifying,  // the robot's disc was let go: is it in the board?
  kFoul,       // the board shows no legal game
  kBlind,      // the board cannot be read
  kAsking,     // two senses disagree
  kNeedsHelp,  // something only people can mend
  kStopped,    // emergency stop
  kOver,
};
inline constexpr int kTableStates = static_cast<int>(TableState::kOver) + 1;
[[nodiscard]] std::string_view state_text(TableState state);

/// What the table would like a person to do.
enum class Request : std::uint8_t {
  kNothing,
  kPlay,            // a disc into a column
  kMendBoard,       // as the message says
  kClearBoard,      // take all discs out
  kFreeView,        // step aside, uncover the camera
  kPlaceDisc,       // the robot's disc into its column: there is no arm
  kNameColumn,      // type the column that is right, or press its switch
  kRefillMagazine,  // then resume
  kCheckArm,        // then resume
  kCalibrateArm,    // set it on its marks, take out what it holds; then resume
  kCheckColumn,     // something is stuck, or the arm must be calibrated; then resume
  kResume,          // after an emergency stop
};

enum class GameEnd : std::uint8_t {
  kFinished,
  kRestarted,  // by a command
  kGivenUp,    // safely: the visitor left, or what was wrong was not mended
  kQuit,
};

/// The table as everybody sees it.
struct TableSnapshot {
  TableState state = TableState::kPreparing;
  std::string message;  // for the visitor, in English
  Request request = Request::kNothing;
  std::uint64_t game = 0;  // 0 before the first
  game::Side human = game::Side::kFirst;
  std::string agent;
  std::optional<game::Column> target;      // where the arm is about to drop
  std::shared_ptr<const Snapshot> record;  // none before the first game
  Message said;                            // the message, for other languages
};

/// Somebody has played in this game, and it is not over.
[[nodiscard]] bool under_way(const TableSnapshot& now);

/// A disc that a visitor means for exactly this moment of the game.
struct MoveWish {
  game::Column column{0};
  std::uint64_t game = 0;
  std::size_t ply = 0;
};
/// Whether the table waits for this disc; judged by game::Game once it is the visitor's turn.
[[nodiscard]] Verdict judge_wish(const TableSnapshot& now, const MoveWish& wish);

}  // namespace rowbot::table
