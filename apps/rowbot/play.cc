// rowbot play: one game at the terminal, each side a person or an agent.

#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/memory.h"
#include "base/text.h"
#include "base/text_file.h"
#include "board_view.h"
#include "commands.h"
#include "engine/agents/agent.h"
#include "engine/roster/agent_spec.h"
#include "fmt/core.h"
#include "game/game_record.h"
#include "game/play_out.h"
#include "lab_session.h"
#include "nlohmann/json.hpp"
#include "terminal.h"

namespace rowbot::app {
namespace {

using game::Column;
using game::GameRecord;
using game::GameResult;
using game::Position;
using game::Side;
using Clock = std::chrono::steady_clock;

using game::kHuman;
constexpr std::string_view kHelp =
    "  1-7  drop a disc in that column      u  take your last move back\n"
    "  h    show a hint                     s  save the game to a file\n"
    "  n    begin a new game                q  leave\n";

struct PlayOptions {
  std::string first = std::string(kHuman);
  std::string second = "mcts:preset=hybrid";
  std::string adviser = "mcts:preset=hybrid";
  std::string load_path;
  std::string save_path;
  std::string database;
  ColorWish color = ColorWish::kAuto;
  std::optional<std::uint64_t> seed;
  bool json = false;
};

std::uint64_t fresh_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

Result<void> write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) return Error{fmt::format("cannot write {}; is the folder there and writable?", path)};
  return {};
}

Result<GameRecord> read_record(const std::string& path) {
  const auto text = read_text_file(path, kSettingsBytes);
  if (!text) return text.error();
  auto record = trimmed(*text).starts_with('{') ? game::parse_record_json(*text)
                                                : game::parse_record_text(*text);
  if (!record) return Error{fmt::format("{}: {}", path, record.error().message)};
  return record;
}

/// One side of the game: a person, or an agent with its seed.
struct Player {
  std::string name;
  std::unique_ptr<agents::Agent> agent;  // null for a person
  std::optional<std::uint64_t> seed;

  [[nodiscard]] bool is_human() const { return agent == nullptr; }
};

/// A seed in the agent's text wins over the command line's, which wins over chance.
Player make_player(const std::string& text, std::optional<std::uint64_t> seed) {
  if (text == kHuman) return {.name = text};
  const auto spec = usage_value(roster::AgentSpec::parse(text));
  Player player{.name = spec.text(),
                .agent = usage_value(spec.make(machine_resources())),
                .seed = spec.seed()};
  if (!player.seed) player.seed = seed ? *seed : fresh_seed();
  player.agent->start_game(*player.seed);
  return player;
}

class TerminalGame {
 public:
  explicit TerminalGame(const PlayOptions& options)
      : out_(options.json ? stderr : stdout),
        style_(style_for(out_, options.color)),
        quiet_(options.json),
        adviser_(make_player(options.adviser, options.seed)),
        first_(make_player(options.first, options.seed)),
        second_(make_player(options.second,
                            options.seed ? std::optional(*options.seed + 1) : std::nullopt)) {}

  /// Goes on from these moves; how the game ended does not count.
  void resume(const GameRecord& from) {
    GameRecord open = from;
    game::settle_by_rules(open);
    game_ = usage_value(game::Game::resume(open));
    thinking_ = from.thinking;
    thinking_.resize(from.moves.size());
  }

  /// Plays to the end, or until the person leaves.
  void run() {
    if (has_human()) say("{}", kHelp);
    show();
    while (!left_) {
      game::play_out(
          game_, [this](Side side, const Position&) { return ask(side); },
          [this](Side side) { tell_move(side); });
      if (!game_.over()) continue;
      if (!has_human() || isatty(STDIN_FILENO) == 0) break;
      (void)human_turn();
    }
    if (game_.interrupt() == game::Verdict::kFine) {
      say("The game stays unfinished after {} moves.\n", game_.moves().size());
    }
    tell_agents();
  }

  [[nodiscard]] GameRecord record() const {
    GameRecord record = game_.record();
    record.first = {.name = first_.name, .seed = first_.seed};
    record.second = {.name = second_.name, .seed = second_.seed};
    record.thinking = thinking_;
    return record;
  }

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) {
    fmt::print(out_, text, std::forward<Args>(args)...);
    std::fflush(out_);
  }

  [[nodiscard]] bool has_human() const { return first_.is_human() || second_.is_human(); }
  [[nodiscard]] const Player& player(Side side) const {
    return side == Side::kFirst ? first_ : second_;
  }
  [[nodiscard]] std::string side_name(Side side) const {
    return fmt::format("{} {}", disc_sign(side, style_), player(side).name);
  }

  void show() {
    if (quiet_ && !has_human()) return;
    const auto moves = game_.moves();
    const auto last = moves.empty() ? std::nullopt : std::optional(moves.back());
    say("\n{}\n", draw_board(game_.position(), last, style_));
    switch (game_.result()) {
      case GameResult::kOngoing:
        break;
      case GameResult::kFirstWins:
        say("{} wins in {} moves.\n", side_name(Side::kFirst), moves.size());
        break;
      case GameResult::kSecondWins:
        say("{} wins in {} moves.\n", side_name(Side::kSecond), moves.size());
        break;
      case GameResult::kDraw:
        say("A draw: the board is full.\n");
        break;
    }
  }

  /// The column of this side; nothing when a person typed something else.
  std::optional<Column> ask(Side side) {
    const Player& asked = player(side);
    if (asked.is_human()) return human_turn();
    auto decision = asked.agent->choose(game_.position(), asked.agent->budget(), {});
    if (!decision) fail(decision.error());
    thought_ = decision->elapsed;
    return decision->column;
  }

  void tell_move(Side side) {
    thinking_.emplace_back(std::chrono::duration_cast<std::chrono::microseconds>(thought_));
    if (!player(side).is_human() && (!quiet_ || has_human())) {
      say("{} plays {}.\n", side_name(side), game_.moves().back().number());
    }
    show();
  }

  std::optional<Column> human_turn() {
    if (const auto side = game_.turn()) {
      say("{}, your move (1-7, ? for help) > ", side_name(*side));
    } else {
      say("n new game, u undo, s save, q leave > ");
    }
    const auto start = Clock::now();
    const auto typed = read_command();
    thought_ = Clock::now() - start;
    if (!typed) {
      say("\n");
      left_ = true;
      return std::nullopt;
    }
    const std::string_view word = trimmed(*typed);
    if (isatty(STDIN_FILENO) != 0) say("{}\n", word);
    return word.empty() ? std::nullopt : obey(word);
  }

  /// A column that can be played; anything else is done, or said why not, and the game goes on.
  std::optional<Column> obey(std::string_view word) {
    if (word == "q" || word == "quit") {
      left_ = true;
    } else if (word == "?" || word == "help") {
      say("{}", kHelp);
    } else if (word == "u" || word == "undo") {
      undo();
    } else if (word == "h" || word == "hint") {
      hint();
    } else if (word == "n" || word == "new") {
      start_again();
    } else if (word == "s" || word == "save" || word.starts_with("s ") ||
               word.starts_with("save ")) {
      save(word);
    } else if (const auto column = word.size() == 1 ? Column::from_digit(word[0]) : std::nullopt) {
      const game::Verdict verdict = game_.judge(*column);
      if (verdict == game::Verdict::kFine) return column;
      if (verdict == game::Verdict::kGameOver) {
        say("The game is over: n begins a new one, u takes a move back.\n");
      } else {
        say("Column {} is full: choose another one.\n", column->number());
      }
    } else {
      say("{} is not a move: type a column from 1 to 7, or ? for help.\n", in_quotes(word));
    }
    return std::nullopt;
  }

  /// Back to the last position in which a person was to move.
  void undo() {
    std::size_t keep = game_.moves().size();
    do {
      if (keep == game_.start_moves()) {
        say("There is no move of yours to take back.\n");
        return;
      }
      --keep;
    } while (!player(game::Game::mover_of(keep)).is_human());
    game_.rewind(keep);
    thinking_.resize(keep);
    show();
  }

  void hint() {
    if (game_.over()) {
      say("The game is over: there is no move to advise.\n");
      return;
    }
    const auto advice = adviser_.agent->choose(game_.position(), adviser_.agent->budget(), {});
    if (!advice) fail(advice.error());
    say("Hint: column {}{}.\n", advice->column.number(),
        advice->proven && advice->proven->value == agents::Proven::Value::kWin ? ", it wins" : "");
  }

  void save(std::string_view word) {
    std::string path(trimmed(
        word.substr(word.find(' ') == std::string_view::npos ? word.size() : word.find(' '))));
    if (path.empty()) {
      say("File name > ");
      path = std::string(trimmed(read_line().value_or("")));
    }
    if (path.empty()) {
      say("Not saved: no file name.\n");
    } else if (const auto written = write_file(path, game::record_text(record())); !written) {
      say("Not saved: {}\n", written.error().message);
    } else {
      say("Saved to {}; rowbot play --load {} goes on from here.\n", path, path);
    }
  }

  /// For agents that learn from how the game went.
  void tell_agents() {
    for (Player* player : {&first_, &second_}) {
      if (player->is_human()) continue;
      if (auto kept = player->agent->end_game(game_.position()); !kept) fail(kept.error());
    }
  }

  void start_again() {
    tell_agents();
    game_ = {};
    thinking_.clear();
    for (Player* player : {&first_, &second_}) {
      if (!player->is_human()) player->agent->start_game(*player->seed);
    }
    show();
  }

  std::FILE* out_;
  BoardStyle style_;
  bool quiet_;
  Player adviser_;
  Player first_;
  Player second_;
  game::Game game_;
  std::vector<game::MoveTime> thinking_;  // one for each move
  Clock::duration thought_{};             // about the move under way
  bool left_ = false;
};

store::Time store_time() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

void run_play(PlayOptions options, bool first_given, bool second_given) {
  std::optional<GameRecord> loaded;
  if (!options.load_path.empty()) {
    loaded = usage_value(read_record(options.load_path));
    if (!first_given) options.first = loaded->first.name;
    if (!second_given) options.second = loaded->second.name;
  }
  if (options.adviser == kHuman) fail_usage(Error{"--hint must name an agent"});
  std::optional<store::Archive> archive;  // opened first: a wrong file is found before the game
  if (!options.database.empty()) archive = open_tables({.database = options.database});
  store::GameHead head{.kind = store::GameKind::kTerminal, .created = store_time()};
  TerminalGame game(options);
  if (loaded) game.resume(*loaded);
  game.run();
  if (!options.save_path.empty()) {
    const auto written = write_file(options.save_path, game::record_text(game.record()));
    if (!written) fail(written.error());
  }
  if (archive) {
    head.ended = store_time();
    if (const auto kept = archive->add(head, game.record()); !kept) fail(kept.error());
  }
  if (options.json) {
    // A name from the command line may hold bytes that are no text; JSON may not.
    fmt::print("{}\n", game::record_json(game.record())
                           .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
}

}  // namespace

void add_play_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("play", "Play a game: you, a friend or an agent");
  auto options = std::make_shared<PlayOptions>();
  CLI::Option* first =
      command->add_option("--first", options->first, "Who begins: human, or an agent")
          ->capture_default_str();
  CLI::Option* second =
      command->add_option("--second", options->second, "Who answers: human, or an agent")
          ->capture_default_str();
  command->add_option("--hint", options->adviser, "The agent that gives hints")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Makes the agents' games repeatable");
  command->add_option("--load", options->load_path, "Go on with a saved game")->type_name("FILE");
  command->add_option("--save", options->save_path, "Save the game when it ends")
      ->type_name("FILE");
  command->add_option("--db", options->database, "Keep the game in this database when it ends")
      ->type_name("FILE");
  const std::map<std::string, ColorWish> wishes{
      {"auto", ColorWish::kAuto}, {"always", ColorWish::kAlways}, {"never", ColorWish::kNever}};
  command->add_option("--color", options->color, "auto, always or never")
      ->transform(CLI::CheckedTransformer(wishes))
      ->type_name("WHEN");
  command->add_flag("--json", options->json, "Print the finished game as one JSON object");
  command->footer("While you play:\n" + std::string(kHelp) +
                  "rowbot agents lists the agents and their options.");
  command->callback(
      [options, first, second] { run_play(*options, first->count() > 0, second->count() > 0); });
}

}  // namespace rowbot::app
