#include "robot/drivers/rosbridge/text_socket.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <utility>

#include "base/text.h"

namespace rowbot::drivers {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kLongestText = 1U << 20U;
constexpr std::size_t kFullestInbox = 20000;  // texts; a driver empties it a hundred times a second

}  // namespace

Result<SocketAddress> parse_ws_url(std::string_view url) {
  constexpr std::string_view kScheme = "ws://";
  if (!url.starts_with(kScheme)) {
    return Error{
        fmt::format("{} is no WebSocket address; it looks like ws://host:9090", in_quotes(url))};
  }
  SocketAddress address;
  std::string_view rest = url.substr(kScheme.size());
  if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
    address.target = rest.substr(slash);
    rest = rest.substr(0, slash);
  }
  if (const auto colon = rest.rfind(':'); colon != std::string_view::npos) {
    const auto port = parse_integer(rest.substr(colon + 1));
    if (!port || *port < 1 || *port > 65535) {
      return Error{fmt::format("{} has no port from 1 to 65535 behind the colon", in_quotes(url))};
    }
    address.port = std::to_string(*port);
    rest = rest.substr(0, colon);
  }
  if (rest.empty()) return Error{fmt::format("{} names no host", in_quotes(url))};
  for (const char c : rest) {
    if (c <= ' ' || c > '~' || c == '@' || c == '?') {
      return Error{fmt::format("{} names no host", in_quotes(url))};
    }
  }
  for (const char c : address.target) {
    // It becomes part of the handshake's first line.
    if (c <= ' ' || c > '~') {
      return Error{fmt::format("{} has a space or a sign behind the host that no address has",
                               in_quotes(url))};
    }
  }
  address.host = rest;
  return address;
}

/// Lives as long as a handler may still come; the handlers run on its one thread.
struct TextSocket::Impl : std::enable_shared_from_this<TextSocket::Impl> {
  asio::io_context loop{1};
  websocket::stream<beast::tcp_stream> stream{loop};
  beast::flat_buffer incoming;
  std::deque<std::pair<std::string, bool>> outgoing;  // text, raw; touched by the loop's thread
  std::thread thread;

  mutable std::mutex mutex;  // guards what follows
  std::vector<std::string> inbox;
  bool open = false;
  std::string closed_words = "never opened";
  std::uint64_t sent = 0;
  std::uint64_t arrived = 0;

  void begin() {
    stream.text(true);
    stream.read_message_max(kLongestText);
    stream.set_option(websocket::stream_base::timeout{.handshake_timeout = std::chrono::seconds(5),
                                                      .idle_timeout = std::chrono::seconds(10),
                                                      .keep_alive_pings = true});
    beast::get_lowest_layer(stream).expires_never();
    error_code ignored;
    beast::get_lowest_layer(stream).socket().set_option(tcp::no_delay(true), ignored);
    {
      const std::scoped_lock lock(mutex);
      open = true;
      closed_words.clear();
    }
    loop.restart();
    read_next();
    thread = std::thread([self = shared_from_this()] { self->loop.run(); });
  }

  void end(const std::string& why) {
    const std::scoped_lock lock(mutex);
    if (!open) return;
    open = false;
    closed_words = why;
    error_code ignored;
    beast::get_lowest_layer(stream).socket().close(ignored);
  }

  void read_next() {
    stream.async_read(incoming, [self = shared_from_this()](const error_code& failed, std::size_t) {
      if (failed) return self->end(words_of(failed));
      {
        const std::scoped_lock lock(self->mutex);
        self->inbox.push_back(beast::buffers_to_string(self->incoming.data()));
        ++self->arrived;
        if (self->inbox.size() > kFullestInbox) self->inbox.erase(self->inbox.begin());
      }
      self->incoming.clear();
      self->read_next();
    });
  }

  void write_next() {
    const auto done = [self = shared_from_this()](const error_code& failed, std::size_t) {
      if (failed) return self->end(words_of(failed));
      self->outgoing.pop_front();
      if (!self->outgoing.empty()) self->write_next();
    };
    const auto& [bytes, raw] = outgoing.front();
    if (raw) {
      asio::async_write(beast::get_lowest_layer(stream), asio::buffer(bytes), done);
    } else {
      stream.async_write(asio::buffer(bytes), done);
    }
  }

  void queue(std::string bytes, bool raw) {
    {
      const std::scoped_lock lock(mutex);
      if (!open) return;
      if (!raw) ++sent;
    }
    asio::post(loop, [self = shared_from_this(), bytes = std::move(bytes), raw]() mutable {
      self->outgoing.emplace_back(std::move(bytes), raw);
      if (self->outgoing.size() == 1) self->write_next();
    });
  }

  static std::string words_of(const error_code& failed) {
    if (failed == websocket::error::closed) return "the other end closed the connection";
    if (failed == asio::error::eof || failed == asio::error::connection_reset) {
      return "the connection broke off";
    }
    if (failed == beast::error::timeout) return "the other end has gone silent";
    return fmt::format("the connection failed: {}", failed.message());
  }
};

TextSocket::TextSocket(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

TextSocket::~TextSocket() {
  close();
  impl_->loop.stop();
  if (impl_->thread.joinable()) impl_->thread.join();
  // Handlers that were still waiting hold on to the socket; let them go.
  impl_->loop.restart();
  impl_->loop.poll();
}

void TextSocket::close() {
  asio::post(impl_->loop, [impl = impl_] { impl->end("closed from here"); });
}

Result<std::unique_ptr<TextSocket>> TextSocket::connect(const SocketAddress& address,
                                                        std::chrono::milliseconds patience) {
  auto impl = std::make_shared<Impl>();
  tcp::resolver resolver(impl->loop);
  error_code outcome = asio::error::timed_out;
  resolver.async_resolve(
      address.host, address.port,
      [&](const error_code& failed, const tcp::resolver::results_type& found) {
        if ((outcome = failed)) return;
        outcome = asio::error::timed_out;
        beast::get_lowest_layer(impl->stream)
            .async_connect(found, [&](const error_code& refused, const tcp::endpoint&) {
              if ((outcome = refused)) return;
              outcome = asio::error::timed_out;
              impl->stream.async_handshake(address.host + ":" + address.port, address.target,
                                           [&](const error_code& rude) { outcome = rude; });
            });
      });
  impl->loop.run_for(patience);
  if (outcome) {
    // Nothing may be left that refers to this function's variables.
    resolver.cancel();
    beast::get_lowest_layer(impl->stream).close();
    impl->loop.restart();
    impl->loop.run_for(std::chrono::seconds(1));
    return Error{fmt::format("no rosbridge at ws://{}:{}{}: {}; is rosbridge_server running there?",
                             address.host, address.port, address.target, outcome.message())};
  }
  impl->begin();
  return std::make_unique<TextSocket>(std::move(impl));
}

void TextSocket::send(std::string text) { impl_->queue(std::move(text), false); }
void TextSocket::send_raw(std::string bytes) { impl_->queue(std::move(bytes), true); }

std::vector<std::string> TextSocket::receive() {
  const std::scoped_lock lock(impl_->mutex);
  return std::exchange(impl_->inbox, {});
}

bool TextSocket::is_open() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->open;
}

std::string TextSocket::why_closed() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->closed_words;
}

std::uint64_t TextSocket::sent() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->sent;
}

std::uint64_t TextSocket::arrived() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->arrived;
}

struct TextListener::Impl {
  asio::io_context loop{1};
  tcp::acceptor acceptor{loop};
  Take take;
  std::jthread thread;

  void accept_next() {
    auto socket = std::make_shared<TextSocket::Impl>();
    auto& plain = beast::get_lowest_layer(socket->stream).socket();
    acceptor.async_accept(plain, [this, socket](const error_code& failed) {
      if (failed) return;
      // The handshake is short, and this is the listener's own thread.
      error_code rude;
      socket->stream.accept(rude);
      if (!rude) {
        socket->begin();
        take(std::make_unique<TextSocket>(socket));
      }
      accept_next();
    });
  }
};

TextListener::TextListener(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

TextListener::~TextListener() { impl_->loop.stop(); }

Result<std::unique_ptr<TextListener>> TextListener::create(std::uint16_t port, Take take) {
  auto impl = std::make_unique<Impl>();
  impl->take = std::move(take);
  const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
  error_code failed;
  impl->acceptor.open(here.protocol(), failed);
  if (!failed) impl->acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) impl->acceptor.bind(here, failed);
  if (!failed) impl->acceptor.listen(asio::socket_base::max_listen_connections, failed);
  if (failed) return Error{fmt::format("cannot listen on port {}: {}", port, failed.message())};
  impl->accept_next();
  impl->thread = std::jthread([loop = &impl->loop] { loop->run(); });
  return std::unique_ptr<TextListener>(new TextListener(std::move(impl)));
}

std::uint16_t TextListener::port() const { return impl_->acceptor.local_endpoint().port(); }

}  // namespace rowbot::drivers
