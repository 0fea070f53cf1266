// rowbot child: one of the seven machines of 1993, on standard input and output.

#include "lab/cluster/child.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "CLI/CLI.hpp"
#include "commands.h"
#include "fmt/core.h"
#include "lab_commands.h"
#include "output.h"

namespace rowbot::app {
namespace {

/// The next line of standard input; nothing at its end.
std::optional<std::string> next_line() {
  constexpr std::size_t kLongest = 64;
  std::string line;
  while (true) {
    const int c = std::getchar();
    if (c == '\n') return line;
    if (c == EOF) return std::nullopt;
    if (line.size() == kLongest) fail(Error{"a line is longer than any message of the protocol"});
    line += static_cast<char>(c);
  }
}

void run_child(int depth) {
  cluster::Child child(depth);
  while (const auto line = next_line()) {
    const auto step = child.receive(*line);
    if (!step) fail(step.error());
    if (step->reply) {
      fmt::print("{}\n", *step->reply);
      flush_output();
    }
    if (step->finished) return;
  }
  fail(Error{"the parent left before the game was over"});
}

}  // namespace

void add_child_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("child", "Value one column for a parent, by the line protocol of 1993");
  auto depth = std::make_shared<int>(6);
  command->add_option("--depth", *depth, "Plies to look ahead")
      ->check(CLI::Range(1, 42))
      ->capture_default_str();
  command->callback([depth] { run_child(*depth); });
}

}  // namespace rowbot::app
