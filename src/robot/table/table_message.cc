#include "robot/table/table_message.h"

#include <array>
#include <cstddef>

namespace rowbot::table {
namespace {

struct Entry {
  MessageId id;
  std::string_view code;
  std::string_view english;
};

constexpr std::array<Entry, kMessageCount> kEntries{{
    {MessageId::kPreparing, "preparing", "One moment, please."},
    {MessageId::kYourMove, "your_move", "Your move."},
    {MessageId::kThinking, "thinking", "I am thinking."},
    {MessageId::kMoving, "moving", "I play column {0}. Please keep your hands away."},
    {MessageId::kVerifying, "verifying", "Let me see where it fell."},
    {MessageId::kPlaceMyDisc, "place_my_disc", "I play column {0}. Please put my disc there."},
    {MessageId::kStopped, "stopped", "Stopped. Resume when everything is safe."},
    {MessageId::kDraw, "draw", "A draw."},
    {MessageId::kVisitorWins, "visitor_wins", "You win!"},
    {MessageId::kRobotWins, "robot_wins", "I win."},
    {MessageId::kRestarted, "restarted", "A new game was asked for."},
    {MessageId::kClosed, "closed", "The table is closed."},
    {MessageId::kVisitorLeft, "visitor_left", "The visitor has left; the game is given up."},
    {MessageId::kNobodyMoved, "nobody_moved", "Nobody moved for me; the game is given up."},
    {MessageId::kNobodyNamed, "nobody_named",
     "Nobody said which column is right; the game is given up."},
    {MessageId::kNobodyHelped, "nobody_helped", "Nobody came to help; the game is given up."},
    {MessageId::kNotMended, "not_mended", "It could not be mended; the game is given up."},
    {MessageId::kBoardNotEmptied, "board_not_emptied",
     "The board was not emptied; no game was begun."},
    {MessageId::kBoardEmptied, "board_emptied", "The board was emptied; the game is given up."},
    {MessageId::kBoardNotMended, "board_not_mended",
     "The board was not put right; the game is given up."},
    {MessageId::kStillBlind, "still_blind",
     "I could not see the board again; the game is given up."},
    {MessageId::kClearBoard, "clear_board", "Please take all discs out of the board."},
    {MessageId::kFreeView, "free_view", "I do not see the whole board. Please free my view."},
    {MessageId::kColumnFull, "column_full", "Column {0} is full; please play another one."},
    {MessageId::kCalibrateFirst, "calibrate_first", "Before I move on: {0}."},
    {MessageId::kCalibrate, "calibrate",
     "I must be calibrated: {0}. Please set my joints on their marks, and take the disc out of my "
     "fingers."},
    {MessageId::kMagazineEmpty, "magazine_empty", "My magazine is empty. Please put discs in."},
    {MessageId::kEmptyFingers, "empty_fingers",
     "I came to the board with empty fingers {0} times. Is my magazine empty, or is a disc stuck "
     "in it?"},
    {MessageId::kDroppedInVain, "dropped_in_vain",
     "I dropped a disc {0} times, and none is in the board. Is something stuck, or must I be "
     "calibrated?"},
    {MessageId::kOutOfReach, "out_of_reach",
     "I cannot reach column {0} where the board stands. Please put the board on its marks. ({1})"},
    {MessageId::kArmStopped, "arm_stopped", "My arm stopped: {0}. Please check it."},
    {MessageId::kArmNotReady, "arm_not_ready",
     "The arm does not come to its place: {0}. Please check it."},
    {MessageId::kBoardMoved, "board_moved",
     "The board was moved, and {0}. Please put it back on its marks."},
    {MessageId::kFeltNotSeen, "felt_not_seen",
     "The switch of column {0} felt a disc, but I see none there. If you have played, help the "
     "disc down; if not, just play."},
    {MessageId::kFeltElsewhere, "felt_elsewhere",
     "I let my disc go over column {0}, but the switch of column {1} felt one. In which column is "
     "my disc?"},
    {MessageId::kTwoInColumn, "two_in_column",
     "Two discs fell into column {0}. Please see to it that mine lies below, and tell me {0}."},
    {MessageId::kTwoColumns, "two_columns",
     "I was told of discs in the columns {0} and {1}. You have one move: which one stays?"},
    {MessageId::kSeenAgainstFelt, "seen_against_felt",
     "I see a disc in column {0}, but the switch of column {1} felt one. Which is right?"},
    {MessageId::kCameraGone, "camera_gone", "My camera is gone: {0}."},
    {MessageId::kHidden, "hidden", "Something hides a part of the board. Please free my view."},
    {MessageId::kMovement, "movement", "Something moves at the board. Please free my view."},
    {MessageId::kNoBoard, "no_board", "I do not see the board. Please free my view."},
    {MessageId::kDiscHangs, "disc_hangs", "A disc hangs in the air. Please help it down."},
    {MessageId::kOtherBoard, "other_board",
     "The discs in column {0} are not the ones that were played. Please put the board back as "
     "shown, or start a new game."},
    {MessageId::kDiscMissing, "disc_missing",
     "A disc is missing in column {0}. Please put it back."},
    {MessageId::kOutOfTurn, "out_of_turn",
     "The disc in column {0} was out of turn. Please take it out again."},
    {MessageId::kTooManyDiscs, "too_many_discs",
     "There is more than one new disc, in column {0}. Please leave only the first one."},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kEntries.size(); ++i) {
    if (static_cast<std::size_t>(kEntries[i].id) != i) return false;
  }
  return true;
}
static_assert(in_order(), "an entry for each id, in the order of the ids");

}  // namespace

std::string_view message_code(MessageId id) { return kEntries[static_cast<std::size_t>(id)].code; }
std::string_view english(MessageId id) { return kEntries[static_cast<std::size_t>(id)].english; }

std::string sentence(const Message& message, Catalogue words) {
  std::string text;
  const std::string_view pattern = words(message.id);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}') {
      const auto argument = static_cast<std::size_t>(pattern[i + 1] - '0');
      if (argument < message.arguments.size()) text += message.arguments[argument];
      i += 2;
    } else {
      text += pattern[i];
    }
  }
  if (message.then) text.append(" ").append(words(*message.then));
  return text;
}

}  // namespace rowbot::table
