#include "service/server/http/connection.h"

#include <array>
#include <chrono>
#include <optional>

#include "boost/asio/post.hpp"
#include "boost/asio/redirect_error.hpp"
#include "boost/asio/use_awaitable.hpp"
#include "boost/beast/core.hpp"
#include "boost/beast/http.hpp"
#include "boost/beast/websocket.hpp"
#include "fmt/core.h"
#include "service/server/http/live_socket.h"
#include "service/server/http/page.h"
#include "service/server/http/request_reader.h"
#include "service/server/http/responses.h"
#include "service/server/table/table_service.h"
#include "service/server/token.h"

namespace rowbot::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Response = http::response<http::string_body>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kReadAtOnce = 4'096;
constexpr std::size_t kMostDrained = 65'536;
constexpr std::chrono::seconds kDrainTime{1};

/// Only our own scripts, styles and addresses; nobody may frame the page or learn where a visitor
/// came from, since addresses hold the keys of games.
constexpr std::string_view kContentPolicy =
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'";

void set_common_fields(Response& response) {
  response.set(http::field::server, "rowbot");
  response.set("Content-Security-Policy", std::string(kContentPolicy));
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.set("Permissions-Policy", "camera=(), microphone=(), geolocation=()");
}

Response response_of(const ApiAnswer& answer, unsigned version) {
  Response response(http::int_to_status(static_cast<unsigned>(answer.status)), version);
  set_common_fields(response);
  response.set(http::field::content_type, answer.type);
  response.set(http::field::cache_control,
               answer.lasting ? "public, max-age=31536000, immutable" : "no-store");
  if (answer.retry_after) {
    response.set(http::field::retry_after, std::to_string(*answer.retry_after));
  }
  if (answer.status == 401) response.set(http::field::www_authenticate, "Bearer");
  response.body() = answer.body;
  return response;
}

Response page_response(const HttpRequest& request, std::string_view path) {
  const PageAnswer page = page_answer(path);
  Response response(http::int_to_status(static_cast<unsigned>(page.status)), request.version());
  set_common_fields(response);
  response.set(http::field::cache_control,
               page.immutable ? "public, max-age=31536000, immutable" : "no-cache");
  response.set(http::field::etag, page.etag);
  response.set(http::field::vary, "Accept-Encoding");
  if (page.status == 200 && view_of(request[http::field::if_none_match]) == page.etag) {
    response.result(http::status::not_modified);
    return response;
  }
  response.set(http::field::content_type, std::string(page.type));
  if (view_of(request[http::field::accept_encoding]).find("gzip") != std::string_view::npos) {
    response.set(http::field::content_encoding, "gzip");
    response.body() = std::string(page.gzip);
  } else {
    response.body() = unzipped(page.gzip);
  }
  return response;
}

ApiError wrong_origin() {
  return {.status = 403,
          .code = "wrong_origin",
          .message = "This came from a page of another site. Open this site's own page."};
}

/// A browser says from which page a request comes; other programs need not.
bool is_own_origin(const HttpRequest& request) {
  if (request.count(http::field::origin) == 0) return true;
  const std::string_view origin = view_of(request[http::field::origin]);
  const std::string_view host = view_of(request[http::field::host]);
  return request.count(http::field::origin) == 1 && !host.empty() &&
         (beast::iequals(fmt::format("http://{}", host), {origin.data(), origin.size()}) ||
          beast::iequals(fmt::format("https://{}", host), {origin.data(), origin.size()}));
}

bool is_json(const HttpRequest& request) {
  std::string_view type = view_of(request[http::field::content_type]);
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ') || type.ends_with('\t')) type.remove_suffix(1);
  return request.count(http::field::content_type) == 1 &&
         beast::iequals("application/json", {type.data(), type.size()});
}

/// Why this request may not change anything. A page of another site can make a visitor's browser
/// send requests, but not with our origin, and JSON only after asking, which we never grant.
std::optional<ApiError> refusal_to_change(const HttpRequest& request) {
  if (request.method() == http::verb::get || request.method() == http::verb::head) return {};
  if (!is_own_origin(request)) return wrong_origin();
  if (!request.body().empty() && !is_json(request)) {
    return ApiError{.status = 415,
                    .code = "wrong_type",
                    .message = "Send the body as Content-Type: application/json."};
  }
  return {};
}

/// The target without keys of games, which are secrets.
std::string without_secrets(std::string_view target) {
  constexpr std::size_t kDigits = 32;
  std::string masked;
  for (std::size_t i = 0; i < target.size();) {
    if (is_token(target.substr(i, kDigits))) {
      masked += '*';
      i += kDigits;
      continue;
    }
    const char c = target[i++];
    masked += c > ' ' && c < 0x7f ? c : '?';
  }
  return masked;
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

// --------------------------------------------------------------------------------------- HTTP

class HttpConnection final : public Connection {
 public:
  HttpConnection(ServerContext& context, asio::ip::tcp::socket socket, std::string client)
      : context_(context), stream_(std::move(socket)), client_(std::move(client)) {
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
    while (!context_.closing) {
      auto request = co_await next_request();
      if (!request) break;
      busy_ = true;
      const auto started = Clock::now();
      const auto route = route_of(view_of(request->method_string()), view_of(request->target()));
      if (route && is_live(route->endpoint) && websocket::is_upgrade(*request)) {
        const bool left = co_await upgrade(*request, *route);
        if (left) co_return;
        break;
      }
      Response response = co_await respond(*request, route);
      const bool more = request->keep_alive() && !context_.closing;
      const bool sent = co_await send(std::move(response), *request, more, started);
      busy_ = false;
      if (!sent || !more) break;
    }
    beast::error_code ignored;
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    if (refused_) co_await drain();
  }

 private:
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
    const HttpRequest unknown;
    Response response = response_of(to_response(*reader.error()), 11);
    static_cast<void>(co_await send(std::move(response), unknown, false, Clock::now()));
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

  asio::awaitable<Response> respond(const HttpRequest& request, const HttpResult<Route>& route) {
    if (!route) co_return response_of(to_response(route.error()), request.version());
    if (const auto refusal = refusal_to_change(request)) {
      co_return response_of(to_response(*refusal), request.version());
    }
    if (route->endpoint == Endpoint::kPage) co_return page_response(request, route->path);
    context_.metrics.connections = context_.connections.size();
    // Named, not a temporary: GCC 12 destroys temporaries of a co_await expression twice.
    ApiRequest question;
    question.route = *route;
    question.body = request.body();
    question.client = client_of(request);
    question.authorization = std::string(view_of(request[http::field::authorization]));
    const ApiAnswer answer = co_await ask(context_, std::move(question));
    co_return response_of(answer, request.version());
  }

  [[nodiscard]] std::string client_of(const HttpRequest& request) const {
    if (!context_.options.trust_forwarded) return client_;
    const std::string_view list = view_of(request["X-Forwarded-For"]);
    const std::size_t comma = list.rfind(',');
    std::string_view last = comma == std::string_view::npos ? list : list.substr(comma + 1);
    while (!last.empty() && last.front() == ' ') last.remove_prefix(1);
    return last.empty() ? client_ : client_key(last);
  }

  asio::awaitable<bool> send(Response response, const HttpRequest& request, bool keep,
                             Clock::time_point started) {
    response.keep_alive(keep);
    if (request.method() == http::verb::head) {
      response.content_length(response.body().size());
      response.body().clear();
    } else {
      response.prepare_payload();
    }
    stream_.expires_after(context_.options.write_within);
    beast::error_code error;
    const std::size_t bytes = co_await http::async_write(
        stream_, response, asio::redirect_error(asio::use_awaitable, error));
    const auto took = Clock::now() - started;
    ++context_.metrics.requests[static_cast<int>(response.result_int())];
    context_.metrics.request_seconds.add(took);
    if (context_.options.access_log) {
      context_.options.access_log(
          fmt::format("{} {} {} {} B {:.1f} ms", view_of(request.method_string()),
                      without_secrets(view_of(request.target())), response.result_int(), bytes,
                      std::chrono::duration<double, std::milli>(took).count()));
    }
    co_return !error;
  }

  /// True when a WebSocket has taken the connection over.
  asio::awaitable<bool> upgrade(const HttpRequest& request, const Route& route) {
    // A page of another site must not listen in, even if it learnt a token.
    std::optional<ApiError> error;
    if (!is_own_origin(request)) {
      error = wrong_origin();
    } else if (!context_.clients.may_request(client_of(request), Bucket::Clock::now())) {
      error = ApiError{.status = 429, .code = "too_many", .message = "Please wait a moment."};
    } else if (route.endpoint == Endpoint::kTableLive) {
      if (const auto table = context_.table->look({}); !table) error = table.error();
    } else if (const auto game = context_.games->find(route.token); !game) {
      error = game.error();
    }
    if (error) {
      Response response = response_of(to_response(*error), request.version());
      static_cast<void>(co_await send(std::move(response), request, false, Clock::now()));
      co_return false;
    }
    const auto socket = std::make_shared<LiveSocket>(context_, std::move(stream_));
    const bool watching = route.endpoint == Endpoint::kTableLive
                              ? socket->watch_table(std::string(route.parameter("token")))
                              : socket->watch_game(route.token);
    if (!watching) co_return true;
    co_await LiveSocket::run(socket, request);
    co_return true;
  }

  ServerContext& context_;
  beast::tcp_stream stream_;
  std::string client_;
  std::array<char, kReadAtOnce> received_{};
  std::string_view unread_;  // of what was received: it belongs to the next request
  bool first_ = true;
  bool busy_ = false;
  bool refused_ = false;  // it sent something that is no request
};

/// Gives the client's place back however the coroutine ends.
class Place {
 public:
  Place(ServerContext& context, std::string client)
      : context_(context), client_(std::move(client)) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  Place(Place&&) = delete;
  Place& operator=(Place&&) = delete;
  ~Place() { context_.clients.closed(client_); }

 private:
  ServerContext& context_;
  std::string client_;
};

}  // namespace

asio::awaitable<void> serve_connection(ServerContext& context, asio::ip::tcp::socket socket) {
  beast::error_code error;
  const auto remote = socket.remote_endpoint(error);
  if (error) co_return;
  const std::string client = client_key(remote.address().to_string());
  if (context.connections.size() >= context.options.connections ||
      !context.clients.opened(client)) {
    ++context.metrics.refused_connections;
    co_return;  // closing costs least; a polite answer would be one more thing to hold open
  }
  const Place place(context, client);
  socket.set_option(asio::ip::tcp::no_delay(true), error);
  // Not in the coroutine's frame: its buffer is large, and frames are kept for the next one.
  const auto connection = std::make_unique<HttpConnection>(context, std::move(socket), client);
  co_await connection->run();
}

}  // namespace rowbot::server
