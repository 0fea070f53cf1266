#include "service/store/store.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

#include "base/sqlite/database.h"
#include "base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/store/schema.h"
#include "service/store/sqlite_store.h"

namespace rowbot::store {
namespace {

using game::Column;
using game::EndReason;
using game::GameResult;

NewGame game_of(const std::string& token) {
  return {.head = {.token = token,
                   .level = "easy",
                   .created = Time(std::chrono::milliseconds(1'800'000'000'123))},
          .record = {.first = {.name = "human"}, .second = {.name = "mcts:level=easy"}}};
}

AddMove move_of(const std::string& token, int ply, int column) {
  return {.token = token, .ply = ply, .column = Column(column)};
}

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override { reopen(); }
  void reopen() {
    store_.reset();
    auto opened = SqliteStore::open(folder_.file("games.db"));
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
  }
  StoredGame stored(const std::string& token) {
    auto game = store_->game(token);
    EXPECT_TRUE(game && *game) << token;
    return game && *game ? **game : StoredGame{};
  }
  [[nodiscard]] bool write(std::vector<Change> changes) {
    return write_and_wait(*store_, std::move(changes)).has_value();
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
};

TEST_F(StoreTest, GivesBackAGameAfterItWasOpenedAgain) {
  NewGame made = game_of("aa");
  made.head.guest = "bb";
  made.record.moves = {Column(3), Column(3)};
  made.record.start_moves = 2;
  AddMove second = move_of("aa", 3, 0);
  second.thinking = std::chrono::microseconds(1234);
  ASSERT_TRUE(write({made, move_of("aa", 2, 6), second}));
  reopen();
  game::GameRecord expected = made.record;
  expected.moves.insert(expected.moves.end(), {Column(6), Column(0)});
  expected.thinking = {std::nullopt, std::nullopt, std::nullopt, second.thinking};
  for (const char* token : {"aa", "bb"}) {
    const StoredGame game = stored(token);
    EXPECT_EQ(game.head, made.head);
    EXPECT_EQ(game.record, expected);
  }
  EXPECT_EQ(*store_->game("cc"), std::nullopt);
}

TEST_F(StoreTest, MakesAllChangesOfABatchOrNone) {
  ASSERT_TRUE(write({game_of("aa")}));
  EXPECT_FALSE(write({move_of("aa", 0, 3), move_of("nobody", 0, 3)}));
  EXPECT_TRUE(stored("aa").record.moves.empty());
  EXPECT_FALSE(write({game_of("bb"), game_of("aa")}));
  EXPECT_EQ(*store_->game("bb"), std::nullopt);
}

TEST_F(StoreTest, RefusesTheSameMoveTwice) {
  ASSERT_TRUE(write({game_of("aa"), move_of("aa", 0, 3)}));
  EXPECT_FALSE(write({move_of("aa", 0, 3)}));
  EXPECT_EQ(stored("aa").record.moves.size(), 1U);
}

TEST_F(StoreTest, RefusesAMoveWithoutTheOneBeforeIt) {
  NewGame later = game_of("bb");
  later.record.moves = {Column(3), Column(3)};
  later.record.start_moves = 2;
  ASSERT_TRUE(write({game_of("aa"), later}));
  EXPECT_FALSE(write({move_of("aa", 1, 3)}));
  EXPECT_FALSE(write({move_of("aa", -1, 3)}));
  EXPECT_FALSE(write({move_of("bb", 1, 3)})) << "before the game's start";
  EXPECT_FALSE(write({move_of("bb", 3, 3)}));
  EXPECT_TRUE(write({move_of("aa", 0, 3), move_of("aa", 1, 3)}));
  EXPECT_TRUE(write({move_of("bb", 2, 3), move_of("bb", 3, 3)}));
  EXPECT_FALSE(write({move_of("bb", 5, 3)}));
  EXPECT_EQ(stored("aa").record.moves.size(), 2U);
  EXPECT_EQ(stored("bb").record.moves.size(), 4U);
}

TEST_F(StoreTest, DoesNotFreezeTheReaderWithAGameThatContradictsItself) {
  ASSERT_TRUE(write({game_of("aa"), move_of("aa", 0, 3)}));
  auto raw = open_database(folder_.file("games.db"));
  ASSERT_TRUE(raw);
  ASSERT_TRUE(raw->run("UPDATE games SET moves = '9'"));
  EXPECT_FALSE(store_->game("aa"));
  ASSERT_TRUE(write({game_of("bb")}));
  EXPECT_TRUE(*store_->game("bb"));
  EXPECT_EQ(store_->statistics()->games, 2);
  auto checkpoint = raw->prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  ASSERT_TRUE(raw->execute("PRAGMA busy_timeout = 100"));
  ASSERT_TRUE(checkpoint && *checkpoint->step());
  EXPECT_EQ(checkpoint->integer(0), 0) << "somebody still reads an old snapshot";
  EXPECT_EQ(std::filesystem::file_size(folder_.file("games.db-wal")), 0U);
}

TEST_F(StoreTest, TakesMovesBackAndRemembersThatItDid) {
  ASSERT_TRUE(write({game_of("aa"), move_of("aa", 0, 3), move_of("aa", 1, 3)}));
  EXPECT_FALSE(stored("aa").record.had_undo);
  ASSERT_TRUE(write({TakeBack{.token = "aa", .ply = 0}}));
  EXPECT_TRUE(stored("aa").record.had_undo);
  EXPECT_TRUE(stored("aa").record.moves.empty());
  ASSERT_TRUE(write({move_of("aa", 0, 1)}));
  EXPECT_EQ(stored("aa").record.moves.at(0), Column(1));
}

TEST_F(StoreTest, CountsAResultOnceAndLetsNothingFollowIt) {
  const EndGame end{.token = "aa",
                    .result = GameResult::kFirstWins,
                    .reason = EndReason::kResigned,
                    .level = "easy",
                    .winner = "human"};
  ASSERT_TRUE(write({game_of("aa"), game_of("bb"), end}));
  EXPECT_FALSE(write({end}));
  EXPECT_FALSE(write({move_of("aa", 0, 3)}));
  EXPECT_FALSE(write({TakeBack{.token = "aa", .ply = 0}}));
  EXPECT_EQ(stored("aa").record.result, GameResult::kFirstWins);
  EXPECT_EQ(stored("aa").record.reason, EndReason::kResigned);
  const auto statistics = store_->statistics();
  ASSERT_TRUE(statistics);
  EXPECT_EQ(statistics->games, 2);
  ASSERT_EQ(statistics->tally.size(), 1U);
  EXPECT_EQ(statistics->tally[0].games, 1);
  EXPECT_EQ(statistics->tally[0].winner, "human");
}

TEST_F(StoreTest, CountsOneSurveyAnswerAGame) {
  ASSERT_TRUE(write({game_of("aa")}));
  ASSERT_TRUE(write({AnswerSurvey{.token = "aa", .feel = "good", .age = "young"}}));
  ASSERT_TRUE(write({AnswerSurvey{.token = "aa", .feel = "hard", .age = "old"}}));
  ASSERT_TRUE(write({AnswerSurvey{.feel = "hard", .age = "old"}}));
  EXPECT_FALSE(write({AnswerSurvey{.token = "nobody", .feel = "hard", .age = "old"}}));
  const auto statistics = store_->statistics();
  ASSERT_EQ(statistics->surveys.size(), 1U);
  EXPECT_EQ(statistics->surveys[0].feel, "hard");
  EXPECT_EQ(statistics->surveys[0].answers, 2);
}

TEST_F(StoreTest, CountsTheSurveysOfAnOlderDatabase) {
  const std::string path = folder_.file("old.db");
  {
    auto old = sqlite::Database::open(path, migrations().first(2));
    ASSERT_TRUE(old) << old.error().message;
    for (const char* feel : {"good", "good", "hard"}) {
      ASSERT_TRUE(
          old->run("INSERT INTO surveys (feel, age, answered) VALUES (?1, 'young', 0)", feel));
    }
  }
  auto store = SqliteStore::open(path);
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE(write_and_wait(**store, {AnswerSurvey{.feel = "hard", .age = "old"}}));
  const auto statistics = (*store)->statistics();
  ASSERT_TRUE(statistics);
  std::vector<std::string> rows;
  for (const SurveyRow& row : statistics->surveys) {
    rows.push_back(row.feel + " " + row.age + " " + std::to_string(row.answers));
  }
  EXPECT_THAT(rows, ::testing::UnorderedElementsAre("good young 2", "hard young 1", "hard old 1"));
}

TEST_F(StoreTest, ReadsNoAnswersForItsStatistics) {
  ASSERT_TRUE(write({game_of("aa")}));
  ASSERT_TRUE(write({AnswerSurvey{.feel = "hard", .age = "old"}}));
  auto raw = open_database(folder_.file("games.db"));
  ASSERT_TRUE(raw);
  // The rows themselves are gone, behind the back of the tally; counting them would give none.
  ASSERT_TRUE(raw->execute("DROP TRIGGER surveys_deleted; DELETE FROM surveys"));
  const auto statistics = store_->statistics();
  ASSERT_TRUE(statistics);
  ASSERT_EQ(statistics->surveys.size(), 1U);
  EXPECT_EQ(statistics->surveys[0].answers, 1);
}

TEST_F(StoreTest, KeepsNotes) {
  EXPECT_EQ(*store_->note("announcement"), "");
  ASSERT_TRUE(write({SetNote{.name = "announcement", .value = "closed on Monday"}}));
  ASSERT_TRUE(write({SetNote{.name = "announcement", .value = "open again"}}));
  EXPECT_EQ(*store_->note("announcement"), "open again");
  ASSERT_TRUE(write({SetNote{.name = "announcement", .value = ""}}));
  EXPECT_EQ(*store_->note("announcement"), "");
}

TEST_F(StoreTest, WritesWhatThreadsHandOverTogetherAndReadsMeanwhile) {
  constexpr int kThreads = 4;
  constexpr int kGames = 40;
  std::array<std::vector<std::string>, kThreads> failed;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([this, t, &failed] {
        for (int i = 0; i < kGames; ++i) {
          const std::string token = std::to_string(t) + "-" + std::to_string(i);
          if (!write({game_of(token)}) || !write({move_of(token, 0, i % 7)}) ||
              stored(token).record.moves.size() != 1) {
            failed.at(static_cast<std::size_t>(t)).push_back(token);
          }
        }
      });
    }
  }
  for (const auto& tokens : failed) EXPECT_THAT(tokens, ::testing::IsEmpty());
  EXPECT_EQ(store_->statistics()->games, kThreads * kGames);
}

/// Lets no file of this process grow beyond a size, as a full disk would not.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  FileSizeLimit(FileSizeLimit&&) = delete;
  FileSizeLimit& operator=(FileSizeLimit&&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(StoreTest, SaysWhyItCannotWriteAndWritesAgainWhenItCan) {
  ASSERT_TRUE(write({game_of("before")}));
  EXPECT_FALSE(write({game_of("before")}));
  EXPECT_EQ(store_->write_trouble(), "") << "a change that does not fit is no trouble";
  {
    const FileSizeLimit limit(std::filesystem::file_size(folder_.file("games.db-wal")));
    for (int i = 0; i < 5; ++i) {
      EXPECT_FALSE(write({game_of("during " + std::to_string(i))}));
      EXPECT_NE(store_->write_trouble(), "");
    }
    EXPECT_TRUE(*store_->game("before")) << "reading goes on";
  }
  // The store looks by itself whether the trouble is over.
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!store_->write_trouble().empty() && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(store_->write_trouble(), "");
  ASSERT_TRUE(write({game_of("after")}));
  reopen();
  EXPECT_EQ(store_->statistics()->games, 2);
}

TEST_F(StoreTest, GoesOnWhereTheLogCannotGrow) {
  ASSERT_TRUE(write({game_of("aa")}));
  const FileSizeLimit limit(300'000);
  int failed = 0;
  for (int i = 0; i < 300; ++i) {  // a page or more of log each
    if (!write({SetNote{.name = "announcement", .value = std::to_string(i)}})) ++failed;
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(store_->write_trouble(), "");
  EXPECT_EQ(*store_->note("announcement"), "299");
}

TEST_F(StoreTest, WritesEverythingBeforeItCloses) {
  int told = 0;
  for (int i = 0; i < 100; ++i) {
    store_->write({game_of(std::to_string(i))},
                  [&told](const Result<void>& result) { told += result ? 1 : 0; });
  }
  reopen();
  EXPECT_EQ(told, 100);
  EXPECT_EQ(store_->statistics()->games, 100);
}

}  // namespace
}  // namespace rowbot::store
