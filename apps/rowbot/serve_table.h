// The simulated table behind the website's port.
#pragma once

#include <memory>
#include <string>

#include "server/table_feed.h"

namespace rowbot::app {

struct ServeTableOptions {
  std::string robot = "eezybot";  ///< eezybot, roboarm, panda, or none
  std::string agent = "mcts:sims=2000";
  double speed = 1;  ///< simulated seconds per second
};

/// Null for none. Ends the program with a usage error for a robot or an agent that does not exist.
[[nodiscard]] std::unique_ptr<server::TableFeed> make_table_feed(const ServeTableOptions& options);

}  // namespace rowbot::app
