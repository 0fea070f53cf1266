// How much memory there is to take, so that the same program fits a Raspberry Pi and a server.
// Thread safety: pure functions, except for the files they read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/resources.h"

namespace rowbot {

/// What the kernel says about memory, and where; elsewhere in tests.
struct MemoryFiles {
  std::string meminfo = "/proc/meminfo";
  std::string own_groups = "/proc/self/cgroup";
  std::string groups = "/sys/fs/cgroup";
};

/// Bytes that this process can still take: the least that the machine, its control groups (a
/// service's or container's limit, both versions) and its own limits (ulimit -v, -d) leave. What
/// says nothing does not count; if nothing says anything, half a gigabyte.
[[nodiscard]] std::uint64_t free_memory_bytes(const MemoryFiles& files = {});

/// All that is free of this machine, for the start of a program.
[[nodiscard]] Resources machine_resources(const MemoryFiles& files = {});

/// The number of bytes behind "NAME:" in the lines of /proc/meminfo or /proc/self/status.
[[nodiscard]] std::optional<std::uint64_t> memory_line(std::string_view text,
                                                       std::string_view name);

}  // namespace rowbot
