// Who may play at the robot's table: one visitor at a time, the others in the order they came.
//
// A visitor leaves the queue by their own wish, when nothing was heard of them for a while, when
// they let their turn pass, and after their game when others wait: once they could see how it
// ended, or when the next game begins.
// Thread safety: one thread at a time. Time is passed in.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "service/server/api_error.h"
#include "service/server/options.h"

namespace rowbot::server {

class TableQueue {
 public:
  using Clock = std::chrono::steady_clock;

  /// What the table is doing, as far as it matters here.
  struct Moment {
    bool awaits_move = false;
    bool over = false;
    std::uint64_t game = 0;
    std::size_t ply = 0;
  };

  explicit TableQueue(const TableQueueOptions& options) : options_(options) {}

  /// The new visitor's token.
  [[nodiscard]] HttpResult<std::string> join(const std::string& client, Clock::time_point now);
  /// False when there is no such visitor.
  bool leave(std::string_view token);
  /// Something was heard of this visitor, if there is one.
  void heard_of(std::string_view token, Clock::time_point now);
  /// The visitor at the table has made a move in this game.
  void played(std::uint64_t game);

  /// Sends away who must go. True when somebody new sits at the table since the last time.
  [[nodiscard]] bool update(const Moment& moment, Clock::time_point now);

  /// 0: at the table; 1: the next. Nothing for strangers.
  [[nodiscard]] std::optional<std::size_t> place(std::string_view token) const;
  [[nodiscard]] bool empty() const { return visitors_.empty(); }
  /// Without the one at the table.
  [[nodiscard]] std::size_t waiting() const { return empty() ? 0 : visitors_.size() - 1; }
  /// Until the one at the table loses the seat; nothing while it is not their turn.
  [[nodiscard]] std::optional<std::chrono::seconds> left(Clock::time_point now) const;

 private:
  /// Whether the one at the table has had their game.
  [[nodiscard]] bool has_played(const Moment& moment, Clock::time_point now);
  void forget_game();

  struct Visitor {
    std::string token;
    std::string client;
    Clock::time_point heard;
  };
  struct Turn {
    std::string token;
    std::uint64_t game = 0;
    std::size_t ply = 0;
    Clock::time_point since;
  };

  TableQueueOptions options_;
  std::deque<Visitor> visitors_;  // the first sits at the table
  std::string seated_;            // who sat there at the last update
  std::optional<Turn> turn_;
  std::optional<std::uint64_t> played_;          // the game in which the one at the table has moved
  std::optional<Clock::time_point> over_since_;  // of that game
};

}  // namespace rowbot::server
