// The search tree: one flat arena of small blocks. A block holds the seven moves of one expanded
// position, as arrays, so that the UCT values of all moves are computed at once:
//
//     visits[7]   points[7]   link[7]        84 bytes
//
// No positions are stored, they are replayed on the way down; a position gets its block when it is
// visited for the second time. Points are half points of the side that makes the move: 2 for a win,
// 1 for a draw.
//
// A link is the block after the move and what is known for certain about the move:
//
//     bits 26..31  proof: 0 nothing; odd d: the side that moves wins within d plies;
//                  even d: it loses, at the latest in d plies; 62: the column is full; 63: a draw
//     bits 0..25   number of the block after the move, 0 none
//
// Thread safety: none by itself; search.cc says which accesses are atomic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/agents/decision.h"
#include "game/bits.h"

namespace rowbot::agents::mcts {

using BlockIndex = std::uint32_t;

inline constexpr std::size_t kMoves = game::kColumns;

struct Block {
  std::array<std::uint32_t, kMoves> visits;
  std::array<std::uint32_t, kMoves> points;
  std::array<std::uint32_t, kMoves> link;
};
static_assert(sizeof(Block) == 84);

/// What is known about a move, from the side that makes it.
class Proof {
 public:
  constexpr Proof() = default;
  static constexpr Proof in_plies(int plies) { return Proof(static_cast<std::uint32_t>(plies)); }
  static constexpr Proof draw() { return Proof(63); }
  static constexpr Proof full_column() { return Proof(62); }
  static constexpr Proof of_link(std::uint32_t link) { return Proof(link >> 26); }

  [[nodiscard]] constexpr bool open() const { return code_ == 0; }
  [[nodiscard]] constexpr bool is_draw() const { return code_ == 63; }
  [[nodiscard]] constexpr bool is_full_column() const { return code_ == 62; }
  [[nodiscard]] constexpr bool is_win() const { return code_ % 2 == 1 && code_ != 63; }
  [[nodiscard]] constexpr bool is_loss() const {
    return code_ % 2 == 0 && code_ != 0 && code_ != 62;
  }
  /// Of a win or a loss.
  [[nodiscard]] constexpr int plies() const { return static_cast<int>(code_); }
  [[nodiscard]] constexpr std::uint32_t in_link() const { return code_ << 26; }

  /// The proof of a move that leads to a position whose side to move has this one.
  [[nodiscard]] constexpr Proof before() const { return is_draw() ? *this : Proof(code_ + 1); }
  /// Whether the side that moves prefers this proof to another. Wins early, losses late.
  [[nodiscard]] constexpr bool better_than(Proof other) const { return rank() > other.rank(); }

  friend constexpr bool operator==(Proof, Proof) = default;

 private:
  explicit constexpr Proof(std::uint32_t code) : code_(code) {}
  [[nodiscard]] constexpr int rank() const {
    const int d = static_cast<int>(code_);
    return is_win() ? 1000 - d : is_loss() ? d - 1000 : 0;
  }

  std::uint32_t code_ = 0;
};

/// For people; `discs` on the board before the move or of the position it is about.
[[nodiscard]] std::optional<Proven> proven_of(Proof proof, int discs);

inline constexpr std::uint32_t kBlockMask = (std::uint32_t{1} << 26) - 1;
/// In `visits`: the move is out of the question (full column, or proven lost). So large a count
/// makes its UCT value smaller than any other's without a test.
inline constexpr std::uint32_t kClosed = std::uint32_t{1} << 30;

[[nodiscard]] constexpr std::uint32_t visits_of(std::uint32_t field) { return field & ~kClosed; }

/// Memory for blocks, taken from the system as it is used. Block 0 means none.
class Arena {
 public:
  /// Room for at most this many bytes, and for one block at least.
  explicit Arena(std::uint64_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;

  [[nodiscard]] Block& operator[](BlockIndex index) { return blocks_[index]; }
  [[nodiscard]] const Block& operator[](BlockIndex index) const { return blocks_[index]; }
  [[nodiscard]] Block* data() { return blocks_; }

  /// Gives the memory back to the system; all blocks are lost.
  void release();

  [[nodiscard]] BlockIndex capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t room_bytes() const { return mapped_bytes_; }

 private:
  Block* blocks_ = nullptr;
  BlockIndex capacity_ = 0;  // blocks, including the unused number 0
  std::uint64_t mapped_bytes_ = 0;
};

}  // namespace rowbot::agents::mcts
