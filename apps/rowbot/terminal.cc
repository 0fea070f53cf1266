#include "terminal.h"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <termios.h>
#include <unistd.h>

namespace rowbot::app {
namespace {

// Kept globally because a signal handler must be able to put it back.
termios g_cooked{};  // NOLINT(readability-identifier-naming)

extern "C" void restore_and_leave(int signal) {
  tcsetattr(STDIN_FILENO, TCSANOW, &g_cooked);
  _exit(128 + signal);
}

/// Keys arrive one by one and unseen while it lives; Ctrl-C still ends the program tidily.
class KeyMode {
 public:
  KeyMode() {
    tcgetattr(STDIN_FILENO, &g_cooked);
    termios keys = g_cooked;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    previous_ = std::signal(SIGINT, restore_and_leave);
    tcsetattr(STDIN_FILENO, TCSANOW, &keys);
  }
  KeyMode(const KeyMode&) = delete;
  KeyMode& operator=(const KeyMode&) = delete;
  KeyMode(KeyMode&&) = delete;
  KeyMode& operator=(KeyMode&&) = delete;
  ~KeyMode() {
    tcsetattr(STDIN_FILENO, TCSANOW, &g_cooked);
    std::signal(SIGINT, previous_);
  }

 private:
  void (*previous_)(int) = SIG_DFL;
};

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos ||
           value.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

BoardStyle style_for(std::FILE* stream, ColorWish wish) {
  const bool terminal = isatty(fileno(stream)) != 0;
  const bool plain = !environment("NO_COLOR").empty() || environment("TERM") == "dumb";
  const bool color = wish == ColorWish::kAlways || (wish == ColorWish::kAuto && terminal && !plain);
  return {.color = color, .unicode = (terminal || color) && utf8_locale()};
}

std::optional<std::string> read_command() {
  if (isatty(STDIN_FILENO) == 0) return read_line();
  const KeyMode mode;
  char key = 0;
  if (read(STDIN_FILENO, &key, 1) != 1 || key == '\x04') return std::nullopt;
  return std::string(1, key);
}

std::optional<std::string> read_line() {
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

}  // namespace rowbot::app
