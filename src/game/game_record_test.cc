#include "game/game_record.h"

#include <chrono>
#include <string>

#include "base/rng.h"
#include "base/temporary_folder.h"
#include "game/moves_text.h"
#include "game/random_game.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace rowbot::game {
namespace {

using ::testing::HasSubstr;

GameRecord random_record(Rng& rng) {
  GameRecord record;
  record.first.name = "human";
  record.second = {.name = "mcts:time=100ms", .seed = rng()};
  if (rng.below(2) == 0) record.first.seed = rng();
  record.moves = testing::random_moves(rng, static_cast<int>(rng.below(43)));
  if (rng.below(2) == 0) {
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
      record.thinking.emplace_back(rng.below(1'000'000));
    }
  }
  settle_by_rules(record);
  record.start_moves = rng() % (record.moves.size() + 1);
  record.had_undo = rng.below(2) == 0;
  if (record.result == GameResult::kOngoing) {
    switch (rng.below(3)) {
      case 0:
        record.reason = EndReason::kInterrupted;
        break;
      case 1:
        record.result = GameResult::kSecondWins;
        record.reason = EndReason::kTimedOut;
        break;
      default:
        break;
    }
  }
  return record;
}

TEST(GameRecord, ReadsBackBothForms) {
  Rng rng(1);
  for (int i = 0; i < 2'000; ++i) {
    const GameRecord record = random_record(rng);
    const auto from_text = parse_record_text(record_text(record));
    ASSERT_TRUE(from_text.has_value()) << record_text(record) << from_text.error().message;
    ASSERT_EQ(*from_text, record);
    const auto from_json = parse_record_json(record_json(record).dump());
    ASSERT_TRUE(from_json.has_value()) << from_json.error().message;
    ASSERT_EQ(*from_json, record);
  }
}

TEST(GameRecord, ReplaysToTheFinalPosition) {
  GameRecord record{.first = {.name = "a"}, .second = {.name = "b"}};
  record.moves = parse_played("4141414")->moves;
  settle_by_rules(record);
  const auto position = replay(record);
  ASSERT_TRUE(position.has_value());
  EXPECT_EQ(position->outcome().result, GameResult::kFirstWins);
  EXPECT_EQ(reason_text(record.reason), "four_in_a_row");
}

TEST(GameRecord, HasTheFixedNamesInJson) {
  GameRecord record{.first = {.name = "random", .seed = 3}, .second = {.name = "human"}};
  record.moves = parse_played("4141414")->moves;
  settle_by_rules(record);
  EXPECT_EQ(record_json(record).dump(),
            R"({"format":1,"first":{"name":"random","seed":3},"second":{"name":"human"},)"
            R"("moves":"4141414","result":"first","reason":"four_in_a_row"})");
}

TEST(GameRecord, RefusesARecordThatContradictsItself) {
  const std::string head = "rowbot-game: 1\nfirst: a\nsecond: b\n";
  const auto refusal = [&](const std::string& rest) {
    const auto record = parse_record_text(head + rest);
    return record ? "accepted" : record.error().message;
  };
  EXPECT_EQ(refusal("moves: 4141414\nresult: first\nreason: four_in_a_row\n"), "accepted");
  EXPECT_THAT(refusal("moves: 4141414\nresult: second\nreason: four_in_a_row\n"),
              HasSubstr("contradicts the moves, which say 'first'"));
  EXPECT_THAT(refusal("moves: 44\nresult: draw\nreason: board_full\n"), HasSubstr("contradicts"));
  EXPECT_THAT(refusal("moves: 48\nresult: ongoing\nreason: ongoing\n"),
              HasSubstr("moves: character 2"));
  EXPECT_THAT(refusal("moves: 44\nthinking-us: 1\nresult: ongoing\nreason: ongoing\n"),
              HasSubstr("1 thinking times for 2 moves"));
  EXPECT_THAT(refusal("moves: 44\nresult: ongoing\nreason: ongoing\nstart-moves: 3\n"),
              HasSubstr("begins after 3 moves and has only 2"));
  EXPECT_THAT(refusal("had-undo: maybe\n"), HasSubstr("had-undo"));
  EXPECT_THAT(refusal("moves: 44\nmoves: 4\n"), HasSubstr("line 5: the field 'moves'"));
  EXPECT_THAT(refusal("colour: red\n"), HasSubstr("no field 'colour'"));
  EXPECT_THAT(refusal("nonsense\n"), HasSubstr("line 4: 'nonsense' is not of the form"));
}

TEST(GameRecord, RefusesOtherFormats) {
  EXPECT_THAT(parse_record_text("rowbot-game: 2\n").error().message, HasSubstr("reads format 1"));
  EXPECT_THAT(parse_record_text("").error().message, HasSubstr("empty"));
  EXPECT_THAT(parse_record_text("first: a\n").error().message, HasSubstr("begins with"));
  EXPECT_THAT(parse_record_json("[]").error().message, HasSubstr("not a JSON object"));
  EXPECT_THAT(parse_record_json("{").error().message, HasSubstr("not a JSON object"));
  EXPECT_THAT(parse_record_json(R"({"format":1})").error().message, HasSubstr("'first'"));
}

TEST(GameRecord, ReadsTheFilesOfTheProgramBefore) {
  const std::string folder = ROWBOT_SOURCE_DIR "/tests/fixtures/version-3/";
  const auto text = parse_record_text(bytes_of(folder + "finished.game"));
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(moves_text(text->moves), "671727776734525255345232");
  EXPECT_EQ(*parse_record_json(bytes_of(folder + "finished.json")), *text);
  const std::string unfinished = bytes_of(folder + "unfinished.game");
  EXPECT_EQ(record_text(*parse_record_text(unfinished)), unfinished);
}

TEST(GameRecord, AddsUpTheThinkingOfASide) {
  using std::chrono::microseconds;
  GameRecord record{.moves = parse_played("4455")->moves,
                    .thinking = {microseconds(1), std::nullopt, microseconds(3), std::nullopt}};
  EXPECT_EQ(total_thinking(record), (std::array<MoveTime, 2>{microseconds(4), std::nullopt}));
  record.start_moves = 2;
  record.second.thinking = microseconds(9);
  EXPECT_EQ(total_thinking(record), (std::array<MoveTime, 2>{microseconds(3), microseconds(9)}));
}

}  // namespace
}  // namespace rowbot::game
