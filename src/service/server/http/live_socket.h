// A WebSocket that tells a visitor the latest news. The newest message waits until it can be sent:
// a slow reader skips, nothing ever piles up. A visitor who does not answer a ping is cut.
//
// Callbacks in place of coroutines: there may be ten thousand of these, and two frames for each
// would take more memory than all the rest. Thread safety: the loop's thread only.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "boost/beast/core/tcp_stream.hpp"
#include "boost/beast/websocket/stream.hpp"
#include "service/server/api_error.h"
#include "service/server/http/rate_limiter.h"
#include "service/server/http/request_reader.h"
#include "service/server/server_context.h"

namespace rowbot::server {

class LiveSocket final : public Connection, public std::enable_shared_from_this<LiveSocket> {
 public:
  explicit LiveSocket(ServerContext& context) : context_(context) {}
  LiveSocket(const LiveSocket&) = delete;
  LiveSocket& operator=(const LiveSocket&) = delete;
  LiveSocket(LiveSocket&&) = delete;
  LiveSocket& operator=(LiveSocket&&) = delete;
  ~LiveSocket() override;

  /// Both subscribe to news until the socket ends, or say why there is nothing to subscribe to.
  [[nodiscard]] std::optional<ApiError> watch_game(const std::string& token);
  [[nodiscard]] std::optional<ApiError> watch_table(const std::string& token);

  /// Takes the upgrade and tells news until the visitor leaves or the server closes; keeps itself
  /// alive meanwhile. Requires one of the above.
  void start(boost::beast::tcp_stream stream, HttpRequest request,
             std::optional<ConnectionPlace> place);

  void close_when_idle() override;

 private:
  using CloseCode = boost::beast::websocket::close_code;

  void tell(std::string message);
  /// Ends the connection with this code when what is being sent has been sent.
  void close(CloseCode code);
  /// Pings, pongs and closing need a reader. What visitors send is not looked at, but answered.
  void read();
  void answer();
  void write();

  ServerContext& context_;
  // Without compression, which would take 300 kB for each.
  std::optional<boost::beast::websocket::stream<boost::beast::tcp_stream, false>> socket_;
  std::optional<ConnectionPlace> place_;
  std::string game_token_;  // empty: the table's
  std::optional<std::uint64_t> subscription_;
  std::string message_;  // empty: nothing new
  std::string sending_;
  std::array<char, 64> ignored_{};
  std::optional<CloseCode> close_code_;
  std::chrono::steady_clock::time_point last_alive_;
  bool accepted_ = false;
  bool writing_ = false;  // or closing
};

}  // namespace rowbot::server
