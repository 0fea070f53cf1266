// A WebSocket that tells a visitor the latest news. The newest message waits until it can be sent:
// a slow reader skips, nothing ever piles up.
// Thread safety: the loop's thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
// Asio 1.74 forgets <utility>, which its coroutines need.
#include <utility>

#include "boost/asio/awaitable.hpp"
#include "boost/asio/steady_timer.hpp"
#include "boost/beast/core.hpp"
#include "boost/beast/http.hpp"
#include "boost/beast/websocket.hpp"
#include "service/server/http/connection.h"
#include "service/server/http/request_reader.h"

namespace rowbot::server {

class LiveSocket final : public Connection, public std::enable_shared_from_this<LiveSocket> {
 public:
  LiveSocket(ServerContext& context, boost::beast::tcp_stream stream);
  LiveSocket(const LiveSocket&) = delete;
  LiveSocket& operator=(const LiveSocket&) = delete;
  LiveSocket(LiveSocket&&) = delete;
  LiveSocket& operator=(LiveSocket&&) = delete;
  ~LiveSocket() override;

  void close_when_idle() override;
  void tell(std::string message);

  /// Both subscribe to news until the socket ends. False when there is nothing to subscribe to.
  [[nodiscard]] bool watch_game(const std::string& token);
  [[nodiscard]] bool watch_table(const std::string& token);

  /// Takes the upgrade and tells news until the visitor leaves or the server closes.
  [[nodiscard]] static boost::asio::awaitable<void> run(std::shared_ptr<LiveSocket> self,
                                                        HttpRequest request);

 private:
  /// Pings, pongs and closing need a reader; what visitors send is not looked at.
  [[nodiscard]] static boost::asio::awaitable<void> listen(std::shared_ptr<LiveSocket> self);

  ServerContext& context_;
  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  boost::asio::steady_timer news_;
  std::string message_;  // empty: nothing new
  bool closed_ = false;
  std::function<void()> unsubscribe_;
};

}  // namespace rowbot::server
