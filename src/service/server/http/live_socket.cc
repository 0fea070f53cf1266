#include "service/server/http/live_socket.h"

#include <exception>
#include <string_view>
#include <utility>

#include "boost/asio/buffer.hpp"
#include "boost/beast/core/error.hpp"
#include "boost/beast/websocket.hpp"
#include "service/server/http/responses.h"

namespace rowbot::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;

constexpr std::size_t kLongestMessage = 1'024;  // from visitors
/// Whoever sends anything is told that we are here: a page cannot see pings, and a connection that
/// a proxy has forgotten looks like a quiet one. No more often than this.
constexpr std::string_view kAlive = R"({"type":"alive"})";
constexpr std::chrono::seconds kAliveEvery{1};

/// Gives the memory back, unlike clear().
void release(std::string& text) { std::string().swap(text); }

}  // namespace

LiveSocket::~LiveSocket() {
  context_.connections.erase(this);
  if (!subscription_) return;
  if (game_token_.empty()) {
    context_.table.unwatch(*subscription_);
  } else {
    context_.games.unwatch(game_token_, *subscription_);
  }
}

std::optional<ApiError> LiveSocket::watch_game(const std::string& token) {
  LiveGame::Watcher watcher{
      .token = token,
      .tell =
          [weak = weak_from_this()](const GameView& view) {
            if (const auto self = weak.lock()) self->tell(live_json(view));
          },
      // What the visitor was told last may be wrong now. The page connects again and is told anew.
      .closed =
          [weak = weak_from_this()] {
            if (const auto self = weak.lock()) self->close(websocket::close_code::try_again_later);
          }};
  const auto number = context_.games.watch(token, std::move(watcher));
  if (!number) return number.error();
  game_token_ = token;
  subscription_ = *number;
  return {};
}

std::optional<ApiError> LiveSocket::watch_table(const std::string& token) {
  const auto number = context_.table.watch(token, [weak = weak_from_this()](std::string message) {
    if (const auto self = weak.lock()) self->tell(std::move(message));
  });
  if (!number) return number.error();
  subscription_ = *number;
  return {};
}

void LiveSocket::start(beast::tcp_stream stream, HttpRequest request,
                       std::optional<ConnectionPlace> place) {
  context_.connections.insert(this);
  place_ = std::move(place);
  stream.expires_never();
  auto& socket = socket_.emplace(std::move(stream));
  websocket::stream_base::timeout timeout =
      websocket::stream_base::timeout::suggested(beast::role_type::server);
  timeout.idle_timeout = context_.options.live_silence;  // a ping after half of it
  timeout.keep_alive_pings = true;
  socket.set_option(timeout);
  socket.read_message_max(kLongestMessage);
  socket.auto_fragment(false);  // or every socket keeps a buffer for fragments
  auto kept = std::make_shared<HttpRequest>(std::move(request));
  socket.async_accept(*kept, [self = shared_from_this(), kept](beast::error_code error) {
    if (error) return;
    self->accepted_ = true;
    self->read();
    self->write();
  });
}

void LiveSocket::tell(std::string message) {
  message_ = std::move(message);
  write();
}

void LiveSocket::close_when_idle() { close(websocket::close_code::going_away); }

void LiveSocket::close(CloseCode code) {
  if (!close_code_) close_code_ = code;
  write();
}

void LiveSocket::read() {
  socket_->async_read_some(asio::buffer(ignored_),
                           [self = shared_from_this()](beast::error_code error, std::size_t) {
                             if (error) return;
                             self->answer();
                             self->read();
                           });
}

void LiveSocket::answer() {
  const auto now = std::chrono::steady_clock::now();
  if (writing_ || !message_.empty() || now - last_alive_ < kAliveEvery) return;
  last_alive_ = now;
  tell(std::string(kAlive));
}

void LiveSocket::write() {
  if (!accepted_ || writing_) return;
  try {
    if (close_code_) {
      socket_->async_close(*close_code_, [self = shared_from_this()](beast::error_code) {});
      writing_ = true;
    } else if (!message_.empty()) {
      sending_ = std::exchange(message_, {});
      socket_->async_write(asio::buffer(sending_),
                           [self = shared_from_this()](beast::error_code error, std::size_t) {
                             if (error) return;  // the reader notices too, and the socket ends
                             self->writing_ = false;
                             release(self->sending_);
                             self->write();
                           });
      writing_ = true;
    }
  } catch (const std::exception&) {
    // Without memory for what must be told the connection ends, which the reader notices.
    ++context_.metrics.failed_handlers;
    beast::get_lowest_layer(*socket_).close();
  }
}

}  // namespace rowbot::server
