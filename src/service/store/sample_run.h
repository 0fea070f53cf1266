// For tests of power cuts and failing disks: visitors' games as a list of writes, and the whole
// content of a store as a text.
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "base/rng.h"
#include "base/sqlite/database.h"
#include "fmt/core.h"
#include "game/moves_text.h"
#include "service/store/schema.h"
#include "service/store/store.h"

namespace rowbot::store::sample {

inline std::string sample_token(int game) { return fmt::format("game-{}", game); }

/// Games are made, played, taken back from, ended and asked about; one list for each write.
inline std::vector<std::vector<Change>> sample_writes(int games, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<Change>> writes;
  for (int i = 0; i < games; ++i) {
    const std::string token = sample_token(i);
    writes.push_back({NewGame{
        .head = {.token = token, .level = "easy", .created = Time(std::chrono::milliseconds(i))},
        .record = {.first = {.name = "human"}, .second = {.name = "mcts:level=easy"}}}});
    const auto move = [&](int ply) {
      return AddMove{
          .token = token, .ply = ply, .column = game::Column(static_cast<int>(rng.below(7)))};
    };
    const int plies = 2 + static_cast<int>(rng.below(4));
    for (int ply = 0; ply < plies; ++ply) writes.push_back({move(ply)});
    if (rng.below(2) == 0) {
      writes.push_back({TakeBack{.token = token, .ply = plies - 1}, move(plies - 1)});
    }
    if (rng.below(3) != 0) {
      writes.push_back({EndGame{.token = token,
                                .result = game::GameResult::kFirstWins,
                                .reason = game::EndReason::kResigned,
                                .level = "easy",
                                .winner = "human"}});
      writes.push_back({AnswerSurvey{.token = token, .feel = "good", .age = "young"}});
    }
    if (i % 4 == 0) writes.push_back({SetNote{.name = "announcement", .value = token}});
  }
  return writes;
}

/// Everything a reader can see, or why it cannot.
inline std::string content_of(Store& store, int games) {
  std::string all;
  for (int i = 0; i < games; ++i) {
    const auto game = store.game(sample_token(i));
    if (!game) return game.error().message;
    if (!*game) continue;
    const game::GameRecord& record = (*game)->record;
    all += fmt::format("{} {} {} {} {}\n", i, record.had_undo, game::result_text(record.result),
                       game::moves_text(record.moves), game::thinking_text(record.thinking));
  }
  const auto statistics = store.statistics();
  if (!statistics) return statistics.error().message;
  all += fmt::format("{} games\n", statistics->games);
  for (const TallyRow& row : statistics->tally) all += fmt::format("{} won\n", row.games);
  for (const SurveyRow& row : statistics->surveys) all += fmt::format("{} answers\n", row.answers);
  const auto note = store.note("announcement");
  return all + (note ? *note : note.error().message);
}

/// Empty when SQLite finds the file whole.
inline std::string integrity_of(const std::string& path) {
  auto database = open_database(path);
  if (!database) return database.error().message;
  auto check = database->prepare("PRAGMA integrity_check");
  if (!check) return check.error().message;
  const auto row = check->step();
  if (!row) return row.error().message;
  return check->text(0) == "ok" ? "" : check->text(0);
}

}  // namespace rowbot::store::sample
