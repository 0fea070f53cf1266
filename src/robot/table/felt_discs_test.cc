#include "robot/table/felt_discs.h"

#include <gtest/gtest.h>

namespace rowbot::table {
namespace {

using game::Column;
using Source = FeltDiscs::Source;

TEST(FeltDiscs, APressAndATypedColumnAreOneDisc) {
  FeltDiscs felt;
  felt.add(Source::kSwitch, Column(3), 1);
  felt.add(Source::kPerson, Column(3), 2);
  EXPECT_EQ(felt.count(Column(3)), 1);
  felt.explain(Column(3));
  EXPECT_TRUE(felt.empty());
}

TEST(FeltDiscs, TwoPressesAreTwoDiscs) {
  FeltDiscs felt;
  felt.add(Source::kSwitch, Column(3), 1);
  felt.add(Source::kSwitch, Column(3), 2);
  EXPECT_EQ(felt.count(Column(3)), 2);
  felt.add(Source::kPerson, Column(3), 3);
  EXPECT_EQ(felt.count(Column(3)), 2);
}

TEST(FeltDiscs, TheOldestComesFirstAndIsOverdueFirst) {
  FeltDiscs felt;
  EXPECT_FALSE(felt.first());
  EXPECT_FALSE(felt.overdue(100, 3));
  felt.add(Source::kSwitch, Column(5), 1);
  felt.add(Source::kSwitch, Column(2), 2);
  EXPECT_EQ(felt.first(), Column(5));
  EXPECT_EQ(felt.other_than(Column(5)), Column(2));
  EXPECT_FALSE(felt.overdue(4, 3));
  EXPECT_EQ(felt.overdue(4.5, 3), Column(5));
  felt.explain(Column(5));
  EXPECT_FALSE(felt.overdue(4.5, 3));
  EXPECT_FALSE(felt.other_than(Column(2)));
}

}  // namespace
}  // namespace rowbot::table
