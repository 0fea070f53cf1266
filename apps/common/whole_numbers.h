// Whole numbers on the command line of every program.
// Thread safety: none; called once while the options are set up.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <string>

#include "CLI/CLI.hpp"
#include "base/text.h"
#include "fmt/core.h"

namespace rowbot::app {

/// Refuses a number that CLI11 would wrap around (-1 of an unsigned option) or cut off at the
/// largest.
inline std::string check_whole_number(const std::string& text, bool is_signed) {
  errno = 0;
  if (is_signed) {
    static_cast<void>(std::strtoll(text.c_str(), nullptr, 0));
  } else {
    if (text.find('-') != std::string::npos) return fmt::format("{} is below 0", in_quotes(text));
    static_cast<void>(std::strtoull(text.c_str(), nullptr, 0));
  }
  return errno == ERANGE ? fmt::format("{} is too large", in_quotes(text)) : std::string();
}

/// Adds the check to every whole number of the program and its subcommands.
inline void check_whole_numbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool is_signed = type.starts_with("INT");
    if (!is_signed && !type.starts_with("UINT")) continue;
    // Without a description: it would be repeated in the help of every such option.
    option->check(CLI::Validator(
        [is_signed](std::string& text) { return check_whole_number(text, is_signed); }, ""));
  }
  for (CLI::App* sub : app.get_subcommands({})) check_whole_numbers(*sub);
}

}  // namespace rowbot::app
