// The layout of a cell as a TOML file that people can read and edit: versioned, and checked when it
// is read. docs/arm.md shows one.
// Thread safety: pure functions, except for the files they touch.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "robot/cell/layout.h"

namespace rowbot::cell {

inline constexpr int kLayoutVersion = 1;

[[nodiscard]] std::string layout_text(const CellLayout& layout);
/// Errors name the line or the key, and what was expected there.
[[nodiscard]] Result<CellLayout> parse_layout(std::string_view text);

[[nodiscard]] Result<CellLayout> load_layout(const std::string& file);
/// Writes beside the file first and then renames, so that a crash leaves the old one.
[[nodiscard]] Result<void> save_layout(const CellLayout& layout, const std::string& file);

}  // namespace rowbot::cell
