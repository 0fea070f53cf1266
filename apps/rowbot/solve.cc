#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/text_file.h"
#include "commands.h"
#include "engine/solver/solver.h"
#include "fmt/core.h"
#include "fmt/ranges.h"
#include "game/moves_text.h"
#include "game/position_text.h"
#include "json.h"
#include "output.h"
#include "position_stream.h"
#include "solve_waiting.h"

namespace rowbot::app {
namespace {

using Clock = std::chrono::steady_clock;

struct SolveArguments {
  std::string position;
  std::string file;
  std::optional<int> random;
  std::uint64_t seed = 1;
  bool weak = false;
  int threads = 1;
  std::size_t table_mb = 0;
  std::string book;
  bool no_book = false;
  bool cold = false;
  bool json = false;
};

/// The solver the arguments ask for, with the book it uses.
class SolverWithBook {
 public:
  explicit SolverWithBook(const SolveArguments& arguments)
      : loaded_(load(arguments)),
        solver_({.table_mb = arguments.table_mb != 0 ? arguments.table_mb
                                                     : solver::table_mb(machine_resources()),
                 .threads = arguments.threads,
                 .book = arguments.no_book ? nullptr
                         : loaded_         ? &*loaded_
                                           : &solver::Book::built_in()}) {}

  solver::Solver& operator*() { return solver_; }
  solver::Solver* operator->() { return &solver_; }

 private:
  static std::optional<solver::Book> load(const SolveArguments& arguments) {
    if (arguments.book.empty()) return std::nullopt;
    auto book = solver::Book::load(arguments.book);
    if (!book) fail(book.error());
    return *std::move(book);
  }

  std::optional<solver::Book> loaded_;
  solver::Solver solver_;
};

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// Time the processor has spent on this program, all threads together: on a busy machine a better
/// measure than the clock on the wall.
double processor_microseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

void solve_one(const SolveArguments& arguments) {
  const game::Position position = usage_value(game::parse_any(arguments.position));
  if (position.outcome().finished()) {
    fail({fmt::format("the game is over ({}): there is nothing to solve; leave out its last moves",
                      game::result_text(position.outcome().result))});
  }
  SolverWithBook solver(arguments);
  solver->prepare();
  const solver::Request request{.weak = arguments.weak};
  std::optional<WaitingLine> waiting("the score");
  const auto solution = solver->score(position, request);
  const double microseconds = waiting->microseconds();
  const std::string known = fmt::format("(score {:+})", solution->score.value());
  waiting->set_task("every column " + known);
  const auto columns = solver->column_scores(position, request);
  waiting->set_task("the best line " + known);
  const auto line = solver->principal_variation(position, solution->score, request);
  const double total_microseconds = waiting->microseconds();
  waiting.reset();

  std::vector<int> best;
  auto scores = Json::array();
  for (const game::Column column : game::kAllColumns) {
    const auto& score = columns->scores.at(static_cast<std::size_t>(column.index()));
    scores.push_back(score ? Json(score->value()) : Json(nullptr));
    if (score && *score == solution->score) best.push_back(column.number());
  }
  const std::string pv = game::moves_text(line);
  if (arguments.json) {
    const Json object{{"position", arguments.position},
                      {"score", solution->score.value()},
                      {"scores", scores},
                      {"best", best},
                      {"nodes", solution->nodes},
                      {"microseconds", std::llround(microseconds)},
                      {"total_microseconds", std::llround(total_microseconds)},
                      {"pv", pv}};
    fmt::print("{}\n", object.dump());
    return;
  }
  std::string heading;
  std::string row;
  for (const game::Column column : game::kAllColumns) {
    const auto& score = columns->scores.at(static_cast<std::size_t>(column.index()));
    heading += fmt::format("{:>5}", column.digit());
    row += score ? fmt::format("{:>+5}", score->value()) : fmt::format("{:>5}", '-');
  }
  std::string words;
  if (arguments.weak) {
    const bool first = (position.to_move() == game::Side::kFirst) == (solution->score.value() > 0);
    words = solution->score.value() == 0 ? "draw"
            : first                      ? "first player wins"
                                         : "second player wins";
  } else {
    words = solver::in_words(solution->score, position.discs());
  }
  fmt::print("column{}\nscore {}\n", heading, row);
  fmt::print("best    {}\nline    {}\nresult  {} (score {:+})\n", fmt::join(best, " "), pv, words,
             solution->score.value());
  fmt::print("effort  {} nodes, {} for the score; {} with every column and the line\n",
             solution->nodes, duration_text(microseconds), duration_text(total_microseconds));
}

struct Task {
  std::string moves;
  game::Position position;
  std::optional<int> expected;
};

/// One line of a file: `moves [expected score]`, where `-` stands for no moves.
Task parse_task(const std::string& line, const std::string& where) {
  std::istringstream fields(line);
  Task task;
  std::string expected;
  std::string more;
  fields >> task.moves >> expected >> more;
  const auto position = game::parse_moves(task.moves == "-" ? "" : task.moves);
  if (!position) fail({fmt::format("{}: {}", where, position.error().message)});
  task.position = *position;
  if (position->outcome().finished()) {
    fail({fmt::format("{}: the game {} is over, there is nothing to solve", where,
                      in_quotes(task.moves))});
  }
  if (!expected.empty()) {
    const auto number = parse_integer(expected);
    if (!number || !more.empty()) {
      fail({fmt::format("{}: expected 'moves' or 'moves score', not {}", where, in_quotes(line))});
    }
    task.expected = static_cast<int>(*number);
  }
  return task;
}

/// Gives one position after the other; none at the end.
using NextTask = std::function<std::optional<Task>()>;

NextTask tasks_of(std::vector<Task> tasks) {
  return [tasks = std::move(tasks), at = std::size_t{0}]() mutable -> std::optional<Task> {
    if (at == tasks.size()) return std::nullopt;
    return std::move(tasks[at++]);
  };
}

/// A file is read before the first position is solved, so that its last line can be wrong at once.
std::vector<Task> read_tasks(const std::string& path) {
  auto text = read_text_file(path, kPositionsBytes);
  if (!text) fail(text.error());
  std::istringstream in(*std::move(text));
  std::vector<Task> tasks;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (trimmed(line).empty()) continue;
    tasks.push_back(parse_task(line, fmt::format("{} line {}", path, number)));
  }
  return tasks;
}

NextTask stream_tasks(const std::string& path) {
  auto opened = PositionStream::open(path);
  if (!opened) fail(opened.error());
  const auto stream = std::make_shared<PositionStream>(*std::move(opened));
  const std::string name = path == "-" ? "input" : path;
  return [stream, name, number = 0]() mutable -> std::optional<Task> {
    while (true) {
      const std::string where = fmt::format("{} line {}", name, ++number);
      flush_output();  // the writer may wait for the answer before it asks again
      const auto line = stream->next();
      if (!line) fail({fmt::format("{}: {}", where, line.error().message)});
      if (!*line) return std::nullopt;
      if (!trimmed(**line).empty()) return parse_task(**line, where);
    }
  };
}

/// Positions of random games with 0 to 41 discs, each number as likely as the others.
std::vector<Task> random_tasks(int count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Task> tasks;
  while (static_cast<int>(tasks.size()) < count) {
    Task task;
    const std::uint32_t discs = rng.below(game::kCells);
    while (task.moves.size() < discs && !task.position.outcome().finished()) {
      const game::Column column(static_cast<int>(rng.below(game::kColumns)));
      if (!task.position.can_play(column)) continue;
      task.position = task.position.after(column);
      task.moves += column.digit();
    }
    if (!task.position.outcome().finished()) tasks.push_back(std::move(task));
  }
  return tasks;
}

class Summary {
 public:
  void add(std::uint64_t nodes, double microseconds, double processor, bool wrong) {
    nodes_ += nodes;
    processor_ += processor;
    total_ += microseconds;
    ++positions_;
    if (wrong) ++wrong_;
    if (times_.size() < kTimes) {
      times_.push_back(microseconds);
    } else if (const auto at = rng_.below(static_cast<std::uint32_t>(positions_)); at < kTimes) {
      times_[at] = microseconds;  // a sample in which each time is as likely as the others
    }
    longest_ = std::max(longest_, microseconds);
  }
  [[nodiscard]] int wrong() const { return wrong_; }
  [[nodiscard]] std::uint64_t positions() const { return positions_; }

  void print(bool json) {
    std::sort(times_.begin(), times_.end());
    const auto at = [&](double part) {
      if (times_.empty()) return 0.0;
      const auto index = static_cast<std::size_t>(part * static_cast<double>(times_.size()));
      return times_[std::min(times_.size() - 1, index)];
    };
    const auto count = static_cast<double>(std::max<std::uint64_t>(1, positions_));
    const double mean = total_ / count;
    const double mean_nodes = static_cast<double>(nodes_) / count;
    const double processor = processor_ / count;
    const double speed = total_ > 0 ? static_cast<double>(nodes_) * 1e6 / total_ : 0;
    if (json) {
      const Json object{
          {"positions", positions_},  {"wrong", wrong_},           {"mean_us", mean},
          {"median_us", at(0.5)},     {"p99_us", at(0.99)},        {"max_us", longest_},
          {"mean_nodes", mean_nodes}, {"nodes_per_second", speed}, {"mean_cpu_us", processor}};
      fmt::print("{}\n", object.dump());
      return;
    }
    fmt::print("positions         {:>14}\nwrong             {:>14}\n", positions_, wrong_);
    fmt::print("mean              {:>14.2f} us\nmedian            {:>14.2f} us\n", mean, at(0.5));
    fmt::print("99th percentile   {:>14.2f} us\nworst             {:>14.2f} us\n", at(0.99),
               longest_);
    fmt::print("mean, processor   {:>14.2f} us\n", processor);
    fmt::print("mean nodes        {:>14.1f}\nnodes per second  {:>14.0f}\n", mean_nodes, speed);
  }

 private:
  static constexpr std::size_t kTimes = 1'000'000;  // the others count in everything but the ranks
  std::uint64_t nodes_ = 0;
  std::uint64_t positions_ = 0;
  double processor_ = 0;
  double total_ = 0;
  double longest_ = 0;
  int wrong_ = 0;
  std::vector<double> times_;
  Rng rng_{1};
};

void solve_many(const NextTask& next, const SolveArguments& arguments) {
  SolverWithBook solver(arguments);
  const solver::Request request{.weak = arguments.weak};
  solver->prepare();
  Summary summary;
  while (const auto task = next()) {
    if (arguments.cold) solver->forget();
    const double processor_start = processor_microseconds();
    const auto start = Clock::now();
    const auto solution = solver->score(task->position, request);
    const double microseconds = microseconds_since(start);
    const double processor = processor_microseconds() - processor_start;
    const int score = solution->score.value();
    auto expected = task->expected;
    if (expected && arguments.weak) expected = (*expected > 0) - (*expected < 0);
    const bool wrong = expected && *expected != score;
    summary.add(solution->nodes, microseconds, processor, wrong);
    if (arguments.json) {
      Json object{{"position", task->moves}, {"score", score}};
      if (expected) object["expected"] = *expected;
      object["nodes"] = solution->nodes;
      object["microseconds"] = microseconds;
      fmt::print("{}\n", object.dump());
    } else if (!arguments.random) {
      fmt::print("{} {}{}\n", task->moves, score,
                 wrong ? fmt::format(" WRONG, expected {}", *expected) : "");
    }
  }
  summary.print(arguments.json);
  if (summary.wrong() > 0) {
    flush_output();
    fail({fmt::format("{} of {} scores differ from the expected ones", summary.wrong(),
                      summary.positions())});
  }
}

void solve(const SolveArguments& arguments) {
  const bool many = !arguments.file.empty() || arguments.random;
  if (many && !arguments.position.empty()) {
    fail_usage({"give either a position or a file, not both"});
  }
  if (arguments.random) {
    solve_many(tasks_of(random_tasks(*arguments.random, arguments.seed)), arguments);
  } else if (PositionStream::names_one(arguments.file)) {
    solve_many(stream_tasks(arguments.file), arguments);
  } else if (!arguments.file.empty()) {
    solve_many(tasks_of(read_tasks(arguments.file)), arguments);
  } else {
    solve_one(arguments);
  }
}

}  // namespace

void add_solve_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("solve", "Find the exact score of a position");
  auto arguments = std::make_shared<SolveArguments>();
  command->add_option("position", arguments->position,
                      "Moves (4453) or any other notation of 'rowbot show'; left out: the empty "
                      "board");
  command->add_option(
      "--file", arguments->file,
      "Score the positions of a file, lines of 'moves [expected score]'; a pipe, or - "
      "for standard input, is read as it is written");
  command->add_option("--random", arguments->random, "Score this many positions of random games")
      ->check(CLI::Range(1, 100'000'000))
      ->excludes("--file");
  command->add_option("--seed", arguments->seed, "Where the randomness of --random begins")
      ->capture_default_str();
  command->add_flag("--weak", arguments->weak, "Only win, draw or loss: 1, 0, -1");
  command->add_option("--threads", arguments->threads, "Threads to search with")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--table-mb", arguments->table_mb,
                   "Size of the transposition table; 0: by the free memory, at most 64")
      ->check(CLI::Range(0, 65'536))
      ->capture_default_str();
  command->add_option("--book", arguments->book, "Use this opening book");
  command->add_flag("--no-book", arguments->no_book, "Search everything")->excludes("--book");
  command->add_flag("--cold", arguments->cold, "Begin each position of a file with an empty table");
  command->add_flag("--json", arguments->json, "Print JSON, one object a line");
  command->callback([arguments] { solve(*arguments); });
}

}  // namespace rowbot::app
