#include "engine/learn/experience_file.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "fmt/core.h"

namespace rowbot::learn {
namespace {

constexpr std::int64_t kExperienceId = 0x526f7751;  // "RowQ", in the header of every file of ours

constexpr std::array<std::string_view, 1> kExperienceSteps{
    "CREATE TABLE states (key INTEGER PRIMARY KEY, q1 REAL NOT NULL, q2 REAL NOT NULL, q3 REAL NOT "
    "NULL, q4 REAL NOT NULL, q5 REAL NOT NULL, q6 REAL NOT NULL, q7 REAL NOT NULL, n1 INTEGER NOT "
    "NULL, n2 INTEGER NOT NULL, n3 INTEGER NOT NULL, n4 INTEGER NOT NULL, n5 INTEGER NOT NULL, n6 "
    "INTEGER NOT NULL, n7 INTEGER NOT NULL);"
    "CREATE TABLE results (first INTEGER PRIMARY KEY, outcomes TEXT NOT NULL);"
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"};

constexpr std::string_view kAllSchemas =
    "SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY name";

Result<std::vector<std::string>> schema_of(sqlite::Database& database) {
  auto rows = database.prepare(kAllSchemas);
  if (!rows) return rows.error();
  std::vector<std::string> texts;
  while (true) {
    const auto more = rows->step();
    if (!more) return more.error();
    if (!*more) return texts;
    texts.push_back(rows->text(0) + " " + rows->text(1));
  }
}

}  // namespace

Result<ExperienceFile> ExperienceFile::open(const std::string& path, Use use) {
  std::error_code ignored;
  if (use != Use::kCreate && !std::filesystem::exists(path, ignored)) {
    return Error{fmt::format("there is no experience {}; rowbot train q --experience {} makes one",
                             path, path)};
  }
  auto database = sqlite::Database::open(path, kExperienceSteps,
                                         {.application_id = kExperienceId,
                                          .check_all = use != Use::kPlay,
                                          .write = use != Use::kPlay});
  if (!database) return database.error();
  ExperienceFile file(*std::move(database));
  if (auto fine = file.check_schema(); !fine) return fine.error();
  return file;
}

Error ExperienceFile::in_file(const Error& error) const {
  return Error{fmt::format("experience {}: {}", path(), error.message)};
}

/// A table could be a view that never ends, or have triggers: only exactly our own is trusted.
Result<void> ExperienceFile::check_schema() {
  auto model = sqlite::Database::open(":memory:", kExperienceSteps);
  if (!model) return model.error();
  const auto expected = schema_of(*model);
  if (!expected) return expected.error();
  const auto found = schema_of(database_);
  if (!found) return in_file(found.error());
  if (*found != *expected) {
    return in_file(Error{"its tables are not those of an experience; name another file"});
  }
  return {};
}

Result<ActionValues> ExperienceFile::read_row(const sqlite::Statement& row) const {
  ActionValues values;
  for (int i = 0; i < game::kColumns; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double value = row.number(1 + i);
    const std::int64_t visits = row.integer(1 + game::kColumns + i);
    values.value.at(at) = static_cast<float>(value);
    values.visits.at(at) = static_cast<std::uint32_t>(visits);
    if (!std::isfinite(values.value.at(at)) || visits < 0 || visits > UINT32_MAX) {
      return in_file(Error{
          fmt::format("the values of state {} are not numbers one can learn", row.integer(0))});
    }
  }
  return values;
}

Result<std::optional<ActionValues>> ExperienceFile::find(StateKey key) {
  auto row = database_.cached("SELECT * FROM states WHERE key = ?1");
  if (!row) return in_file(row.error());
  const auto found = (*row)->bind(key).step();
  if (!found) return in_file(found.error());
  std::optional<ActionValues> values;
  if (*found) {
    auto read = read_row(**row);
    if (!read) return read.error();
    values = *read;
  }
  return values;
}

Result<void> ExperienceFile::for_each(const Visitor& visit) {
  auto rows = database_.prepare("SELECT * FROM states ORDER BY key");
  if (!rows) return in_file(rows.error());
  while (true) {
    const auto more = rows->step();
    if (!more) return in_file(more.error());
    if (!*more) return {};
    const auto key = static_cast<StateKey>(rows->integer(0));
    if (auto position = position_of(key); !position) return in_file(position.error());
    const auto values = read_row(*rows);
    if (!values) return values.error();
    if (auto done = visit(key, *values); !done) return done;
  }
}

Result<std::uint64_t> ExperienceFile::count_states() {
  auto row = database_.prepare("SELECT count(*) FROM states");
  if (!row) return in_file(row.error());
  const auto found = row->step();
  if (!found) return in_file(found.error());
  return static_cast<std::uint64_t>(row->integer(0));
}

Result<std::uint64_t> ExperienceFile::count_episodes() {
  auto row = database_.prepare("SELECT coalesce(sum(length(outcomes)), 0) FROM results");
  if (!row) return in_file(row.error());
  const auto found = row->step();
  if (!found) return in_file(found.error());
  return static_cast<std::uint64_t>(row->integer(0));
}

Result<std::string> ExperienceFile::outcomes() {
  auto rows = database_.prepare("SELECT first, outcomes FROM results ORDER BY first");
  if (!rows) return in_file(rows.error());
  std::string all;
  while (true) {
    const auto more = rows->step();
    if (!more) return in_file(more.error());
    if (!*more) return all;
    const std::string part = rows->text(1);
    if (rows->integer(0) != static_cast<std::int64_t>(all.size()) || part.empty() ||
        part.find_first_not_of("wdl") != std::string::npos) {
      return in_file(Error{fmt::format("the results after episode {} make no sense", all.size())});
    }
    all += part;
  }
}

Result<std::optional<std::string>> ExperienceFile::fact(std::string_view name) {
  auto row = database_.prepare("SELECT value FROM facts WHERE name = ?1");
  if (!row) return in_file(row.error());
  const auto found = row->bind(name).step();
  if (!found) return in_file(found.error());
  return *found ? std::optional(row->text(0)) : std::nullopt;
}

Result<void> ExperienceFile::set_fact(std::string_view name, std::string_view value) {
  auto done = database_.run("INSERT OR REPLACE INTO facts VALUES (?1, ?2)", name, value);
  if (!done) return in_file(done.error());
  return {};
}

Result<void> ExperienceFile::write(const Batch& batch) {
  auto transaction = sqlite::Transaction::begin(database_);
  if (!transaction) return in_file(transaction.error());
  const auto episodes = count_episodes();
  if (!episodes) return episodes.error();
  if (*episodes != batch.first_episode) {
    return in_file(
        Error{"another program has written to it; train one learner at a time on a file"});
  }
  auto put = database_.cached(
      "INSERT OR REPLACE INTO states VALUES "
      "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)");
  if (!put) return in_file(put.error());
  for (const StateKey key : batch.keys) {
    const auto& [q, n] = batch.values(key);
    const auto done = (*put)
                          ->bind(key, q[0], q[1], q[2], q[3], q[4], q[5], q[6], n[0], n[1], n[2],
                                 n[3], n[4], n[5], n[6])
                          .run();
    if (!done) return in_file(done.error());
  }
  if (!batch.outcomes.empty()) {
    auto done =
        database_.run("INSERT INTO results VALUES (?1, ?2)", batch.first_episode, batch.outcomes);
    if (!done) return in_file(done.error());
  }
  if (auto done = set_fact("training", batch.training); !done) return done;
  if (auto done = transaction->commit(); !done) return in_file(done.error());
  return {};
}

}  // namespace rowbot::learn
