// The robot's table behind the website's port: the twin's, or a real one.
#pragma once

#include <memory>
#include <string>

#include "base/resources.h"
#include "robot/table/table_feed.h"

namespace rowbot::app {

struct ServeTableOptions {
  Resources resources;            // of the agent
  std::string robot = "eezybot";  ///< of the twin: eezybot, roboarm, panda, or none
  std::string config;             ///< a hardware file: its table in place of the twin's
  std::string log;                ///< of a real table; may be empty
  std::string agent;              ///< who plays; empty: the configuration says, or a default
  double speed = 1;               ///< simulated seconds per second
};

/// Null for none. Ends the program with an error for a table that cannot be had.
[[nodiscard]] std::unique_ptr<table::TableFeed> make_table_feed(const ServeTableOptions& options);

}  // namespace rowbot::app
