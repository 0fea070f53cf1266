#include "service/store/schema.h"

#include <array>

#include "service/store/lab_schema.h"

namespace rowbot::store {
namespace {

/// Times are milliseconds since 1970. A move's thinking time is NULL for a person. `tally` counts
/// finished games against a level so that statistics need not read every game.
constexpr std::string_view kWebsite = R"sql(
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  guest TEXT UNIQUE,
  kind TEXT NOT NULL,
  level TEXT,
  first TEXT NOT NULL,
  second TEXT NOT NULL,
  start TEXT NOT NULL,
  created INTEGER NOT NULL,
  helped INTEGER NOT NULL DEFAULT 0,
  result TEXT,
  reason TEXT,
  ended INTEGER
);
CREATE TABLE moves (
  game INTEGER NOT NULL REFERENCES games(id),
  ply INTEGER NOT NULL,
  column INTEGER NOT NULL CHECK (column BETWEEN 1 AND 7),
  microseconds INTEGER,
  PRIMARY KEY (game, ply)
) WITHOUT ROWID;
CREATE TABLE tally (
  level TEXT NOT NULL,
  winner TEXT NOT NULL CHECK (winner IN ('human', 'agent', 'draw')),
  games INTEGER NOT NULL,
  PRIMARY KEY (level, winner)
) WITHOUT ROWID;
CREATE TABLE surveys (
  id INTEGER PRIMARY KEY,
  game INTEGER UNIQUE REFERENCES games(id),
  feel TEXT NOT NULL,
  age TEXT NOT NULL,
  answered INTEGER NOT NULL
);
CREATE INDEX surveys_by_answer ON surveys (feel, age);
CREATE TABLE notes (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
)sql";

/// `survey_tally` counts the answers, so that statistics need not read them all. Triggers keep it
/// in the transaction of the answer, also when an older program writes it.
constexpr std::string_view kSurveyTally = R"sql(
CREATE TABLE survey_tally (
  feel TEXT NOT NULL,
  age TEXT NOT NULL,
  answers INTEGER NOT NULL,
  PRIMARY KEY (feel, age)
) WITHOUT ROWID;
INSERT INTO survey_tally (feel, age, answers)
  SELECT feel, age, count(*) FROM surveys GROUP BY feel, age;
DROP INDEX surveys_by_answer;
CREATE TRIGGER surveys_inserted AFTER INSERT ON surveys BEGIN
  INSERT INTO survey_tally (feel, age, answers) VALUES (new.feel, new.age, 1)
    ON CONFLICT (feel, age) DO UPDATE SET answers = answers + 1;
END;
CREATE TRIGGER surveys_updated AFTER UPDATE ON surveys BEGIN
  UPDATE survey_tally SET answers = answers - 1 WHERE feel = old.feel AND age = old.age;
  INSERT INTO survey_tally (feel, age, answers) VALUES (new.feel, new.age, 1)
    ON CONFLICT (feel, age) DO UPDATE SET answers = answers + 1;
END;
CREATE TRIGGER surveys_deleted AFTER DELETE ON surveys BEGIN
  UPDATE survey_tally SET answers = answers - 1 WHERE feel = old.feel AND age = old.age;
END;
)sql";

constexpr std::array kMigrations{kWebsite, kLaboratoryTables, kSurveyTally};

}  // namespace

std::span<const std::string_view> migrations() { return kMigrations; }

}  // namespace rowbot::store
