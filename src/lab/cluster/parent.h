// The parent's side of the protocol of 1993 (Rhodes, section 3.1.1): seven children, each with one
// column to think about; the best value is played.
//
// Unlike in 1993 a child may die, be late or babble: it is started again and told the game so far;
// if that fails too, the parent thinks about its column itself for the rest of the game.
// Thread safety: one thread at a time. choose() blocks until all children have answered or are
// late.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "game/game.h"
#include "lab/cluster/child_process.h"

namespace rowbot::cluster {

struct ParentOptions {
  /// Shell commands; child i gets the i-th, and from the first again when there are fewer than
  /// seven.
  std::vector<std::string> commands;
  bool computer_first = true;
  std::chrono::milliseconds patience{10'000};  ///< for one answer
  int depth = 6;                               ///< when the parent thinks itself
  /// Told what happens to children: "child 3: it ended; started again".
  std::function<void(const std::string&)> report;
};

class Parent {
 public:
  /// Starts the children. Refuses only a call without commands; children that do not start are
  /// dealt with as above.
  [[nodiscard]] static Result<Parent> start(ParentOptions options);

  [[nodiscard]] const game::Position& position() const { return game_.position(); }

  /// The computer's move, made on the board. Requires that it is its turn in an unfinished game.
  [[nodiscard]] game::Column choose();
  /// The opponent's move. Requires that it is its turn and the column can be played.
  void opponent_plays(game::Column column);
  /// Tells the children that the game is over, if they do not know, and sees them off.
  void end();

  /// How often a child was started again, and for how many columns the parent thinks itself.
  [[nodiscard]] int restarts() const { return restarts_; }
  [[nodiscard]] int orphans() const;

 private:
  enum class State : std::uint8_t { kActive, kInactive, kOrphan };
  struct Slot {
    std::optional<ChildProcess> process;
    State state = State::kActive;
  };

  explicit Parent(ParentOptions options) : options_(std::move(options)) {}
  void say(int column, const std::string& text) const;
  [[nodiscard]] Result<void> launch(int column);
  /// Everything a child that was there from the start would know.
  [[nodiscard]] Result<void> tell_game_so_far(int column);
  [[nodiscard]] Result<int> ask(int column, std::chrono::steady_clock::time_point deadline);
  [[nodiscard]] int value_of(int column, std::chrono::steady_clock::time_point deadline);
  void rescue(int column, const Error& trouble);
  void finish_round();

  ParentOptions options_;
  std::array<Slot, game::kColumns> slots_;
  game::Game game_;
  int restarts_ = 0;
};

}  // namespace rowbot::cluster
