// What the table says to people: an id with arguments. The words are in a catalogue for each
// language, so that they can be translated and tested.
// Thread safety: plain values and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rowbot::table {

enum class MessageId : std::uint8_t {
  kPreparing,
  kYourMove,
  kThinking,
  kMoving,  // column
  kVerifying,
  kPlaceMyDisc,  // column
  kStopped,
  // How a game ended.
  kDraw,
  kVisitorWins,
  kRobotWins,
  kRestarted,
  kClosed,
  kVisitorLeft,
  kNobodyMoved,
  kNobodyNamed,
  kNobodyHelped,
  kNotMended,  // said after the message that asked for help
  kBoardNotEmptied,
  kBoardEmptied,
  kBoardNotMended,
  kStillBlind,
  // What a person should do.
  kClearBoard,
  kFreeView,
  kColumnFull,       // column
  kCalibrateFirst,   // why
  kCalibrate,        // why
  kMagazineEmpty,    //
  kEmptyFingers,     // times
  kDroppedInVain,    // times
  kOutOfReach,       // column, why
  kArmStopped,       // why
  kArmNotReady,      // why
  kBoardMoved,       // why it could not be measured
  kFeltNotSeen,      // column
  kFeltElsewhere,    // column meant, column felt
  kTwoInColumn,      // column
  kTwoColumns,       // column, other column
  kSeenAgainstFelt,  // column seen, column felt
  // Why the board cannot be read.
  kCameraGone,  // why
  kHidden,
  kMovement,
  kNoBoard,
  kDiscHangs,
  // Why the board shows no legal game; columns.
  kOtherBoard,
  kDiscMissing,
  kOutOfTurn,
  kTooManyDiscs,
};
inline constexpr int kMessageCount = static_cast<int>(MessageId::kTooManyDiscs) + 1;

struct Message {
  MessageId id = MessageId::kPreparing;
  std::vector<std::string> arguments = {};
  std::optional<MessageId> then = {};  ///< a second sentence, without arguments

  friend bool operator==(const Message&, const Message&) = default;
};

/// For programs: "your_move".
[[nodiscard]] std::string_view message_code(MessageId id);

/// One language: the sentence of each id, with {0}, {1} for its arguments.
using Catalogue = std::string_view (*)(MessageId id);
[[nodiscard]] std::string_view english(MessageId id);

[[nodiscard]] std::string sentence(const Message& message, Catalogue words = english);

}  // namespace rowbot::table
