// What the program may use of its machine. Made once, where the program starts, and passed down:
// nothing below looks at the machine by itself.
// Thread safety: a plain value.
#pragma once

#include <cstdint>

namespace rowbot {

struct Resources {
  /// For tables and search trees. Each holder takes a part of it, because it is not alone: the
  /// header of what takes memory says which.
  std::uint64_t memory_bytes = std::uint64_t{256} << 20;
  int threads = 1;  ///< that may compute at once
};

}  // namespace rowbot
