#include "table_keys.h"

#include <array>
#include <optional>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace rowbot::app {
namespace {

using table::Command;

std::optional<Command::Kind> command_of(char key) {
  switch (key) {
    case 'r':
      return Command::Kind::kRestart;
    case 's':
      return Command::Kind::kStop;
    case 'c':
      return Command::Kind::kResume;
    case 'q':
      return Command::Kind::kQuit;
    default:
      return std::nullopt;
  }
}

void listen(const std::stop_token& stop, table::RobotTable& table,
            const TableKeys::Listener& listener) {
  std::array<char, 64> keys{};
  while (!stop.stop_requested()) {
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, 100) <= 0) continue;
    const ssize_t count = ::read(STDIN_FILENO, keys.data(), keys.size());
    if (count <= 0) {
      if (listener.ended) listener.ended();
      return;
    }
    for (ssize_t i = 0; i < count; ++i) {
      const char key = keys.at(static_cast<std::size_t>(i));
      if (const auto column = game::Column::from_digit(key)) listener.column(*column);
      if (const auto kind = command_of(key)) {
        table.post({.kind = *kind, .column = {}, .text = {}});
      }
    }
  }
}

}  // namespace

TableKeys::TableKeys(table::RobotTable& table, Listener listener)
    : thread_([&table, listener = std::move(listener)](const std::stop_token& stop) {
        listen(stop, table, listener);
      }) {}

}  // namespace rowbot::app
