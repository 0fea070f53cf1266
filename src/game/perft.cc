#include "game/perft.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "game/position.h"

namespace rowbot::game {
namespace {

/// Of a position and its mirror image, the one with the smaller key.
Position canonical(const Position& position) {
  const Position mirrored = position.mirrored();
  return mirrored.key() < position.key() ? mirrored : position;
}

bool smaller_key(const Position& a, const Position& b) { return a.key() < b.key(); }

}  // namespace

void count_positions(int plies, const std::function<void(int, std::uint64_t)>& report) {
  assert(plies >= 0 && plies <= kDeepestPerft);
  std::vector<Position> level{Position()};  // canonical, sorted by key, each once
  for (int ply = 0;; ++ply) {
    std::uint64_t positions = 0;
    for (const Position& p : level) positions += p == p.mirrored() ? 1U : 2U;
    report(ply, positions);
    if (ply == plies) return;

    std::vector<Position> next;
    for (const Position& p : level) {
      for (const Column c : kAllColumns) {
        if (p.can_play(c)) next.push_back(canonical(p.after(c)));
      }
    }
    std::sort(next.begin(), next.end(), smaller_key);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    level = std::move(next);
  }
}

}  // namespace rowbot::game
