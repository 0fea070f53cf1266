#include "service/store/schema.h"

#include <array>

#include "service/store/server_lock.h"

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

/// The laboratory: matches with their games, and the last report of each experiment.
constexpr std::string_view kLaboratory = R"sql(
CREATE TABLE lab_matches (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  seed INTEGER NOT NULL,
  openings INTEGER NOT NULL,
  colours TEXT NOT NULL,
  limit_ms INTEGER NOT NULL,
  grp TEXT NOT NULL
);
CREATE INDEX lab_matches_by_group ON lab_matches (grp);
CREATE TABLE lab_games (
  match INTEGER NOT NULL REFERENCES lab_matches(id),
  number INTEGER NOT NULL,
  moves TEXT NOT NULL,
  result TEXT NOT NULL,
  reason INTEGER NOT NULL,
  a_us INTEGER NOT NULL,
  b_us INTEGER NOT NULL,
  note TEXT NOT NULL,
  PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE lab_reports (
  experiment TEXT PRIMARY KEY,
  json TEXT NOT NULL
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

/// One table for the games of all, a row for each: `kind` says where it was played. Moves are
/// digits; thinking times are those of game::thinking_text(). A game of the website has a token,
/// one of a match its match and its number, so that it cannot be stored twice. The games before are
/// kept: of one whose moves have a gap, because an older Rowbot's write had failed, the moves
/// before it, since those behind it belong to no known position. `game_counts` counts the games
/// outside of matches, so that statistics need not read them all.
constexpr std::string_view kOneTableOfGames = R"sql(
CREATE TABLE all_games (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  token TEXT,
  guest TEXT,
  level TEXT,
  match INTEGER REFERENCES lab_matches(id),
  number INTEGER,
  site TEXT NOT NULL DEFAULT '',
  created INTEGER,
  ended INTEGER,
  first TEXT NOT NULL,
  second TEXT NOT NULL,
  first_seed INTEGER,
  second_seed INTEGER,
  first_us INTEGER,
  second_us INTEGER,
  moves TEXT NOT NULL,
  thinking TEXT NOT NULL DEFAULT '',
  result TEXT NOT NULL DEFAULT 'ongoing',
  reason TEXT NOT NULL DEFAULT 'ongoing',
  start_moves INTEGER NOT NULL DEFAULT 0,
  had_undo INTEGER NOT NULL DEFAULT 0,
  note TEXT NOT NULL DEFAULT ''
);
CREATE TABLE played AS
  SELECT game, group_concat(digit, '') AS moves, group_concat(us, ' ') AS thinking
  FROM (SELECT m.game, m.column AS digit, coalesce(m.microseconds, '-') AS us,
               m.ply - length(g.start) AS place,
               row_number() OVER (PARTITION BY m.game ORDER BY m.ply) - 1 AS expected
        FROM moves m JOIN games g ON g.id = m.game ORDER BY m.game, m.ply)
  WHERE place = expected GROUP BY game;
CREATE UNIQUE INDEX played_by_game ON played (game);
INSERT INTO all_games (id, kind, token, guest, level, created, ended, first, second, moves,
                       thinking, result, reason, start_moves, had_undo)
  SELECT g.id, 'website', g.token, g.guest, g.level, g.created, g.ended, g.first, g.second,
         g.start || coalesce(p.moves, ''),
         trim(replace(hex(zeroblob(length(g.start))), '00', '- ') || coalesce(p.thinking, '')),
         coalesce(g.result, 'ongoing'), coalesce(g.reason, 'ongoing'), length(g.start), g.helped
  FROM games g LEFT JOIN played p ON p.game = g.id ORDER BY g.id;
DROP TABLE played;
INSERT INTO all_games (kind, match, number, first, second, first_us, second_us, moves, result,
                       reason, start_moves, note)
  SELECT 'match', match, number, iif(a_first, a, b), iif(a_first, b, a),
         iif(a_first, a_us, b_us), iif(a_first, b_us, a_us), moves, result,
         CASE reason WHEN 1 THEN 'four_in_a_row' WHEN 2 THEN 'board_full' WHEN 3 THEN 'resigned'
                     WHEN 4 THEN 'timed_out' WHEN 5 THEN 'failed' WHEN 6 THEN 'interrupted'
                     ELSE 'ongoing' END,
         min(openings, length(moves)), note
  FROM (SELECT l.*, m.a, m.b, m.openings,
               m.colours = 'a' OR (m.colours = 'swapped' AND l.number % 2 = 0) AS a_first
        FROM lab_games l JOIN lab_matches m ON m.id = l.match)
  ORDER BY match, number;
DROP TABLE moves;
DROP TABLE lab_games;
DROP TABLE games;
ALTER TABLE all_games RENAME TO games;
CREATE UNIQUE INDEX games_by_token ON games (token) WHERE token IS NOT NULL;
CREATE UNIQUE INDEX games_by_guest ON games (guest) WHERE guest IS NOT NULL;
CREATE UNIQUE INDEX games_by_match ON games (match, number) WHERE match IS NOT NULL;
CREATE TABLE game_counts (
  kind TEXT PRIMARY KEY,
  games INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO game_counts (kind, games)
  SELECT kind, count(*) FROM games WHERE match IS NULL GROUP BY kind;
CREATE TRIGGER games_inserted AFTER INSERT ON games WHEN new.match IS NULL BEGIN
  INSERT INTO game_counts (kind, games) VALUES (new.kind, 1)
    ON CONFLICT (kind) DO UPDATE SET games = games + 1;
END;
)sql";

constexpr std::array kMigrations{kWebsite, kLaboratory, kSurveyTally, kOneTableOfGames};

}  // namespace

std::span<const std::string_view> migrations() { return kMigrations; }

Result<sqlite::Database> open_database(const std::string& path, sqlite::OpenOptions options) {
  // A server that runs on an older version would find its tables gone.
  options.before_update = [&path] { return ServerLock::refuse_other(path); };
  return sqlite::Database::open(path, migrations(), options);
}

}  // namespace rowbot::store
