#include "engine/solver/book.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

#include "base/rng.h"
#include "base/stop.h"
#include "engine/solver/book_builder.h"
#include "engine/solver/book_progress.h"
#include "engine/solver/solver.h"
#include "game/position_text.h"
#include "game/random_game.h"
#include "gtest/gtest.h"

namespace rowbot::solver {
namespace {

using game::Position;

/// A book of invented scores over the real positions: quick to make.
std::vector<BookEntry> invented_entries(int plies) {
  std::vector<BookEntry> entries;
  for (const auto& ply : positions_by_ply(plies)) {
    for (const Position& p : ply) {
      const std::uint64_t key = p.symmetric_key();
      entries.push_back({.key = key, .score = Score(static_cast<int>(key % 43) - 21)});
    }
  }
  return entries;
}

class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("rowbot_book_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path file(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

TEST(PositionsByPly, CountEachMirrorPairOnce) {
  const auto by_ply = positions_by_ply(6);
  ASSERT_EQ(by_ply.size(), 7U);
  EXPECT_EQ(by_ply[0].size(), 1U);
  EXPECT_EQ(by_ply[1].size(), 4U);
  EXPECT_EQ(by_ply[2].size(), 25U);
  EXPECT_EQ(by_ply[6].size(), 8'231U);
  std::set<std::uint64_t> keys;
  for (const Position& p : by_ply[5]) keys.insert(p.symmetric_key());
  EXPECT_EQ(keys.size(), by_ply[5].size());
}

TEST(Book, FindsEveryScoreItWasMadeOf) {
  const auto entries = invented_entries(5);
  const auto book = Book::from_bytes(Book::encode(5, entries));
  ASSERT_TRUE(book.has_value()) << book.error().message;
  EXPECT_EQ(book->plies(), 5);
  EXPECT_EQ(book->positions(), entries.size());
  for (const auto& ply : positions_by_ply(5)) {
    for (const Position& p : ply) {
      const int expected = static_cast<int>(p.symmetric_key() % 43) - 21;
      ASSERT_EQ(book->find(p), Score(expected));
      ASSERT_EQ(book->find(p.mirrored()), Score(expected));
    }
  }
}

TEST(Book, TakesLessThanAByteAPosition) {
  const auto entries = invented_entries(6);
  EXPECT_LT(Book::encode(6, entries).size(), entries.size());
}

TEST(Book, DoesNotAnswerBeyondItsDepth) {
  const auto book = Book::from_bytes(Book::encode(3, invented_entries(3)));
  ASSERT_TRUE(book.has_value());
  Position p;
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(book->find(p).has_value());
    p = p.after(game::Column(i));
  }
  EXPECT_FALSE(book->find(p).has_value());
}

TEST(Book, DoesNotAnswerForPositionsThatNoGameLeadsTo) {
  const auto book = Book::from_bytes(Book::encode(4, invented_entries(4)));
  ASSERT_TRUE(book.has_value());
  // Both bottom discs are the second player's: who can have moved first?
  const auto position = game::parse_board("......./......./......./......./xx...../oo.....");
  ASSERT_TRUE(position.has_value());
  EXPECT_FALSE(book->find(*position).has_value());
}

TEST(Book, RefusesEveryDamagedByte) {
  const auto good = Book::encode(3, invented_entries(3));
  ASSERT_TRUE(Book::from_bytes(good).has_value());
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto bad = good;
    bad[i] ^= 0x10;
    const auto book = Book::from_bytes(bad);
    ASSERT_FALSE(book.has_value()) << "byte " << i;
    EXPECT_FALSE(book.error().message.empty());
  }
}

TEST(Book, RefusesAFileThatIsCutOff) {
  const auto good = Book::encode(3, invented_entries(3));
  for (std::size_t size = 0; size < good.size(); ++size) {
    ASSERT_FALSE(Book::from_bytes(std::span(good).first(size)).has_value()) << size;
  }
}

TEST(Book, NamesTheFileItCannotRead) {
  const auto missing = Book::load("no/such/book.bin");
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().message.find("no/such/book.bin"), std::string::npos);
}

TEST(BuiltInBook, IsWholeAndAgreesWithTheSolver) {
  const Book& book = Book::built_in();
  ASSERT_GE(book.plies(), 1);
  // Deep positions are the cheap ones to check.
  Rng rng(8);
  Solver solver({.table_mb = 16});
  int checked = 0;
  while (checked < 3) {
    Position p;
    for (const game::Column c : game::testing::random_moves(rng, book.plies())) p = p.after(c);
    if (p.discs() != book.plies() || p.outcome().finished()) continue;
    const auto searched = solver.score(p, {.nodes = 300'000});
    if (!searched) continue;  // too hard for a quick test
    EXPECT_EQ(book.find(p), searched->score) << p.key();
    ++checked;
  }
}

TEST(BuiltInBook, NeverSaysMoreThanTheScoreOfThePositionsBeyondIt) {
  const Book& book = Book::built_in();
  Rng rng(9);
  Solver alone({.table_mb = 16});
  Solver with_book({.table_mb = 16, .book = &book});
  int checked = 0;
  while (checked < 30) {
    Position p;
    for (const game::Column c : game::testing::random_moves(rng, book.plies() + 1)) p = p.after(c);
    if (p.discs() != book.plies() + 1 || p.outcome().finished()) continue;
    const auto searched = alone.score(p, {.nodes = 30'000});
    if (!searched) continue;  // too hard for a quick test
    const auto least = book.at_least(p);
    ASSERT_TRUE(least.has_value()) << p.key();
    EXPECT_LE(*least, searched->score) << p.key();
    EXPECT_EQ(with_book.score(p)->score, searched->score) << p.key();
    ++checked;
  }
  EXPECT_FALSE(book.at_least(Position()).has_value());
}

TEST(BuiltInBook, KnowsThatTheCentreWins) {
  EXPECT_EQ(Book::built_in().find(Position()), Score(1));
}

// Full books take long. The builder's law is tested on its own parts: a book that was interrupted
// goes on with the scores it has noted, and plies above follow from the deepest.
TEST(BookBuilder, WorksOutThePliesAboveFromNotedScores) {
  const TemporaryFolder folder;
  const auto out = folder.file("book.bin");
  const auto by_ply = positions_by_ply(2);
  {
    std::ofstream notes(out.string() + ".progress");
    notes << "rowbot book progress, plies 2\n";
    for (const Position& p : by_ply[2]) {
      const int centre = (p.filled() & game::column_mask(3)) != 0 ? 1 : -2;
      notes << p.symmetric_key() << ' ' << centre << '\n';
    }
    notes << "1234";  // a line cut off by a crash
  }
  const auto report = build_book({.plies = 2, .out = out, .table_mb = 1});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->positions, 1U + 4U + 25U);
  const auto book = Book::load(out);
  ASSERT_TRUE(book.has_value()) << book.error().message;
  // The reply to a centre opening always leaves a disc there; elsewhere the second player chooses.
  EXPECT_EQ(book->find(Position().after(game::Column(3))), Score(-1));
  EXPECT_EQ(book->find(Position().after(game::Column(0))), Score(2));
  EXPECT_EQ(book->find(Position()), Score(1));
  EXPECT_FALSE(std::filesystem::exists(out.string() + ".progress"));
}

TEST(BookBuilder, CanBeStoppedAndSaysHowToGoOn) {
  const TemporaryFolder folder;
  StopSource source;
  source.request_stop();
  const auto report = build_book(
      {.plies = 2, .out = folder.file("b.bin"), .table_mb = 1, .stop = source.get_token()});
  ASSERT_FALSE(report.has_value());
  EXPECT_NE(report.error().message.find("goes on"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder.file("b.bin.progress")));
}

TEST(BookBuilder, RefusesTheNotesOfAnotherBook) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("b.bin.progress")) << "rowbot book progress, plies 7\n12 3\n";
  const auto report = build_book({.plies = 2, .out = folder.file("b.bin"), .table_mb = 1});
  ASSERT_FALSE(report.has_value());
  EXPECT_NE(report.error().message.find("not the progress"), std::string::npos);
}

TEST(BookBuilder, SolvesWhatNotesOfForeignPositionsDoNotHold) {
  const TemporaryFolder folder;
  std::ofstream notes(folder.file("b.bin.progress"));
  notes << "rowbot book progress, plies 0\n12 3\n";
  notes.close();
  // The empty board takes the solver minutes; stopped, it must not take the foreign note for it.
  StopSource source;
  source.request_stop();
  const auto report = build_book(
      {.plies = 0, .out = folder.file("b.bin"), .table_mb = 1, .stop = source.get_token()});
  ASSERT_FALSE(report.has_value());
  EXPECT_NE(report.error().message.find("goes on"), std::string::npos);
}

TEST(BookBuilder, SaysWhichNoteIsWrong) {
  const auto wrong = parse_book_progress("rowbot book progress, plies 2\n12 3\n13 22\n", 2);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().message.find("line 3"), std::string::npos);
}

}  // namespace
}  // namespace rowbot::solver
