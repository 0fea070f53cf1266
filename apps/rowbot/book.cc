#include "engine/solver/book.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "base/memory.h"
#include "base/stop.h"
#include "commands.h"
#include "engine/solver/book_builder.h"
#include "fmt/core.h"
#include "progress.h"

namespace rowbot::app {
namespace {

StopSource interrupted;

void build(solver::BookBuildOptions options) {
  options.stop = interrupted.get_token();
  std::signal(SIGINT, [](int) { interrupted.request_stop(); });
  std::signal(SIGTERM, [](int) { interrupted.request_stop(); });
  if (options.table_mb == 0) {
    Resources resources = machine_resources();
    resources.threads = options.threads;
    options.table_mb = solver::book_table_mb(resources);
  }
  ProgressLine line("positions");
  options.progress = [&line](const solver::BookProgress& progress) {
    line.show(progress.solved, progress.total, progress.resumed);
  };
  const auto report = solver::build_book(options);
  if (!report) fail(report.error());
  fmt::print("{}: {} positions up to ply {}, {} bytes\n", options.out.string(), report->positions,
             options.plies, report->bytes);
}

void print_info(const std::string& path) {
  const auto show = [](const solver::Book& book) {
    fmt::print("plies      {}\npositions  {}\nbytes      {}\n", book.plies(), book.positions(),
               book.bytes());
  };
  if (path.empty()) return show(solver::Book::built_in());
  const auto book = solver::Book::load(path);
  if (!book) fail(book.error());
  show(*book);
}

}  // namespace

void add_book_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("book", "Make or look at an opening book of exact scores");
  command->require_subcommand(1);

  CLI::App* build_command =
      command->add_subcommand("build",
                              "Solve every position up to a ply; can be interrupted and "
                              "goes on where it was left");
  auto options = std::make_shared<solver::BookBuildOptions>();
  auto out = std::make_shared<std::string>();
  options->threads = machine_resources().threads;
  options->table_mb = 0;
  build_command->add_option("--plies", options->plies, "The deepest ply")
      ->check(CLI::Range(0, 16))
      ->capture_default_str();
  build_command->add_option("--out", *out, "The file to write")->required();
  build_command->add_option("--threads", options->threads, "Positions to solve at once")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  build_command
      ->add_option("--table-mb", options->table_mb,
                   "Transposition table of each thread; 0: by the free memory, at most 256")
      ->check(CLI::Range(0, 65'536))
      ->capture_default_str();
  build_command->callback([options, out] {
    options->out = *out;
    build(*options);
  });

  CLI::App* info_command = command->add_subcommand("info", "Say what a book holds");
  auto path = std::make_shared<std::string>();
  info_command->add_option("file", *path, "The book; left out: the one in the program");
  info_command->callback([path] { print_info(*path); });
}

}  // namespace rowbot::app
