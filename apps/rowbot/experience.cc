// rowbot experience: looks into what Q-learning has learned.

#include "engine/learn/experience.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "CLI/CLI.hpp"
#include "commands.h"
#include "engine/learn/experiments.h"
#include "fmt/core.h"
#include "game/position_text.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

using game::Column;
using game::Position;
using learn::ActionValues;
using learn::Experience;
using learn::ExperienceFile;
using nlohmann::ordered_json;

template <class T>
T done_value(Result<T> result) {
  if (!result) fail(result.error());
  return *std::move(result);
}

struct ExperienceArguments {
  std::string path;
  std::string position;
  std::vector<std::string> sources;
  std::string format = "csv";
  std::size_t points = 10;
  bool json = false;
};

void show_state(const ExperienceArguments& arguments) {
  const Position position = usage_value(game::parse_any(arguments.position));
  Experience experience = done_value(Experience::open(arguments.path, Experience::Access::kPlay));
  const learn::State state = experience.state_of(position);
  const auto found = done_value(experience.look_up(state));
  const ActionValues values = found.value_or(ActionValues{});
  auto actions = ordered_json::array();
  for (const Column column : game::kAllColumns) {
    const std::size_t action = state.action(column);
    actions.push_back({{"column", column.number()},
                       {"legal", position.can_play(column)},
                       {"value", values.value.at(action)},
                       {"visits", values.visits.at(action)}});
  }
  if (arguments.json) {
    const ordered_json object{{"state", game::state_text(position)},
                              {"key", state.key},
                              {"mirrored", state.mirrored},
                              {"known", found.has_value()},
                              {"actions", actions}};
    fmt::print("{}\n", object.dump());
    return;
  }
  fmt::print("{}state  {}\nkey    {}{}\n", game::board_text(position), game::state_text(position),
             state.key, state.mirrored ? " (of the mirror image)" : "");
  if (!found) fmt::print("nothing is known about it\n");
  fmt::print("column      value     visits\n");
  for (const auto& action : actions) {
    fmt::print("{:>6} {:>10.4f} {:>10}{}\n", action["column"].get<int>(),
               action["value"].get<double>(), action["visits"].get<std::uint64_t>(),
               action["legal"].get<bool>() ? "" : "  cannot be played");
  }
}

void show_stats(const ExperienceArguments& arguments) {
  auto file = done_value(ExperienceFile::open(arguments.path, ExperienceFile::Use::kExtend));
  std::uint64_t states = 0;
  std::uint64_t visits = 0;
  std::uint64_t tried = 0;
  std::array<std::uint64_t, game::kCells + 1> by_discs{};
  const auto all =
      file.for_each([&](learn::StateKey key, const ActionValues& values) -> Result<void> {
        ++states;
        ++by_discs.at(static_cast<std::size_t>(learn::position_of(key)->discs()));
        for (const std::uint32_t n : values.visits) {
          visits += n;
          tried += n > 0 ? 1 : 0;
        }
        return {};
      });
  if (!all) fail(all.error());
  const std::string outcomes = done_value(file.outcomes());
  const auto curve = learn::learning_curve(outcomes, arguments.points);
  std::error_code ignored;
  const auto bytes = std::filesystem::file_size(arguments.path, ignored);
  const auto mirror = done_value(file.fact("mirror")).value_or("off");
  const auto training = done_value(file.fact("training")).value_or("");
  const auto share = [&](char letter) {
    return outcomes.empty()
               ? 0.0
               : static_cast<double>(std::count(outcomes.begin(), outcomes.end(), letter)) /
                     static_cast<double>(outcomes.size());
  };
  if (arguments.json) {
    const ordered_json object{{"states", states},
                              {"actions", tried},
                              {"visits", visits},
                              {"episodes", outcomes.size()},
                              {"win_rate", share(Experience::kWon)},
                              {"draw_rate", share(Experience::kDrawn)},
                              {"win_rate_curve", curve},
                              {"states_by_discs", by_discs},
                              {"mirror", mirror == "on"},
                              {"training", training},
                              {"bytes", bytes}};
    fmt::print("{}\n", object.dump());
    return;
  }
  fmt::print(
      "states    {}\nactions   {} tried, {} updates\nepisodes  {}: {:.2f} % won, {:.2f} % drawn\n",
      states, tried, visits, outcomes.size(), 100 * share(Experience::kWon),
      100 * share(Experience::kDrawn));
  fmt::print("mirror    {}\ntraining  {}\nbytes     {}\n", mirror, training, bytes);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    fmt::print("part {:>2}   {:.2f} % won\n", i + 1, 100 * curve[i]);
  }
}

/// Boehm 2016 writes an action as its state, a point and the column from 0.
void export_actions(const ExperienceArguments& arguments) {
  auto file = done_value(ExperienceFile::open(arguments.path, ExperienceFile::Use::kExtend));
  const bool csv = arguments.format == "csv";
  if (csv) fmt::print("action,value,visits\n");
  const auto all =
      file.for_each([&](learn::StateKey key, const ActionValues& values) -> Result<void> {
        const std::string state = game::state_text(*learn::position_of(key));
        for (std::size_t i = 0; i < values.value.size(); ++i) {
          if (values.visits.at(i) == 0) continue;
          if (csv) {
            fmt::print("{}.{},{},{}\n", state, i, values.value.at(i), values.visits.at(i));
          } else {
            fmt::print("{{\"action\":\"{}.{}\",\"value\":{},\"visits\":{}}}\n", state, i,
                       values.value.at(i), values.visits.at(i));
          }
        }
        return {};
      });
  if (!all) fail(all.error());
}

void merge_files(const ExperienceArguments& arguments) {
  std::error_code ignored;
  if (std::filesystem::exists(arguments.path, ignored)) {
    fail_usage(
        Error{fmt::format("{} exists already; name a new file for the result", arguments.path)});
  }
  std::vector<ExperienceFile> files;
  for (const std::string& source : arguments.sources) {
    files.push_back(done_value(ExperienceFile::open(source, ExperienceFile::Use::kExtend)));
  }
  const bool mirror = done_value(files.front().fact("mirror")) == "on";
  // Nothing is written before all could be read.
  Experience merged(mirror);
  for (ExperienceFile& file : files) {
    if (auto done = merged.merge(file); !done) fail(done.error());
  }
  const std::size_t states = merged.table().size();
  const std::uint64_t episodes = merged.episodes();
  merged.describe_training(fmt::format("merged from {} experiences", files.size()));
  if (auto done = merged.save_as(arguments.path); !done) fail(done.error());
  if (arguments.json) {
    fmt::print("{}\n", ordered_json{{"states", states}, {"episodes", episodes}}.dump());
  } else {
    fmt::print("{}: {} states, {} episodes\n", arguments.path, states, episodes);
  }
}

}  // namespace

void add_experience_command(CLI::App& app) {
  CLI::App* experience = app.add_subcommand("experience", "Look into what Q-learning has learned");
  experience->require_subcommand(1);
  auto a = std::make_shared<ExperienceArguments>();
  const auto with_file = [&a](CLI::App* command) {
    command->add_option("--experience", a->path, "The file that rowbot train q made")->required();
    return command;
  };

  CLI::App* show = with_file(
      experience->add_subcommand("show", "Every action's value and visits in a position"));
  show->add_option("position", a->position, "Moves, a drawing, a state or a list; left out: empty");
  show->add_flag("--json", a->json, "Print one object");
  show->callback([a] { show_state(*a); });

  CLI::App* stats =
      with_file(experience->add_subcommand("stats", "How much it holds, and how it grew"));
  stats->add_option("--points", a->points, "Parts of the learning curve")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  stats->add_flag("--json", a->json, "Print one object");
  stats->callback([a] { show_stats(*a); });

  CLI::App* out = with_file(experience->add_subcommand("export", "Every action as a line"));
  out->add_option("--format", a->format, "csv or json (an object a line)")
      ->check(CLI::IsMember({"csv", "json"}))
      ->capture_default_str();
  out->callback([a] { export_actions(*a); });

  CLI::App* merge = experience->add_subcommand(
      "merge", "Make one experience of several: means weighted by visits");
  merge->add_option("sources", a->sources, "The files to merge")->required();
  merge->add_option("--out", a->path, "The new file")->required();
  merge->add_flag("--json", a->json, "Print one object");
  merge->callback([a] { merge_files(*a); });
}

}  // namespace rowbot::app
