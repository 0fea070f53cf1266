#include "engine/solver/book.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <string_view>

#include "base/rng.h"
#include "base/text_file.h"
#include "fmt/core.h"

namespace rowbot::solver {
namespace {

constexpr std::string_view kMagic = "ROWBOOK1";
constexpr std::size_t kHeaderBytes = 40;
constexpr unsigned kCellBits = 6;
constexpr int kScoreOffset = 32;
/// Sixteen plies; the program's own book has less than a thousandth of it.
constexpr std::size_t kMaxBookBytes = std::size_t{1} << 30;
constexpr int kMaxPlies = 24;  // deeper books would not fit on any disk

using Cells = std::array<std::uint64_t, 3>;

/// One cell in each third of the table.
Cells cells_of(std::uint64_t key, std::uint32_t seed, std::uint64_t third) {
  const auto in_third = [third](std::uint64_t h) {  // maps 32 bits to 0..third-1 without division
    return ((h & 0xffffffffU) * third) >> 32;
  };
  const std::uint64_t a = mix_seed(key ^ (std::uint64_t{seed} << 49));
  const std::uint64_t b = mix_seed(a);
  return {in_third(a), third + in_third(a >> 32), 2 * third + in_third(b)};
}

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3U;
  return hash;
}

std::uint64_t read_number(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t width) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < width; ++i) number |= std::uint64_t{bytes[at + i]} << (8 * i);
  return number;
}

void write_number(std::span<std::uint8_t> bytes, std::size_t at, std::size_t width,
                  std::uint64_t number) {
  for (std::size_t i = 0; i < width; ++i) {
    bytes[at + i] = static_cast<std::uint8_t>(number >> (8 * i));
  }
}

std::uint64_t packed_bytes(std::uint64_t cells) { return (cells * kCellBits + 7) / 8; }

unsigned read_cell(std::span<const std::uint8_t> cells, std::uint64_t index) {
  const std::uint64_t bit = index * kCellBits;
  const unsigned two = cells[bit / 8] | static_cast<unsigned>(cells[bit / 8 + 1]) << 8;
  return (two >> (bit % 8)) & ((1U << kCellBits) - 1);
}

/// Whether alternate play leads to these discs: takes top discs back, the last mover's first.
// NOLINTNEXTLINE(misc-no-recursion): as deep as there are discs, and books are shallow
bool reachable(game::Bits last, game::Bits other) {
  const game::Bits filled = last | other;
  if (filled == 0) return true;
  game::Bits tops = ((filled + game::kBottomRow) >> 1) & last;
  for (; tops != 0; tops &= tops - 1) {
    if (reachable(other, last & ~(tops & (0 - tops)))) return true;
  }
  return false;
}

/// An order in which each key still has a cell of its own when its turn comes: the keys of a
/// random 3-hypergraph, peeled. Fails for few seeds when there are 1.23 cells a key.
struct Peeled {
  std::size_t entry;
  std::uint64_t own_cell;
};

std::optional<std::vector<Peeled>> peel(std::span<const BookEntry> entries, std::uint32_t seed,
                                        std::uint64_t third) {
  const std::size_t cell_count = static_cast<std::size_t>(3 * third);
  std::vector<std::uint32_t> degree(cell_count, 0);
  std::vector<std::uint64_t> joined(cell_count, 0);  // exclusive or of the entries at a cell
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (const std::uint64_t cell : cells_of(entries[i].key, seed, third)) {
      ++degree[cell];
      joined[cell] ^= i;
    }
  }
  std::vector<std::uint64_t> single;
  for (std::uint64_t cell = 0; cell < cell_count; ++cell) {
    if (degree[cell] == 1) single.push_back(cell);
  }
  std::vector<Peeled> order;
  order.reserve(entries.size());
  while (!single.empty()) {
    const std::uint64_t cell = single.back();
    single.pop_back();
    if (degree[cell] != 1) continue;
    const auto entry = static_cast<std::size_t>(joined[cell]);
    order.push_back({.entry = entry, .own_cell = cell});
    for (const std::uint64_t c : cells_of(entries[entry].key, seed, third)) {
      joined[c] ^= entry;
      if (--degree[c] == 1) single.push_back(c);
    }
  }
  if (order.size() != entries.size()) return std::nullopt;
  return order;
}

}  // namespace

std::vector<std::uint8_t> Book::encode(int plies, std::span<const BookEntry> entries) {
  assert(plies >= 0 && plies <= kMaxPlies);
  const std::uint64_t third = (entries.size() * 123 / 100 + 32) / 3 + 1;
  std::uint32_t seed = 0;
  std::optional<std::vector<Peeled>> order;
  while (!(order = peel(entries, seed, third))) ++seed;

  std::vector<std::uint8_t> values(static_cast<std::size_t>(3 * third), 0);
  std::reverse(order->begin(), order->end());
  for (const Peeled& peeled : *order) {
    const BookEntry& entry = entries[peeled.entry];
    auto value = static_cast<std::uint8_t>(entry.score.value() + kScoreOffset);
    for (const std::uint64_t cell : cells_of(entry.key, seed, third)) value ^= values[cell];
    values[peeled.own_cell] ^= value;  // was zero: no key after this one owns it
  }

  std::vector<std::uint8_t> bytes(kHeaderBytes + packed_bytes(values.size()), 0);
  std::copy(kMagic.begin(), kMagic.end(), bytes.begin());
  write_number(bytes, 16, 4, static_cast<std::uint64_t>(plies));
  write_number(bytes, 20, 4, seed);
  write_number(bytes, 24, 8, entries.size());
  write_number(bytes, 32, 8, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t bit = i * kCellBits;
    const unsigned two = static_cast<unsigned>(values[i]) << (bit % 8);
    bytes[kHeaderBytes + bit / 8] |= static_cast<std::uint8_t>(two);
    if (two > 0xff) bytes[kHeaderBytes + bit / 8 + 1] |= static_cast<std::uint8_t>(two >> 8);
  }
  write_number(bytes, 8, 8, checksum(std::span(bytes).subspan(16)));
  return bytes;
}

Result<Book> Book::from_bytes(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kMagic.size() ||
      !std::equal(kMagic.begin(), kMagic.end(), bytes.begin(),
                  [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; })) {
    return Error{"not an opening book of this version (it does not begin with ROWBOOK1)"};
  }
  if (bytes.size() < kHeaderBytes) return Error{"the opening book is cut off in its header"};
  const std::uint64_t plies = read_number(bytes, 16, 4);
  const std::uint64_t positions = read_number(bytes, 24, 8);
  const std::uint64_t cells = read_number(bytes, 32, 8);
  const std::uint64_t body = bytes.size() - kHeaderBytes;
  const bool sizes_agree = plies <= kMaxPlies && cells % 3 == 0 && cells >= 3 &&
                           cells <= body * 2 && packed_bytes(cells) == body && positions <= cells;
  if (!sizes_agree || checksum(bytes.subspan(16)) != read_number(bytes, 8, 8)) {
    return Error{
        "the opening book is damaged or cut off (its checksum or size is wrong); build it again "
        "with 'rowbot book build'"};
  }
  Book book;
  book.plies_ = static_cast<int>(plies);
  book.seed_ = static_cast<std::uint32_t>(read_number(bytes, 20, 4));
  book.positions_ = positions;
  book.third_ = cells / 3;
  book.cells_.assign(bytes.begin() + kHeaderBytes, bytes.end());
  book.cells_.push_back(0);
  return book;
}

Result<Book> Book::load(const std::filesystem::path& path) {
  const auto text = read_text_file(path.string(), kMaxBookBytes);
  if (!text) return Error{"opening book: " + text.error().message};
  auto book = from_bytes(std::vector<std::uint8_t>(text->begin(), text->end()));
  if (!book) return Error{fmt::format("'{}': {}", path.string(), book.error().message)};
  return book;
}

std::optional<Score> Book::find(const game::Position& position) const {
  if (position.discs() > plies_ || !reachable(position.opponent(), position.mover())) {
    return std::nullopt;
  }
  unsigned value = 0;
  for (const std::uint64_t cell : cells_of(position.symmetric_key(), seed_, third_)) {
    value ^= read_cell(cells_, cell);
  }
  const int score = static_cast<int>(value) - kScoreOffset;
  if (score < -21 || score > 21) return std::nullopt;  // only in a forged book
  return Score(score);
}

std::optional<Score> Book::at_least(const game::Position& position) const {
  if (position.discs() != plies_ + 1) return std::nullopt;
  std::optional<Score> least;
  const game::Bits last = position.opponent();
  game::Bits tops = ((position.filled() + game::kBottomRow) >> 1) & last;
  for (; tops != 0; tops &= tops - 1) {
    const game::Bits before = last & ~(tops & (0 - tops));
    const bool first_moved = position.to_move() == game::Side::kSecond;
    const auto parent = first_moved ? game::Position::from_discs(before, position.mover())
                                    : game::Position::from_discs(position.mover(), before);
    if (!parent) continue;
    const auto score = find(*parent);
    if (score && (!least || -*score > *least)) least = -*score;
  }
  return least;
}

}  // namespace rowbot::solver
