#include "service/server/http/responses.h"

#include <array>
#include <chrono>
#include <ctime>
#include <span>
#include <utility>

#include "fmt/core.h"
#include "game/bits.h"
#include "game/moves_text.h"
#include "lab/matches/interval.h"
#include "nlohmann/json.hpp"
#include "service/server/games/game_conversions.h"
#include "service/server/games/levels.h"
#include "service/server/games/survey.h"

namespace rowbot::server {
namespace {

using game::Side;
using Json = nlohmann::ordered_json;

/// Bytes that are no UTF-8 become U+FFFD instead of an exception.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string_view side_text(Side side) { return side == Side::kFirst ? "first" : "second"; }

std::string_view you_text(You you) {
  switch (you) {
    case You::kFirst:
      return "first";
    case You::kSecond:
      return "second";
    case You::kBoth:
      return "both";
    case You::kNone:
      return "none";
  }
  return "none";
}

Json reason_json(game::EndReason reason) {
  if (reason == game::EndReason::kOngoing) return nullptr;
  return game::reason_text(reason);
}

Json result_json(game::GameResult result) {
  if (result == game::GameResult::kOngoing) return nullptr;
  return game::result_text(result);
}

Json seat_json(const GameView& view, Side side) {
  const table::Seat& seat = view.game->seat(side);
  if (!seat.human()) return {{"type", "agent"}, {"name", player_name(*seat.agent)}};
  const bool mine = (view.you == You::kFirst && side == Side::kFirst) ||
                    (view.you == You::kSecond && side == Side::kSecond);
  const std::string_view stranger = side == Side::kFirst ? "First player" : "Second player";
  return {{"type", "human"}, {"name", mine ? "You" : stranger}};
}

Json winning_json(game::Bits squares) {
  Json cells = Json::array();
  for (int column = 0; column < game::kColumns; ++column) {
    for (int row = 0; row < game::kRows; ++row) {
      if ((squares & game::square(column, row)) != 0) cells.push_back({column + 1, row + 1});
    }
  }
  return cells;
}

std::string_view proven_text(agents::Proven::Value value) {
  switch (value) {
    case agents::Proven::Value::kLoss:
      return "loss";
    case agents::Proven::Value::kDraw:
      return "draw";
    case agents::Proven::Value::kWin:
      return "win";
  }
  return "draw";
}

Json evidence_json(const Evidence& evidence) {
  const agents::Decision& decision = evidence.decision;
  Json moves = Json::array();
  for (const agents::MoveEvidence& move : decision.moves) {
    Json one{{"column", move.column.number()},
             {"visits", or_null(move.visits)},
             {"value", or_null(move.value)},
             {"proven", nullptr},
             {"plies", nullptr}};
    if (move.proven) {
      one["proven"] = proven_text(move.proven->value);
      one["plies"] = move.proven->plies;
    }
    moves.push_back(std::move(one));
  }
  return {{"ply", evidence.ply},
          {"column", decision.column.number()},
          {"simulations", decision.simulations},
          {"nodes", decision.nodes},
          {"depth", decision.depth},
          {"milliseconds", std::chrono::duration<double, std::milli>(decision.elapsed).count()},
          {"moves", std::move(moves)}};
}

std::string utc_text(store::Time time) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Json game_object(const GameView& view) {
  const table::Snapshot& game = *view.game;
  const auto turn = game.turn();
  Json json{{"game", view.token},
            {"kind", kind_of(game.setup)},
            {"level", or_null(view.head->level)},
            {"first", seat_json(view, Side::kFirst)},
            {"second", seat_json(view, Side::kSecond)},
            {"you", you_text(view.you)},
            {"moves", game::moves_text(game.game.moves())},
            {"turn", turn ? Json(side_text(*turn)) : Json(nullptr)},
            {"thinking", view.thinking},
            {"result", result_json(game.game.result())},
            {"reason", reason_json(game.game.reason())},
            {"winning", winning_json(game.game.position().outcome().winning_squares)},
            {"evidence", view.evidence ? evidence_json(*view.evidence) : Json(nullptr)},
            {"guest", view.tell_guest ? or_null(view.head->guest) : Json(nullptr)},
            {"can_undo", view.can_undo},
            {"created", utc_text(view.head->created.value_or(store::Time()))},
            {"version", view.version}};
  return json;
}

Json numbers(std::span<const game::Column> columns) {
  Json array = Json::array();
  for (const game::Column c : columns) array.push_back(c.number());
  return array;
}

struct Share {
  double share;
  lab::Interval interval;
};

/// Without trials nothing is known.
Share share_of(std::int64_t successes, std::int64_t trials) {
  const auto k = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  return {.share = trials == 0 ? 0 : k / n, .interval = lab::wilson(k, n)};
}

Json level_statistics(const roster::Level& level, const store::Statistics& statistics) {
  const auto count = [&](std::string_view winner) {
    for (const store::TallyRow& row : statistics.tally) {
      if (row.level == level.name && row.winner == winner) return row.games;
    }
    return std::int64_t{0};
  };
  const std::int64_t human = count("human");
  const std::int64_t agent = count("agent");
  const std::int64_t draws = count("draw");
  const Share rate = share_of(human, human + agent + draws);
  Json json{{"level", level.name},      {"games", human + agent + draws},
            {"human_wins", human},      {"agent_wins", agent},
            {"draws", draws},           {"human_rate", rate.share},
            {"low", rate.interval.low}, {"high", rate.interval.high},
            {"paper", nullptr}};
  for (const PaperLevel& paper : kPaperLevels) {
    if (paper.level != level.name) continue;
    json["paper"] = {{"games", paper.games},
                     {"human", paper.human},
                     {"agent", paper.agent},
                     {"draw", paper.draw}};
  }
  return json;
}

template <std::size_t kCount>
Json choice_statistics(const std::array<SurveyChoice, kCount>& choices,
                       const store::Statistics& statistics, std::int64_t answers,
                       std::string store::SurveyRow::*field) {
  Json rows = Json::array();
  for (const SurveyChoice& choice : choices) {
    std::int64_t count = 0;
    for (const store::SurveyRow& row : statistics.surveys) {
      if (row.*field == choice.key) count += row.answers;
    }
    const Share share = share_of(count, answers);
    rows.push_back({{"key", choice.key},
                    {"label", choice.label},
                    {"count", count},
                    {"share", share.share},
                    {"low", share.interval.low},
                    {"high", share.interval.high},
                    {"paper", static_cast<double>(choice.paper) / kPaperAnswers}});
  }
  return rows;
}

template <std::size_t kCount>
Json choices_json(const std::array<SurveyChoice, kCount>& choices) {
  Json rows = Json::array();
  for (const SurveyChoice& choice : choices) {
    rows.push_back({{"key", choice.key}, {"label", choice.label}});
  }
  return rows;
}

}  // namespace

std::string game_json(const GameView& view) { return dumped(game_object(view)); }

std::string live_json(const GameView& view) {
  return dumped({{"type", "game"}, {"data", game_object(view)}});
}

std::string refusal_json(const ApiError& error) {
  return dumped({{"error", {{"code", error.code}, {"message", error.message}}}});
}

std::string levels_json() {
  Json levels = Json::array();
  for (const roster::Level& level : roster::visitor_levels()) {
    levels.push_back({{"name", level.name},
                      {"title", level.title},
                      {"help", level.help},
                      {"minimum_ms", level.pause.count()}});
  }
  return dumped({{"levels", std::move(levels)}});
}

std::string analysis_json(const Analysis& analysis, std::string_view moves) {
  Json scores = Json::array();
  for (const auto& score : analysis.scores) scores.push_back(or_null(score));
  return dumped({{"moves", moves},
                 {"score", analysis.score},
                 {"scores", std::move(scores)},
                 {"best", numbers(analysis.best)},
                 {"result", result_json(analysis.result)},
                 {"plies", analysis.plies},
                 {"text", analysis.text},
                 {"pv", game::moves_text(analysis.line)}});
}

std::string hint_json(const Hint& hint) {
  return dumped({{"column", hint.column.number()}, {"score", hint.score}, {"text", hint.text}});
}

std::string review_json(const Review& review) {
  Json moves = Json::array();
  for (const ReviewedMove& move : review.moves) {
    moves.push_back({{"ply", move.ply},
                     {"column", move.column.number()},
                     {"score", move.score},
                     {"best", numbers(move.best)},
                     {"best_score", move.best_score},
                     {"kept", move.kept},
                     {"text", move.text}});
  }
  return dumped({{"moves", std::move(moves)},
                 {"turning_point", or_null(review.turning_point)},
                 {"summary", review.summary}});
}

std::string statistics_json(const store::Statistics& statistics) {
  Json levels = Json::array();
  for (const roster::Level& level : roster::visitor_levels()) {
    levels.push_back(level_statistics(level, statistics));
  }
  std::int64_t answers = 0;
  for (const store::SurveyRow& row : statistics.surveys) answers += row.answers;
  return dumped(
      {{"games", statistics.games},
       {"levels", std::move(levels)},
       {"survey",
        {{"answers", answers},
         {"feel", choice_statistics(kFeelings, statistics, answers, &store::SurveyRow::feel)},
         {"ages", choice_statistics(kAges, statistics, answers, &store::SurveyRow::age)}}}});
}

std::string survey_questions_json() {
  Json questions = Json::array();
  questions.push_back({{"name", "feel"},
                       {"question", "How did playing against Rowbot feel?"},
                       {"choices", choices_json(kFeelings)}});
  questions.push_back(
      {{"name", "age"}, {"question", "How old are you?"}, {"choices", choices_json(kAges)}});
  return dumped({{"questions", std::move(questions)}});
}

std::string announcement_json(std::string_view text) { return dumped({{"text", text}}); }

std::string single_json(std::string_view key, std::string_view value) {
  return dumped({{key, value}});
}

}  // namespace rowbot::server
