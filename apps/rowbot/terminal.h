// The terminal: what it can show, and what the person at it types.
// Thread safety: one thread; the process has one terminal.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "board_view.h"

namespace rowbot::app {

enum class ColorWish { kAuto, kAlways, kNever };

/// What to use on this stream: nothing fancy unless it is a terminal (or colour is demanded),
/// no colour when NO_COLOR is set or the terminal is dumb, round discs in a UTF-8 locale.
[[nodiscard]] BoardStyle style_for(std::FILE* stream, ColorWish wish);

/// One command: a single key where standard input is a terminal, else a line. Nothing at the end
/// of the input. Blocks.
[[nodiscard]] std::optional<std::string> read_command();

/// A whole line, also at a terminal. Nothing at the end of the input. Blocks.
[[nodiscard]] std::optional<std::string> read_line();

}  // namespace rowbot::app
