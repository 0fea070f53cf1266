// Reading a whole file that a person named. Never waits and never takes more memory than the file's
// kind allows: a device, a pipe, a folder or a far too large file is an error.
// Thread safety: pure function of the file system.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace rowbot {

/// Enough for anything that a person writes by hand or a command saves as settings.
constexpr std::size_t kSettingsBytes = std::size_t{1} << 20;

/// All bytes of a regular file of at most `limit` bytes. The error names the file.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path, std::size_t limit);

}  // namespace rowbot
