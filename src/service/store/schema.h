// The tables of the one database that website and laboratory share, as the ordered list of steps
// that lead to them. A step that has been released is never changed: append the next one.
// Thread safety: constant data.
#pragma once

#include <span>
#include <string_view>

namespace rowbot::store {

/// For Database::open.
[[nodiscard]] std::span<const std::string_view> migrations();

}  // namespace rowbot::store
