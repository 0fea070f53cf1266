#include "service/server/http/live_socket.h"

#include <chrono>
#include <utility>

#include "boost/asio/co_spawn.hpp"
#include "boost/asio/detached.hpp"
#include "boost/asio/redirect_error.hpp"
#include "boost/asio/use_awaitable.hpp"
#include "service/server/http/responses.h"
#include "service/server/table/table_service.h"

namespace rowbot::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;

constexpr std::size_t kLongestMessage = 1'024;  // from visitors

}  // namespace

LiveSocket::LiveSocket(ServerContext& context, beast::tcp_stream stream)
    : context_(context), socket_(std::move(stream)), news_(*context.io) {
  context_.connections.insert(this);
}

LiveSocket::~LiveSocket() {
  context_.connections.erase(this);
  if (unsubscribe_) unsubscribe_();
}

void LiveSocket::close_when_idle() {
  closed_ = true;
  news_.cancel();
}

void LiveSocket::tell(std::string message) {
  message_ = std::move(message);
  news_.cancel();
}

bool LiveSocket::watch_game(const std::string& token) {
  const auto number = context_.games->watch(token, [weak = weak_from_this()](const GameView& view) {
    if (const auto self = weak.lock()) self->tell(live_json(view));
  });
  if (!number) return false;
  unsubscribe_ = [&context = context_, token, number = *number] {
    if (context.games) context.games->unwatch(token, number);
  };
  return true;
}

bool LiveSocket::watch_table(const std::string& token) {
  const auto number = context_.table->watch(token, [weak = weak_from_this()](std::string message) {
    if (const auto self = weak.lock()) self->tell(std::move(message));
  });
  if (!number) return false;
  unsubscribe_ = [&context = context_, number = *number] {
    if (context.table) context.table->unwatch(number);
  };
  return true;
}

asio::awaitable<void> LiveSocket::run(std::shared_ptr<LiveSocket> self, HttpRequest request) {
  beast::error_code error;
  auto& socket = self->socket_;
  beast::get_lowest_layer(socket).expires_never();
  websocket::stream_base::timeout timeout =
      websocket::stream_base::timeout::suggested(beast::role_type::server);
  timeout.idle_timeout = std::chrono::seconds(60);
  timeout.keep_alive_pings = true;
  socket.set_option(timeout);
  socket.read_message_max(kLongestMessage);
  co_await socket.async_accept(request, asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return;
  asio::co_spawn(*self->context_.io, listen(self), asio::detached);
  while (!self->closed_) {
    if (self->message_.empty()) {
      self->news_.expires_at(asio::steady_timer::time_point::max());
      co_await self->news_.async_wait(asio::redirect_error(asio::use_awaitable, error));
      continue;
    }
    const std::string message = std::exchange(self->message_, {});
    co_await socket.async_write(asio::buffer(message),
                                asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return;
  }
  if (socket.is_open()) {
    co_await socket.async_close(websocket::close_code::going_away,
                                asio::redirect_error(asio::use_awaitable, error));
  }
}

asio::awaitable<void> LiveSocket::listen(std::shared_ptr<LiveSocket> self) {
  beast::flat_buffer buffer;
  beast::error_code error;
  while (!error) {
    co_await self->socket_.async_read(buffer, asio::redirect_error(asio::use_awaitable, error));
    buffer.clear();
  }
  self->close_when_idle();
}

}  // namespace rowbot::server
