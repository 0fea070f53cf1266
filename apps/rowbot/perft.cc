#include "game/perft.h"

#include <cstdint>
#include <memory>

#include "CLI/CLI.hpp"
#include "commands.h"
#include "fmt/core.h"
#include "output.h"

namespace rowbot::app {

void add_perft_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("perft", "Count the different positions after each number of moves");
  auto plies = std::make_shared<int>(8);
  command->add_option("plies", *plies, "The last ply to count")
      ->check(CLI::Range(0, game::kDeepestPerft))
      ->capture_default_str();
  command->callback([plies] {
    game::count_positions(*plies, [](int ply, std::uint64_t positions) {
      fmt::print("{} {}\n", ply, positions);
      flush_output();
    });
  });
}

}  // namespace rowbot::app
