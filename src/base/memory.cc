#include "base/memory.h"

#include <algorithm>
#include <charconv>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"
#include "base/text_file.h"

namespace rowbot {
namespace {

constexpr std::uint64_t kUnknown = std::uint64_t{512} << 20;

std::string text_of(const std::string& path) {
  return read_text_file(path, kSettingsBytes).value_or({});
}

std::optional<std::uint64_t> number(std::string_view text) {
  text = trimmed(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

std::uint64_t left(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? limit - used : 0;
}

/// What a group and those around it leave. A limit of "max" is none.
std::uint64_t left_in_groups(const std::string& top, std::string group, const char* limit_file,
                             const char* used_file) {
  std::uint64_t least = UINT64_MAX;
  while (true) {
    const std::string folder = top + group + "/";
    const auto limit = number(text_of(folder + limit_file));
    const auto used = number(text_of(folder + used_file));
    if (limit && used) least = std::min(least, left(*limit, *used));
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos) return least;
    group.resize(slash);
  }
}

/// Lines of /proc/self/cgroup: "0::/group" (version 2) or "9:memory:/group" (version 1). Inside a
/// container the group's name may not be found below the mounted folder; its top is then ours.
std::uint64_t left_in_own_groups(const MemoryFiles& files) {
  std::uint64_t least = UINT64_MAX;
  const std::string text = text_of(files.own_groups);
  for (const std::string_view line : split(text, '\n')) {
    const auto parts = split(line, ':');
    if (parts.size() != 3) continue;
    std::string group(parts[2] == "/" ? "" : parts[2]);
    if (parts[0] == "0") {
      for (const char* top : {"", "/unified"}) {
        least = std::min(least,
                         left_in_groups(files.groups + top, group, "memory.max", "memory.current"));
      }
    } else if (parts[1] == "memory") {
      least = std::min(least, left_in_groups(files.groups + "/memory", group,
                                             "memory.limit_in_bytes", "memory.usage_in_bytes"));
    }
  }
  return least;
}

std::uint64_t left_by_limits() {
  std::uint64_t least = UINT64_MAX;
  const std::string status = text_of("/proc/self/status");
  const auto consider = [&](auto resource, std::string_view used_line) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    least = std::min(least, left(limit.rlim_cur, memory_line(status, used_line).value_or(0)));
  };
  consider(RLIMIT_AS, "VmSize");
  consider(RLIMIT_DATA, "VmData");
  return least;
}

}  // namespace

std::optional<std::uint64_t> memory_line(std::string_view text, std::string_view name) {
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with(name) || line.substr(name.size(), 1) != ":") continue;
    const auto kilobytes = number(line.substr(name.size() + 1));
    if (kilobytes) return *kilobytes * 1024;
  }
  return std::nullopt;
}

std::uint64_t free_memory_bytes(const MemoryFiles& files) {
  const std::uint64_t machine =
      memory_line(text_of(files.meminfo), "MemAvailable").value_or(UINT64_MAX);
  const std::uint64_t least = std::min({machine, left_in_own_groups(files), left_by_limits()});
  return least == UINT64_MAX ? kUnknown : least;
}

Resources machine_resources(const MemoryFiles& files) {
  return {.memory_bytes = free_memory_bytes(files),
          .threads = static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)))};
}

}  // namespace rowbot
