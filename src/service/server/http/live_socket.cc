#include "service/server/http/live_socket.h"

#include <utility>

#include "boost/asio/buffer.hpp"
#include "boost/beast/core/error.hpp"
#include "boost/beast/websocket.hpp"
#include "service/server/http/responses.h"
#include "service/server/table/table_service.h"

namespace rowbot::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;

constexpr std::size_t kLongestMessage = 1'024;  // from visitors

/// Gives the memory back, unlike clear().
void release(std::string& text) { std::string().swap(text); }

}  // namespace

LiveSocket::~LiveSocket() {
  context_.connections.erase(this);
  if (unsubscribe_) unsubscribe_();
}

std::optional<ApiError> LiveSocket::watch_game(const std::string& token) {
  const auto number = context_.games->watch(
      token,
      [weak = weak_from_this()](const GameView& view) {
        if (const auto self = weak.lock()) self->tell(live_json(view));
      },
      // What the visitor was told last may be wrong now. The page connects again and is told anew.
      [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->close(websocket::close_code::try_again_later);
      });
  if (!number) return number.error();
  unsubscribe_ = [&context = context_, token, number = *number] {
    if (context.games) context.games->unwatch(token, number);
  };
  return {};
}

std::optional<ApiError> LiveSocket::watch_table(const std::string& token) {
  const auto number = context_.table->watch(token, [weak = weak_from_this()](std::string message) {
    if (const auto self = weak.lock()) self->tell(std::move(message));
  });
  if (!number) return number.error();
  unsubscribe_ = [&context = context_, number = *number] {
    if (context.table) context.table->unwatch(number);
  };
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
                             if (!error) self->read();
                           });
}

void LiveSocket::write() {
  if (!accepted_ || writing_) return;
  if (close_code_) {
    writing_ = true;
    socket_->async_close(*close_code_, [self = shared_from_this()](beast::error_code) {});
    return;
  }
  if (message_.empty()) return;
  writing_ = true;
  sending_ = std::exchange(message_, {});
  socket_->async_write(asio::buffer(sending_),
                       [self = shared_from_this()](beast::error_code error, std::size_t) {
                         if (error) return;  // the reader notices too, and the socket ends
                         self->writing_ = false;
                         release(self->sending_);
                         self->write();
                       });
}

}  // namespace rowbot::server
