// The website's server: one thread for the network and all games, a pool for thinking.
//
//   auto server = Server::open({.port = 8080}, *store);
//   (*server)->run();
//
// Thread safety: stop() from any thread; the rest from one.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "robot/table/table_feed.h"
#include "service/server/options.h"
#include "service/store/store.h"

namespace rowbot::server {

class Server {
 public:
  /// Takes the port; visitors wait until run(). The store must outlive the server, and so must the
  /// robot's table if there is one.
  [[nodiscard]] static Result<std::unique_ptr<Server>> open(const Options& options,
                                                            store::Store& store,
                                                            table::TableFeed* robot = nullptr);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  Server(Server&&) = delete;
  Server& operator=(Server&&) = delete;
  ~Server();

  [[nodiscard]] std::uint16_t port() const;
  /// Blocks until stop(), or a signal if the options say so.
  void run();
  /// Takes no new visitors, finishes the answers under way, then lets run() return.
  void stop();

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace rowbot::server
