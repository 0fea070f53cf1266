// One connection from a visitor: HTTP requests one after the other, perhaps a WebSocket in the end.
// Thread safety: the loop's thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
// Asio 1.74 forgets <utility>, which its coroutines need.
#include <utility>

#include "boost/asio/awaitable.hpp"
#include "boost/asio/io_context.hpp"
#include "boost/asio/ip/tcp.hpp"
#include "server/api.h"
#include "server/client_book.h"
#include "server/hall.h"
#include "server/metrics.h"
#include "server/options.h"
#include "server/table_desk.h"

namespace rowbot::server {

/// A connection as the house sees it.
class Guest {
 public:
  Guest() = default;
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;
  Guest(Guest&&) = delete;
  Guest& operator=(Guest&&) = delete;
  virtual ~Guest() = default;

  /// Leave when the answer under way is sent.
  virtual void please_leave() = 0;
};

/// What all connections share.
struct House {
  explicit House(Options the_options)
      : options(std::move(the_options)), clients(options.remote, options.local) {}

  Options options;
  Metrics metrics;
  ClientBook clients;
  std::set<Guest*> guests;
  bool closing = false;
  std::unique_ptr<boost::asio::io_context> io = std::make_unique<boost::asio::io_context>(1);
  std::unique_ptr<Hall> hall;
  std::unique_ptr<TableDesk> desk;
  std::unique_ptr<Api> api;
};

/// Serves until the visitor leaves, is too slow, or the house closes.
[[nodiscard]] boost::asio::awaitable<void> serve_connection(House& house,
                                                            boost::asio::ip::tcp::socket socket);

}  // namespace rowbot::server
