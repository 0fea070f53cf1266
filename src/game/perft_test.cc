#include "game/perft.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace rowbot::game {
namespace {

TEST(Perft, CountsTheKnownNumbersOfPositions) {
  // https://oeis.org/A212693
  const std::vector<std::uint64_t> known{1,     7,      49,     238,     1'120,
                                         4'263, 16'422, 54'859, 184'275, 558'186};
  std::vector<std::uint64_t> counted;
  count_positions(9, [&](int ply, std::uint64_t positions) {
    EXPECT_EQ(ply, static_cast<int>(counted.size()));
    counted.push_back(positions);
  });
  EXPECT_EQ(counted, known);
}

}  // namespace
}  // namespace rowbot::game
