// A server that runs as soon as it is made. For tests.
// Thread safety: none.
#pragma once

#include <string>
#include <utility>

#include "service/server/test_server.h"

namespace rowbot::server {

class RunningServer : public TestServer {
 public:
  explicit RunningServer(Options the_options, table::TableFeed* the_robot = nullptr) {
    options = std::move(the_options);
    robot = the_robot;
    database_options.busy_timeout = std::chrono::milliseconds(200);
    start();
  }

  /// The path of a new game for two people.
  [[nodiscard]] std::string new_game() const { return TestServer::new_game(R"({"human":"both"})"); }
};

}  // namespace rowbot::server
