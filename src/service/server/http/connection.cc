#include "service/server/http/connection.h"

#include <array>
#include <chrono>
#include <optional>

#include "boost/asio/post.hpp"
#include "boost/asio/redirect_error.hpp"
#include "boost/asio/steady_timer.hpp"
#include "boost/asio/use_awaitable.hpp"
#include "boost/asio/write.hpp"
#include "boost/beast/core.hpp"
#include "boost/beast/http.hpp"
#include "boost/beast/websocket.hpp"
#include "fmt/core.h"
#include "service/server/http/client_address.h"
#include "service/server/http/http_response.h"
#include "service/server/http/live_socket.h"
#include "service/server/http/request_checks.h"
#include "service/server/http/request_reader.h"
#include "service/server/table/table_service.h"

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

bool is_live(Endpoint endpoint) {
  return endpoint == Endpoint::kLive || endpoint == Endpoint::kTableLive;
}

/// Waits for the API's answer without a thread.
asio::awaitable<ApiAnswer> ask(ServerContext& context, ApiRequest request) {
  const auto start = [&context, &request](auto handler) {
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    // Posted even when the answer is there at once: a coroutine must be asleep to be woken.
    context.api->handle(request, [&context, shared](ApiAnswer answer) {
      asio::post(*context.io,
                 [shared, answer = std::move(answer)]() mutable { (*shared)(std::move(answer)); });
    });
  };
  co_return co_await asio::async_initiate<const asio::use_awaitable_t<>, void(ApiAnswer)>(
      start, asio::use_awaitable);
}

/// Why the game cannot be watched; nothing when it is in memory now.
asio::awaitable<std::optional<ApiError>> find_game(ServerContext& context,
                                                   const std::string& token) {
  using Problem = std::optional<ApiError>;
  const auto start = [&context, &token](auto handler) {
    auto shared = std::make_shared<decltype(handler)>(std::move(handler));
    context.games->find(token, [&context, shared](const HttpResult<GameService::Game>& game) {
      Problem problem;
      if (!game) problem = game.error();
      asio::post(*context.io, [shared, problem = std::move(problem)]() mutable {
        (*shared)(std::move(problem));
      });
    });
  };
  co_return co_await asio::async_initiate<const asio::use_awaitable_t<>, void(Problem)>(
      start, asio::use_awaitable);
}

// --------------------------------------------------------------------------------------- HTTP

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

  asio::awaitable<void> run() {
    bool more = true;
    while (more && !context_.closing) {
      auto request = co_await next_request();
      if (!request) break;
      busy_ = true;
      more = co_await handle(*request);
      if (taken_over_) co_return;
      busy_ = false;
    }
    beast::error_code ignored;
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    if (refused_) co_await drain();
  }

  /// Says why there is no connection for this visitor, and ends.
  asio::awaitable<void> turn_away(const ApiError& error) {
    busy_ = true;
    const HttpRequest unknown;
    ++context_.turned_away;
    static_cast<void>(co_await refuse(error, unknown, false));
    beast::error_code ignored;
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    co_await drain();
    --context_.turned_away;
  }

 private:
  /// True when another request may follow.
  asio::awaitable<bool> handle(const HttpRequest& request) {
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
    const bool is_api = route && route->endpoint != Endpoint::kPage;
    const bool upgrades = is_api && is_live(route->endpoint) && websocket::is_upgrade(request);
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
    context_.metrics.connections = context_.connections.size();
    // Named, not a temporary: GCC 12 destroys temporaries of a co_await expression twice.
    ApiRequest question;
    question.route = *route;
    question.body = request.body();
    question.client = client;
    question.authorization = std::string(view_of(request[http::field::authorization]));
    ApiAnswer answer = co_await ask(context_, std::move(question));
    co_return co_await answer_with(answer, request, more);
  }

  /// Nothing when the visitor has left, was too slow or sent nonsense, which is answered here.
  asio::awaitable<std::optional<HttpRequest>> next_request() {
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
  asio::awaitable<bool> receive() {
    beast::error_code error;
    const std::size_t size = co_await stream_.async_read_some(
        asio::buffer(received_), asio::redirect_error(asio::use_awaitable, error));
    unread_ = std::string_view(received_.data(), size);
    co_return !error;
  }

  /// Closing with unread bytes would reset the connection, and the error might never arrive.
  asio::awaitable<void> drain() {
    stream_.expires_after(kDrainTime);
    for (std::size_t drained = 0; drained < kMostDrained; drained += unread_.size()) {
      if (!co_await receive()) break;
    }
  }

  [[nodiscard]] std::string client_of(const HttpRequest& request) const {
    if (!context_.options.trust_forwarded) return client_;
    return forwarded_client(request).value_or(client_);
  }

  // Named arguments only, here and below: GCC 12 destroys temporaries of a co_await expression
  // twice.
  asio::awaitable<bool> refuse(const ApiError& error, const HttpRequest& request, bool more) {
    ApiAnswer answer = to_response(error);
    co_return co_await answer_with(answer, request, more);
  }

  asio::awaitable<bool> answer_with(ApiAnswer& answer, const HttpRequest& request, bool more) {
    if (answer.status == 429) {
      beast::error_code ignored;
      asio::steady_timer pause(*context_.io, kRefusalPause);
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    ApiResponse response = api_response(std::move(answer), request.version());
    co_return co_await send(response, request, more);
  }

  /// True when it was sent and another request may follow.
  template <class Response>
  asio::awaitable<bool> send(Response& response, const HttpRequest& request, bool more) {
    response.keep_alive(more);
    if (response.result() != http::status::not_modified) {
      response.content_length(response.body().size());
    }
    if (request.method() == http::verb::head) response.body() = {};
    stream_.expires_after(context_.options.write_within);
    beast::error_code error;
    const std::size_t bytes = co_await http::async_write(
        stream_, response, asio::redirect_error(asio::use_awaitable, error));
    const auto took = Clock::now() - started_;
    ++context_.metrics.requests[static_cast<int>(response.result_int())];
    context_.metrics.request_seconds.add(took);
    if (context_.options.access_log) {
      context_.options.access_log(
          fmt::format("{} {} {} {} B {:.1f} ms", view_of(request.method_string()),
                      without_secrets(view_of(request.target())), response.result_int(), bytes,
                      std::chrono::duration<double, std::milli>(took).count()));
    }
    co_return more && !error;
  }

  /// Hands the connection over to a WebSocket, or says why not.
  asio::awaitable<bool> upgrade(const HttpRequest& request, const Route& route,
                                std::optional<ConnectionPlace>& place) {
    // A page of another site must not listen in, even if it learnt a token.
    std::optional<ApiError> error = check_origin(request);
    if (!error) {
      if (const auto wait =
              context_.costs.take(client_of(request), CostKind::kLive, Bucket::Clock::now())) {
        error = over_budget(*wait);
      }
    }
    const bool table = route.endpoint == Endpoint::kTableLive;
    if (!error && !table) {
      // Named, not a temporary: GCC 12 destroys temporaries of a co_await expression twice.
      auto found = find_game(context_, route.token);
      error = co_await std::move(found);
    }
    const auto socket = std::make_shared<LiveSocket>(context_);
    if (!error) {
      error = table ? socket->watch_table(std::string(route.parameter("token")))
                    : socket->watch_game(route.token);
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
  bool refused_ = false;     // it sent something that is no request
  bool taken_over_ = false;  // a WebSocket has the stream now
};

}  // namespace

asio::awaitable<void> serve_connection(ServerContext& context, asio::ip::tcp::socket socket) {
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
  if (refusal) {
    co_await connection->turn_away(*refusal);
  } else {
    co_await connection->run();
  }
}

}  // namespace rowbot::server
