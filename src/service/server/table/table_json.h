// The JSON about the robot's table; docs/openapi.json describes it.
// Thread safety: pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "robot/table/table_feed.h"

namespace rowbot::server {

struct TableReport {
  std::string robot;
  const table::TableView& view;
  std::string_view scene;  ///< name of the scene; empty when there is none yet
  bool visitor = false;    ///< somebody sits at the table
  std::size_t waiting = 0;
  std::size_t watchers = 0;
  std::optional<std::chrono::seconds> left;  ///< of the visitor's time
};

/// An object without the place of the one who asks.
[[nodiscard]] std::string table_json(const TableReport& state);
/// The new visitor's token, and the table's JSON.
[[nodiscard]] std::string table_ticket_json(std::string_view token, std::string_view state);
/// As the WebSocket sends it; without poses while there are none.
[[nodiscard]] std::string table_live_json(std::string_view state, const std::string* poses);

}  // namespace rowbot::server
