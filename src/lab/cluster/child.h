// The child's side of the protocol of 1993 (Rhodes, section 3.1.2), without any I/O: lines come
// in, lines go out. All messages are text of one line; columns are 0 to 6.
//
//   1. who goes first: 'y' the computer, 'n' or 'N' the opponent
//   2. if the opponent: its first move
//   3. a suggested move           4. ->  the value of that move, a signed integer
//   5. the move selected          6. 'n': the end, else go on
//   8. the opponent's next move   9. again from 3
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "game/position.h"

namespace rowbot::cluster {

/// The number of a column, 0 to 6, as the protocol writes it.
[[nodiscard]] Result<game::Column> parse_protocol_column(std::string_view line);
/// A signed integer of at most nine digits.
[[nodiscard]] Result<int> parse_protocol_value(std::string_view line);

class Child {
 public:
  /// Looks `depth` plies ahead, the suggested move included.
  explicit Child(int depth = 6) : depth_(depth) {}

  struct Step {
    std::optional<std::string> reply;  ///< to be sent, with a newline
    bool finished = false;             ///< the game is over for this child
  };
  /// Takes one line, without its newline. After an error nothing more can be understood.
  [[nodiscard]] Result<Step> receive(std::string_view line);

 private:
  enum class Expects : std::uint8_t {
    kWhoBegins,
    kOpponentsMove,
    kSuggestion,
    kSelection,
    kGoOn,
    kNothing,
  };

  [[nodiscard]] Result<void> play(std::string_view line, std::string_view whose);

  int depth_;
  Expects expects_ = Expects::kWhoBegins;
  game::Position position_;
};

}  // namespace rowbot::cluster
