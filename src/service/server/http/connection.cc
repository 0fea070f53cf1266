#include "service/server/http/connection.h"

#include <array>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "boost/beast/core.hpp"
#include "boost/beast/http.hpp"
#include "boost/beast/websocket.hpp"
#include "fmt/core.h"
#include "service/server/http/api_request.h"
#include "service/server/http/client_address.h"
#include "service/server/http/http_response.h"
#include "service/server/http/live_socket.h"
#include "service/server/http/request_checks.h"
#include "service/server/http/request_reader.h"

namespace rowbot::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kReadAtOnce = 4'096;
constexpr std::size_t kMostDrained = 65'536;
constexpr std::chrono::seconds kDrainTime{1};
/// A client beyond its budget waits so long for every refusal: asking faster gains nothing, and
/// refusing it costs nobody else time.
constexpr std::chrono::milliseconds kRefusalPause{200};
/// So many may be told at once that there is no connection for them; others are just closed.
constexpr std::size_t kMostTurnedAway = 256;

ApiError too_many_requests() {
  return {.status = 429,
          .code = "too_many",
          .message = "Too many requests. Please wait a moment.",
          .retry_after = 1};
}

ApiError too_many_connections() {
  return {.status = 429,
          .code = "too_many",
          .message = "Too many connections. Please close one and try again.",
          .retry_after = 5};
}

ApiError server_full() {
  return {.status = 503,
          .code = "busy",
          .message = "Too many visitors at the moment. Please try again in a while.",
          .retry_after = 10};
}

ApiError out_of_memory() {
  return {.status = 503,
          .code = "busy",
          .message = "The server is short of memory. Please try again in a moment.",
          .retry_after = 2};
}

/// What a read or write gave.
struct Transfer {
  beast::error_code error;
  std::size_t bytes = 0;
};

class HttpConnection final : public Connection {
 public:
  /// `place` is nothing behind a proxy, whose connections are not one client's.
  HttpConnection(ServerContext& context, asio::ip::tcp::socket socket, std::string client,
                 std::optional<ConnectionPlace> place)
      : context_(context),
        stream_(std::move(socket)),
        client_(std::move(client)),
        place_(std::move(place)) {
    context_.connections.insert(this);
  }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;
  HttpConnection(HttpConnection&&) = delete;
  HttpConnection& operator=(HttpConnection&&) = delete;
  ~HttpConnection() override { context_.connections.erase(this); }

  void close_when_idle() override {
    if (!busy_) stream_.cancel();
  }

  Task<void> run() {
    bool more = true;
    while (more && !context_.closing) {
      auto request = co_await next_request();
      if (!request) break;
      busy_ = true;
      more = co_await handle_or_apologise(*request);
      if (taken_over_) co_return;
      busy_ = false;
    }
    beast::error_code ignored;
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    if (refused_) co_await drain();
  }

  /// Says why there is no connection for this visitor, and ends.
  Task<void> turn_away(const ApiError& error) {
    busy_ = true;
    const HttpRequest unknown;
    ++context_.turned_away;
    const Finally ended([this] { --context_.turned_away; });
    static_cast<void>(co_await refuse(error, unknown, false));
    beast::error_code ignored;
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    co_await drain();
  }

 private:
  /// True when another request may follow. A request that lacks memory is told so, if there is
  /// enough for that; if not, the connection ends.
  Task<bool> handle_or_apologise(const HttpRequest& request) {
    answered_ = false;
    try {
      co_return co_await handle(request);
    } catch (const std::exception&) {
      ++context_.metrics.failed_handlers;
    }
    if (answered_ || taken_over_) co_return false;
    const ApiError error = out_of_memory();
    co_return co_await refuse(error, request, false);
  }

  Task<bool> handle(const HttpRequest& request) {
    started_ = Clock::now();
    const bool more = request.keep_alive() && !context_.closing;
    const std::string client = client_of(request);
    std::optional<ConnectionPlace> forwarded;
    if (context_.options.trust_forwarded && client != client_ && client != kUnknownClient) {
      forwarded = context_.clients.open(client);
      if (!forwarded) {
        const ApiError error = too_many_connections();
        co_return co_await refuse(error, request, more);
      }
    }
    const auto route = route_of(view_of(request.method_string()), view_of(request.target()));
    const bool is_api = route && route->row != nullptr;
    const bool upgrades = is_api && route->websocket() && websocket::is_upgrade(request);
    // The API counts its requests itself, since some cost more than others.
    if ((!is_api || upgrades) && !context_.clients.may_request(client, Bucket::Clock::now())) {
      const ApiError error = too_many_requests();
      co_return co_await refuse(error, request, more);
    }
    if (!route) co_return co_await refuse(route.error(), request, more);
    if (upgrades) {
      co_return co_await upgrade(request, *route, forwarded ? forwarded : place_);
    }
    if (const auto error = check_change(request)) {
      co_return co_await refuse(*error, request, more);
    }
    if (!is_api) {
      PageResponse response = page_response(request, route->path);
      co_return co_await send(response, request, more);
    }
    const ApiRequest question{
        .route = *route,
        .body = request.body(),
        .client = client,
        .authorization = std::string(view_of(request[http::field::authorization]))};
    ApiAnswer answer = co_await answer_request(context_, question);
    co_return co_await answer_with(answer, request, more);
  }

  /// Nothing when the visitor has left, was too slow or sent nonsense, which is answered here.
  Task<std::optional<HttpRequest>> next_request() {
    if (unread_.empty()) {
      stream_.expires_after(first_ ? context_.options.request_within : context_.options.idle);
      if (!co_await receive()) co_return std::nullopt;
    }
    first_ = false;
    // One deadline for header and body, however slowly the bytes drip.
    stream_.expires_after(context_.options.request_within);
    RequestReader reader(
        {.header_bytes = context_.options.header_bytes, .body_bytes = context_.options.body_bytes});
    for (;;) {
      unread_.remove_prefix(reader.put(unread_));
      if (reader.done()) co_return reader.release();
      if (reader.error()) break;
      if (!co_await receive()) co_return std::nullopt;
    }
    busy_ = true;
    refused_ = true;
    started_ = Clock::now();
    const HttpRequest unknown;
    // What is no request has no forwarded client either.
    const bool within = context_.clients.may_request(client_, Bucket::Clock::now());
    const ApiError error = within ? *reader.error() : too_many_requests();
    static_cast<void>(co_await refuse(error, unknown, false));
    co_return std::nullopt;
  }

  /// False when nothing comes any more. Requires that all that came before was read.
  Task<bool> receive() {
    auto reading = operation<Transfer>(
        [this](auto done) { stream_.async_read_some(asio::buffer(received_), std::move(done)); });
    const Transfer read = co_await reading;
    unread_ = std::string_view(received_.data(), read.bytes);
    co_return !read.error;
  }

  /// Closing with unread bytes would reset the connection, and the error might never arrive.
  Task<void> drain() {
    stream_.expires_after(kDrainTime);
    for (std::size_t drained = 0; drained < kMostDrained; drained += unread_.size()) {
      if (!co_await receive()) break;
    }
  }

  [[nodiscard]] std::string client_of(const HttpRequest& request) const {
    if (!context_.options.trust_forwarded) return client_;
    return forwarded_client(request).value_or(client_);
  }

  Task<bool> refuse(const ApiError& error, const HttpRequest& request, bool more) {
    ApiAnswer answer = to_response(error);
    co_return co_await answer_with(answer, request, more);
  }

  Task<bool> answer_with(ApiAnswer& answer, const HttpRequest& request, bool more) {
    if (answer.status == 429) {
      co_await sleep_until(*context_.io, Clock::now() + kRefusalPause);
    }
    ApiResponse response = api_response(std::move(answer), request.version());
    co_return co_await send(response, request, more);
  }

  /// True when it was sent and another request may follow.
  template <class Response>
  Task<bool> send(Response& response, const HttpRequest& request, bool more) {
    response.keep_alive(more);
    if (response.result() != http::status::not_modified) {
      response.content_length(response.body().size());
    }
    if (request.method() == http::verb::head) response.body() = {};
    stream_.expires_after(context_.options.write_within);
    answered_ = true;
    auto writing = operation<Transfer>(
        [&](auto done) { http::async_write(stream_, response, std::move(done)); });
    const Transfer written = co_await writing;
    const auto took = Clock::now() - started_;
    ++context_.metrics.requests[static_cast<int>(response.result_int())];
    context_.metrics.request_seconds.add(took);
    if (context_.options.access_log) {
      context_.options.access_log(
          fmt::format("{} {} {} {} B {:.1f} ms", view_of(request.method_string()),
                      without_secrets(view_of(request.target())), response.result_int(),
                      written.bytes, std::chrono::duration<double, std::milli>(took).count()));
    }
    co_return more && !written.error;
  }

  /// Hands the connection over to a WebSocket, or says why not.
  Task<bool> upgrade(const HttpRequest& request, const Route& route,
                     std::optional<ConnectionPlace>& place) {
    // A page of another site must not listen in, even if it learnt a token.
    std::optional<ApiError> error = check_origin(request);
    if (!error)
      error = charge(context_.costs, context_.metrics, client_of(request), *route.row->cost);
    const bool game = route.row->caller == Caller::kTokenHolder;
    if (!error && game) {
      const auto found = co_await context_.games.find(route.token);
      if (!found) error = found.error();
    }
    const auto socket = std::make_shared<LiveSocket>(context_);
    if (!error) {
      error = game ? socket->watch_game(route.token)
                   : socket->watch_table(std::string(route.parameter("token")));
    }
    if (error) co_return co_await refuse(*error, request, false);
    // One connection counts once.
    taken_over_ = true;
    context_.connections.erase(this);
    socket->start(std::move(stream_), request, std::move(place));
    co_return false;
  }

  ServerContext& context_;
  beast::tcp_stream stream_;
  std::string client_;  // the other end of the wire: perhaps a proxy
  std::optional<ConnectionPlace> place_;
  std::array<char, kReadAtOnce> received_{};
  std::string_view unread_;  // of what was received: it belongs to the next request
  Clock::time_point started_ = Clock::now();
  bool first_ = true;
  bool busy_ = false;
  bool answered_ = false;    // at least the beginning of the answer was sent
  bool refused_ = false;     // it sent something that is no request
  bool taken_over_ = false;  // a WebSocket has the stream now
};

}  // namespace

Task<void> serve_connection(ServerContext& context, asio::ip::tcp::socket socket) {
  beast::error_code error;
  const auto remote = socket.remote_endpoint(error);
  if (error) co_return;
  const std::string client = client_key(remote.address().to_string());
  std::optional<ConnectionPlace> place;
  std::optional<ApiError> refusal;
  if (context.connections.size() - context.turned_away >= context.options.connections) {
    refusal = server_full();
  } else if (!context.options.trust_forwarded) {
    place = context.clients.open(client);
    if (!place) refusal = too_many_connections();
  }
  if (refusal) {
    ++context.metrics.refused_connections;
    if (context.turned_away >= kMostTurnedAway) co_return;
  }
  socket.set_option(asio::ip::tcp::no_delay(true), error);
  // Not in the coroutine's frame: its buffer is large, and frames are kept for the next one.
  const auto connection =
      std::make_unique<HttpConnection>(context, std::move(socket), client, std::move(place));
  try {
    if (refusal) {
      co_await connection->turn_away(*refusal);
    } else {
      co_await connection->run();
    }
  } catch (const std::exception&) {
    ++context.metrics.failed_handlers;
  }
}

}  // namespace rowbot::server
