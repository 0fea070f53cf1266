// rowbot quality: how often an agent's move keeps the value of a position, won, drawn or lost,
// judged by the solver.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/memory.h"
#include "base/text.h"
#include "base/text_file.h"
#include "commands.h"
#include "engine/agents/agent.h"
#include "engine/roster/agent_spec.h"
#include "engine/solver/solver.h"
#include "fmt/core.h"
#include "game/moves_text.h"
#include "lab/matches/interval.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

using game::Position;

struct Case {
  Position position;
  std::optional<int> score;  // as the file has it
};

/// A line is `moves` or `moves score`.
Result<Case> parse_case(std::string_view line) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split(line, ' ')) {
    if (!trimmed(word).empty()) words.push_back(trimmed(word));
  }
  if (words.size() > 2) return Error{"expected `moves` or `moves score`"};
  auto position = game::parse_moves(words.front());
  if (!position) return position.error();
  if (position->outcome().finished()) return Error{"the game is over: there is no move to judge"};
  Case read{.position = *position};
  if (words.size() == 2) {
    const auto score = parse_integer(words[1]);
    if (!score) return score.error();
    if (*score < -21 || *score > 21) return Error{"a score is from -21 to 21"};
    read.score = static_cast<int>(*score);
  }
  return read;
}

std::vector<Case> read_cases(const std::string& path, std::size_t limit) {
  const std::string text = usage_value(read_text_file(path, kPositionsBytes));
  std::vector<Case> cases;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (cases.size() >= limit) break;
    if (trimmed(line).empty()) continue;
    auto read = parse_case(trimmed(line));
    if (!read) fail_usage(Error{fmt::format("{}:{}: {}", path, number, read.error().message)});
    cases.push_back(*read);
  }
  if (cases.empty()) fail_usage(Error{fmt::format("{} holds no position", path)});
  return cases;
}

int sign(int value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

/// 1 won, 0 drawn, -1 lost for the side to move.
int value_of(solver::Solver& solver, const Position& position) {
  const game::Outcome outcome = position.outcome();
  if (outcome.finished()) return outcome.result == game::GameResult::kDraw ? 0 : -1;
  return sign(solver.score(position, {.weak = true})->score.value());
}

struct QualityArguments {
  std::string agent;
  std::string file;
  std::size_t limit = SIZE_MAX;
  bool json = false;
};

void run_quality(const QualityArguments& arguments) {
  const Resources resources = machine_resources();
  const auto agent = usage_value(roster::make_agent(arguments.agent, resources));
  const std::vector<Case> cases = read_cases(arguments.file, arguments.limit);
  solver::Solver judge(
      {.table_mb = solver::table_mb(resources), .book = &solver::Book::built_in()});
  std::size_t kept = 0;
  double milliseconds = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Position& position = cases[i].position;
    agent->start_game(i + 1);
    const auto decision = agent->choose(position, agent->budget(), {});
    if (!decision) fail(decision.error());
    milliseconds += std::chrono::duration<double, std::milli>(decision->elapsed).count();
    const int value = cases[i].score ? sign(*cases[i].score) : value_of(judge, position);
    // A lost position has no value to lose.
    if (value < 0 || -value_of(judge, position.after(decision->column)) == value) ++kept;
  }
  const std::size_t n = cases.size();
  const double share = static_cast<double>(kept) / static_cast<double>(n);
  const lab::Interval interval = lab::wilson(static_cast<double>(kept), static_cast<double>(n));
  const double mean_ms = milliseconds / static_cast<double>(n);
  if (arguments.json) {
    const nlohmann::ordered_json object{{"positions", n},
                                        {"value_kept", share},
                                        {"value_kept_low", interval.low},
                                        {"value_kept_high", interval.high},
                                        {"mean_ms", mean_ms}};
    fmt::print("{}\n", object.dump(2));
  } else {
    fmt::print(
        "{} positions: {} kept the value, {:.2f} % (95 % interval {:.2f} to {:.2f}), {:.3g} ms a "
        "move\n",
        n, kept, 100 * share, 100 * interval.low, 100 * interval.high, mean_ms);
  }
}

}  // namespace

void add_quality_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "quality", "How often an agent's move keeps a position's value, judged by the solver");
  auto arguments = std::make_shared<QualityArguments>();
  command->add_option("agent", arguments->agent, "The agent; rowbot agents lists them")->required();
  command->add_option("--file", arguments->file, "Lines of `moves` or `moves score`")
      ->required()
      ->type_name("FILE");
  command->add_option("--limit", arguments->limit, "Only the first positions")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", arguments->json, "Print one object");
  command->callback([arguments] { run_quality(*arguments); });
}

}  // namespace rowbot::app
