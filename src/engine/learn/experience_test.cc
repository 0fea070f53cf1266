#include "engine/learn/experience.h"

#include <set>
#include <string>
#include <vector>

#include "base/sqlite/database.h"
#include "base/temporary_folder.h"
#include "game/random_game.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rowbot::learn {
namespace {

using game::Position;
using ::testing::HasSubstr;

using Access = Experience::Access;

template <class T>
T must(Result<T> result) {
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return *std::move(result);
}

void teach(Experience& experience, const Position& position, std::size_t action, double value) {
  experience.learn(experience.state_of(position), action, [value](double) { return value; });
}

std::vector<Position> some_positions(std::uint64_t seed, std::size_t count) {
  Rng rng(seed);
  std::vector<Position> positions;
  while (positions.size() < count) {
    const Position position = game::testing::random_position(rng);
    if (position.discs() > 0) positions.push_back(position);
  }
  return positions;
}

TEST(StateKeys, NameEveryPositionAndNothingElse) {
  for (const Position& position : some_positions(1, 2000)) {
    EXPECT_EQ(must(position_of(position.key())), position);
    const State a = state_of(position, true);
    const State b = state_of(position.mirrored(), true);
    EXPECT_EQ(a.key, b.key);
    EXPECT_EQ(a.key, position.symmetric_key());
  }
  EXPECT_FALSE(position_of(0));
  EXPECT_FALSE(position_of(UINT64_MAX));
  EXPECT_FALSE(position_of(Position().key() + 64)) << "a column without its guard";
}

TEST(ExperienceTable, KeepsWhatWasPutInWhileItGrows) {
  ExperienceTable table;
  std::set<StateKey> keys;
  for (const Position& position : some_positions(2, 5000)) {
    keys.insert(position.key());
    table.change(position.key()).value[2] = static_cast<float>(position.key() % 1000);
  }
  EXPECT_EQ(table.size(), keys.size());
  for (const StateKey key : keys) {
    ASSERT_NE(table.find(key), nullptr);
    EXPECT_EQ(table.find(key)->value[2], static_cast<float>(key % 1000));
  }
  EXPECT_EQ(table.find(1), nullptr);
  EXPECT_EQ(table.take_changed(), std::vector(keys.begin(), keys.end())) << "in order, each once";
  EXPECT_EQ(table.changed(), 0U);
  (void)table.change(*keys.begin());
  (void)table.change(*keys.begin());
  EXPECT_EQ(table.changed(), 1U);
}

TEST(Experience, GivesBackFromTheFileExactlyWhatWasLearned) {
  const TemporaryFolder folder;
  const auto positions = some_positions(3, 500);
  Experience memory;
  {
    Experience experience = must(Experience::open(folder.file("q.db"), Access::kTrain));
    for (std::size_t i = 0; i < positions.size(); ++i) {
      teach(experience, positions[i], i % 7, 1.0 / static_cast<double>(i + 3));
      teach(memory, positions[i], i % 7, 1.0 / static_cast<double>(i + 3));
      experience.end_episode("wdl"[i % 3]);
    }
    ASSERT_TRUE(experience.save());
    teach(experience, positions[0], 3, 99);  // not saved
  }
  for (const Access access : {Access::kPlay, Access::kLearn, Access::kTrain}) {
    Experience again = must(Experience::open(folder.file("q.db"), access));
    for (const Position& position : positions) {
      const State state = again.state_of(position);
      EXPECT_EQ(must(again.look_up(state)), must(memory.look_up(state)));
    }
    EXPECT_FALSE(must(again.look_up({.key = Position().key()})));
    if (access == Access::kPlay) {
      EXPECT_EQ(again.table().size(), 0U) << "a player loads nothing";
    } else {
      EXPECT_EQ(again.episodes(), positions.size());
    }
  }
}

TEST(Experience, FetchesAStateBeforeItLearnsMoreAboutIt) {
  const TemporaryFolder folder;
  const Position position;
  {
    Experience experience = must(Experience::open(folder.file("q.db"), Access::kTrain));
    teach(experience, position, 3, 40);
    ASSERT_TRUE(experience.save());
  }
  Experience learner = must(Experience::open(folder.file("q.db"), Access::kLearn));
  EXPECT_EQ(learner.recall(learner.state_of(position)).value[3], 40);
  learner.learn(learner.state_of(position), 3, [](double old) { return old + 2; });
  learner.end_episode(Experience::kWon);
  ASSERT_TRUE(learner.save());
  Experience reader = must(Experience::open(folder.file("q.db"), Access::kPlay));
  const auto values = must(reader.look_up(reader.state_of(position)));
  EXPECT_EQ(values->value[3], 42);
  EXPECT_EQ(values->visits[3], 2U);
}

TEST(Experience, LetsOneWriteWhileAnotherReads) {
  const TemporaryFolder folder;
  Experience writer = must(Experience::open(folder.file("q.db"), Access::kTrain));
  Experience reader = must(Experience::open(folder.file("q.db"), Access::kPlay));
  teach(writer, Position(), 3, 5);
  EXPECT_FALSE(must(reader.look_up({.key = Position().key()})));
  ASSERT_TRUE(writer.save());
  EXPECT_TRUE(must(reader.look_up({.key = Position().key()})));
}

TEST(Experience, RefusesASecondWriterAndLosesNothingOfTheFirst) {
  const TemporaryFolder folder;
  Experience a = must(Experience::open(folder.file("q.db"), Access::kTrain));
  Experience b = must(Experience::open(folder.file("q.db"), Access::kTrain));
  a.end_episode(Experience::kWon);
  b.end_episode(Experience::kLost);
  teach(b, Position(), 0, 1);
  ASSERT_TRUE(a.save());
  const auto refused = b.save();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("another program"));
  EXPECT_EQ(b.unsaved_states(), 1U) << "what could not be saved still waits";
  EXPECT_EQ(must(Experience::open(folder.file("q.db"), Access::kTrain)).outcomes(), "w");
}

TEST(Experience, KeepsItsSymmetry) {
  const TemporaryFolder folder;
  { Experience made = must(Experience::open(folder.file("q.db"), Access::kTrain, true)); }
  EXPECT_TRUE(must(Experience::open(folder.file("q.db"), Access::kPlay)).mirror());
  const auto refused = Experience::open(folder.file("q.db"), Access::kTrain, false);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("mirror symmetry on"));
}

TEST(Experience, RefusesFilesThatAreNotItsOwnAndLeavesThemAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.file("notes.txt");
  write_bytes(path,
              "not a database at all, but longer than a header would be: " + std::string(200, '.'));
  const std::string before = bytes_of(path);
  for (const Access access : {Access::kPlay, Access::kLearn, Access::kTrain}) {
    EXPECT_FALSE(Experience::open(path, access));
  }
  EXPECT_EQ(bytes_of(path), before);
  const auto absent = Experience::open(folder.file("none.db"), Access::kPlay);
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message, HasSubstr("rowbot train q"));
}

TEST(Experience, RefusesForgedTablesAndRows) {
  const TemporaryFolder folder;
  const auto forged = [&](const std::string& name, const std::string& sql) {
    const std::string path = folder.file(name);
    {
      Experience made = must(Experience::open(path, Access::kTrain));
      teach(made, Position(), 3, 5);
      EXPECT_TRUE(made.save());
    }
    {
      constexpr std::array<std::string_view, 1> kNothing{""};
      auto database = sqlite::Database::open(path, kNothing, {.application_id = 0x526f7751});
      EXPECT_TRUE(database) << database.error().message;
      EXPECT_TRUE(database->execute(sql));
    }
    const auto opened = Experience::open(path, Access::kTrain);
    return opened ? "accepted" : opened.error().message;
  };
  EXPECT_EQ(forged("fine.db", "SELECT 1"), "accepted");
  EXPECT_THAT(forged("view.db", "CREATE VIEW endless AS SELECT 1"), HasSubstr("tables"));
  EXPECT_THAT(
      forged("trigger.db", "CREATE TRIGGER t AFTER INSERT ON facts BEGIN DELETE FROM states; END"),
      HasSubstr("tables"));
  EXPECT_THAT(forged("key.db", "UPDATE states SET key = 12"), HasSubstr("not the key"));
  EXPECT_THAT(forged("large.db", "UPDATE states SET q1 = 1e300"), HasSubstr("not numbers"));
  EXPECT_THAT(forged("negative.db", "UPDATE states SET n7 = -1"), HasSubstr("not numbers"));
  EXPECT_THAT(forged("results.db", "INSERT INTO results VALUES (0, 'wwx')"), HasSubstr("results"));
  EXPECT_THAT(forged("gap.db", "INSERT INTO results VALUES (7, 'www')"), HasSubstr("results"));
}

TEST(Experience, MergesByTheWeightOfVisits) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& name, int visits, double value) {
    Experience made = must(Experience::open(folder.file(name), Access::kTrain));
    for (int i = 0; i < visits; ++i) teach(made, Position(), 3, value);
    made.end_episode(Experience::kWon);
    EXPECT_TRUE(made.save());
  };
  with("a.db", 3, 10);
  with("b.db", 1, 50);
  Experience merged;
  for (const char* name : {"a.db", "b.db"}) {
    auto file = must(ExperienceFile::open(folder.file(name), ExperienceFile::Use::kPlay));
    ASSERT_TRUE(merged.merge(file));
  }
  const auto values = must(merged.look_up({.key = Position().key()}));
  EXPECT_FLOAT_EQ(values->value[3], 20);
  EXPECT_EQ(values->visits[3], 4U);
  EXPECT_EQ(merged.outcomes(), "ww");
  ASSERT_TRUE(merged.save_as(folder.file("c.db")));
  EXPECT_EQ(must(Experience::open(folder.file("c.db"), Access::kTrain)).episodes(), 2U);
}

TEST(Experience, OpensTheFileOfTheProgramBefore) {
  const TemporaryFolder folder;
  const std::string path = folder.file("old.q");
  {
    auto file = must(sqlite::Database::open(path, {}));
    const auto done =
        file.execute(bytes_of(ROWBOT_SOURCE_DIR "/tests/fixtures/version-3/experience.sql"));
    ASSERT_TRUE(done) << done.error().message;
  }
  const auto experience = must(Experience::open(path, Access::kTrain));
  EXPECT_EQ(experience.table().size(), 188U);
  EXPECT_EQ(experience.episodes(), 20U);
}

}  // namespace
}  // namespace rowbot::learn
