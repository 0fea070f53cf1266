// All notations: what they accept, what they refuse and how they say so, and that whatever they
// print they read back.

#include <string>
#include <string_view>

#include "base/rng.h"
#include "game/moves_text.h"
#include "game/position_text.h"
#include "game/random_game.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::game {
namespace {

using ::testing::HasSubstr;

template <class T>
std::string message(const Result<T>& result) {
  return result.has_value() ? "accepted" : result.error().message;
}

TEST(MovesText, ReadsBackEveryGameItPrints) {
  Rng rng(1);
  for (int i = 0; i < 5'000; ++i) {
    const auto moves = testing::random_moves(rng);
    const auto played = parse_played(moves_text(moves));
    ASSERT_TRUE(played.has_value()) << played.error().message;
    ASSERT_EQ(played->moves, moves);
  }
}

TEST(MovesText, NamesTheCharacterAndTheRuleItBreaks) {
  EXPECT_EQ(message(parse_moves("448")),
            "character 3 is '8': a move is a column digit from 1 to 7");
  EXPECT_THAT(message(parse_moves("44\n")), HasSubstr("character 3 is character number 10"));
  EXPECT_EQ(message(parse_moves("1111111")),
            "character 7 ('1') plays into a full column: column 1 already holds 6 discs");
  EXPECT_EQ(message(parse_moves("41414142")),
            "character 8 ('2') is a move after the end: the game was over after 7 moves");
}

struct Notation {
  const char* name;
  Result<Position> (*parse)(std::string_view);
  std::string (*print)(const Position&);
};

class PositionText : public ::testing::TestWithParam<Notation> {};

TEST_P(PositionText, ReadsBackEveryPositionItPrints) {
  Rng rng(2);
  for (int i = 0; i < 5'000; ++i) {
    const Position position = testing::random_position(rng);
    const std::string text = GetParam().print(position);
    const auto parsed = GetParam().parse(text);
    ASSERT_TRUE(parsed.has_value()) << text << ": " << parsed.error().message;
    ASSERT_EQ(*parsed, position) << text;
    const auto any = parse_any(text);
    ASSERT_TRUE(any.has_value()) << text << ": " << any.error().message;
    ASSERT_EQ(*any, position) << text;
  }
}

TEST_P(PositionText, PrintsWhatItReadsOrRefuses) {
  // One changed character either breaks a rule or is another position with its own text.
  Rng rng(3);
  int accepted = 0;
  for (int i = 0; i < 5'000; ++i) {
    std::string text = GetParam().print(testing::random_position(rng));
    constexpr std::string_view kSigns = "012.xo,\n";
    text[rng.below(static_cast<std::uint32_t>(text.size()))] = kSigns[rng.below(8)];
    const auto parsed = GetParam().parse(text);
    if (!parsed) {
      ASSERT_FALSE(parsed.error().message.empty());
      continue;
    }
    ++accepted;
    const auto again = GetParam().parse(GetParam().print(*parsed));
    ASSERT_TRUE(again.has_value());
    ASSERT_EQ(*again, *parsed);
  }
  EXPECT_GT(accepted, 0);
}

INSTANTIATE_TEST_SUITE_P(Notations, PositionText,
                         ::testing::Values(Notation{"board", parse_board, board_text},
                                           Notation{"state", parse_state, state_text},
                                           Notation{"list", parse_list, list_text}),
                         [](const auto& notation) { return notation.param.name; });

TEST(BoardText, DrawsTheTopRowFirst) {
  EXPECT_EQ(board_text(*parse_moves("4453")),
            ".......\n.......\n.......\n.......\n...o...\n..oxx..\n");
}

TEST(BoardText, AcceptsRowsJoinedBySlashes) {
  const auto position = parse_board("......./......./......./......./...o.../..oxx..");
  ASSERT_TRUE(position.has_value());
  EXPECT_EQ(*position, *parse_moves("4453"));
}

TEST(BoardText, NamesThePlaceAndTheRuleItBreaks) {
  const std::string empty = ".......\n.......\n.......\n.......\n.......\n";
  EXPECT_THAT(message(parse_board(empty)), HasSubstr("this one has 5"));
  EXPECT_THAT(message(parse_board(empty + "......")), HasSubstr("line 6 of the drawing has 6"));
  EXPECT_THAT(message(parse_board(empty + "...X...")), HasSubstr("line 6, character 4"));
  EXPECT_THAT(message(parse_board("...x...\n" + empty)),
              HasSubstr("floating disc at column 4, row 6"));
  EXPECT_THAT(message(parse_board(empty + "xx.....")), HasSubstr("impossible counts: 2 discs"));
  EXPECT_THAT(message(parse_board("......./......./xo...../xo...../xo...../xo.....")),
              HasSubstr("two winners"));
}

TEST(StateText, MatchesTheExamplesOfTheThesis) {
  EXPECT_EQ(state_text(Position()), "0000000");
  const auto example = parse_state("00102201000");
  ASSERT_TRUE(example.has_value()) << example.error().message;
  EXPECT_EQ(board_text(*example), ".......\n.......\n.......\n.......\n...o...\n..xox..\n");
  EXPECT_EQ(state_text(*example), "00102201000");
  EXPECT_EQ(state_text(*parse_moves("333333")), "001212120000");
  const auto full = parse_state("121122212211121122212211121122212211121122");
  ASSERT_TRUE(full.has_value()) << full.error().message;
  EXPECT_EQ(full->outcome().result, GameResult::kDraw);
}

TEST(StateText, NamesTheCharacterAndTheRuleItBreaks) {
  EXPECT_THAT(message(parse_state("000")), HasSubstr("ends in column 4"));
  EXPECT_THAT(message(parse_state("00000000")), HasSubstr("character 8 of the state is too many"));
  EXPECT_THAT(message(parse_state("0003000")), HasSubstr("character 4 of the state is '3'"));
  EXPECT_THAT(message(parse_state("20000000")), HasSubstr("impossible counts"));
}

TEST(ListText, ReadsAnObservationWithOrWithoutBrackets) {
  const std::string list = list_text(*parse_moves("4453"));
  EXPECT_EQ(
      list,
      "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0,2,1,1,0,0]");
  EXPECT_TRUE(parse_list(list.substr(1, list.size() - 2)).has_value());
}

TEST(ListText, NamesTheNumberAndTheRuleItBreaks) {
  EXPECT_THAT(message(parse_list("[0,1]")), HasSubstr("42 numbers, this one has 2"));
  EXPECT_THAT(message(parse_list("[]")), HasSubstr("this one has 0"));
  EXPECT_THAT(message(parse_list("[0,1")), HasSubstr("only its opening bracket"));
  std::string list = list_text(Position());
  list[3] = '7';
  EXPECT_THAT(message(parse_list(list)), HasSubstr("number 2 of the list is '7'"));
}

TEST(AnyText, TellsTheNotationsApart) {
  EXPECT_EQ(*parse_any(" 4453\n"), *parse_moves("4453"));
  EXPECT_EQ(*parse_any(""), Position());
  EXPECT_EQ(*parse_any("0000000"), Position());
  EXPECT_EQ(parse_any("121122212211121122212211121122212211121122")->discs(), 42);
}

}  // namespace
}  // namespace rowbot::game
