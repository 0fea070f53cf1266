// The subcommands of the laboratory and the cluster of 1993; see commands.h.
#pragma once

namespace CLI {
class App;
}

namespace rowbot::app {

void add_child_command(CLI::App& app);
void add_experiment_command(CLI::App& app);
void add_games_command(CLI::App& app);
void add_match_command(CLI::App& app);
void add_parent_command(CLI::App& app);
void add_tournament_command(CLI::App& app);

}  // namespace rowbot::app
