// The opening book: the exact score of every unfinished position up to a number of plies.
//
// All positions are in the book (mirror images count once), so it need not hold them: it holds
// their scores only, six bits each, in a static function. Three hashes of a position's key name
// three cells, and the exclusive or of the cells is the score (Botelho, Pagh, Ziviani 2007;
// Dietzfelbinger, Pagh 2008). That takes 7.4 bits a position and three reads, whatever the depth.
//
//   bytes  0..7   "ROWBOOK1"
//          8..15  checksum of all bytes from 16 on (FNV-1a, 64 bits)
//         16..19  plies
//         20..23  seed of the hashes
//         24..31  number of positions
//         32..39  number of cells, a multiple of three
//         40..    the cells, six bits each, lowest bits first
//
// All numbers are little-endian.
// Thread safety: immutable once made; any number of threads may look up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "engine/solver/score.h"
#include "game/position.h"

namespace rowbot::solver {

struct BookEntry {
  std::uint64_t key;  ///< Position::symmetric_key()
  Score score;
};

class Book {
 public:
  /// The book that comes with the program.
  [[nodiscard]] static const Book& built_in();

  /// Refuses a file that is not a book, of another version, cut off or damaged.
  [[nodiscard]] static Result<Book> load(const std::filesystem::path& path);
  [[nodiscard]] static Result<Book> from_bytes(std::span<const std::uint8_t> bytes);

  /// The bytes of a book; requires that the keys differ and are those of all unfinished positions
  /// up to `plies`.
  [[nodiscard]] static std::vector<std::uint8_t> encode(int plies,
                                                        std::span<const BookEntry> entries);

  [[nodiscard]] int plies() const { return plies_; }
  [[nodiscard]] std::uint64_t positions() const { return positions_; }
  [[nodiscard]] std::size_t bytes() const { return cells_.size(); }

  /// Nothing for a position with more discs than the book has plies, or one that no game leads to.
  [[nodiscard]] std::optional<Score> find(const game::Position& position) const;
  /// What an unfinished position one ply beyond the book scores at least: its parents are in the
  /// book, and no move of theirs is better than their score. Nothing for other positions.
  [[nodiscard]] std::optional<Score> at_least(const game::Position& position) const;

 private:
  Book() = default;

  int plies_ = 0;
  std::uint32_t seed_ = 0;
  std::uint64_t positions_ = 0;
  std::uint64_t third_ = 0;          // a third of the number of cells
  std::vector<std::uint8_t> cells_;  // with one byte more, so that a cell can be read as two bytes
};

}  // namespace rowbot::solver
