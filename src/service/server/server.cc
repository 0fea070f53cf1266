#include "service/server/server.h"

#include <chrono>
#include <csignal>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "boost/asio/ip/address.hpp"
#include "boost/asio/post.hpp"
#include "boost/asio/signal_set.hpp"
#include "fmt/core.h"
#include "service/server/http/connection.h"
#include "service/server/http/page.h"
#include "service/server/server_context.h"
#include "service/server/task.h"

namespace rowbot::server {
namespace {

using boost::asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::chrono::milliseconds kClosingLook{20};
/// Before visitors are taken again, when memory was short.
constexpr std::chrono::milliseconds kAcceptAgain{10};

struct Accepted {
  ErrorCode error;
  tcp::socket socket;
};

}  // namespace

struct Server::State {
  State(const Options& options, store::Store& store, table::TableFeed* robot)
      : context(options, store, robot), acceptor(*context.io) {}

  [[nodiscard]] Result<void> listen() {
    const Options& options = context.options;
    ErrorCode error;
    const auto address = boost::asio::ip::make_address(
        options.host == "localhost" ? "127.0.0.1" : options.host, error);
    if (error) {
      return Error{fmt::format(
          "{} is not an address; try 127.0.0.1 (this machine) or 0.0.0.0 (all)", options.host)};
    }
    const tcp::endpoint endpoint(address, options.port);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
    if (error) {
      return Error{fmt::format("cannot listen on {} port {}: {}; is another program using it?",
                               options.host, options.port, error.message())};
    }
    return {};
  }

  /// Until the server closes. When memory is short it ends, and run() begins anew.
  Task<void> accept() {
    accepting = true;
    const Finally ended([this] {
      accepting = false;
      if (!context.closing && context.io) context.io->stop();
    });
    while (!context.closing) {
      auto next =
          operation<Accepted>([this](auto done) { acceptor.async_accept(std::move(done)); });
      Accepted accepted = co_await next;
      if (context.closing) break;
      if (accepted.error) {
        // Out of file descriptors, most likely: let some visitors leave first.
        co_await sleep_until(*context.io, std::chrono::steady_clock::now() + kAcceptPause);
        continue;
      }
      spawn(serve_connection(context, std::move(accepted.socket)));
    }
  }

  /// On the loop's thread.
  void close() {
    if (context.closing) return;
    context.closing = true;
    ErrorCode ignored;
    acceptor.close(ignored);
    if (signals) signals->cancel(ignored);
    const std::vector<Connection*> connections(context.connections.begin(),
                                               context.connections.end());
    for (Connection* connection : connections) connection->close_when_idle();
    wait_for_connections(std::chrono::steady_clock::now() + context.options.shutdown_within);
  }

  void wait_for_connections(std::chrono::steady_clock::time_point limit) {
    if (context.connections.empty() || std::chrono::steady_clock::now() >= limit) {
      closed = true;
      context.io->stop();
      return;
    }
    context.loop.after(kClosingLook, [this, limit] { wait_for_connections(limit); });
  }

  void run() {
    boost::asio::io_context& io = *context.io;
    while (!closed) {
      // Whatever fails here for want of memory concerns one visitor; the others go on.
      try {
        if (!accepting && !context.closing) spawn(accept());
      } catch (const std::exception&) {
        ++context.metrics.failed_handlers;
      }
      try {
        io.restart();
        if (accepting || context.closing) {
          io.run();
        } else {
          io.run_for(kAcceptAgain);
        }
      } catch (const std::exception&) {
        ++context.metrics.failed_handlers;
      }
    }
  }

  ServerContext context;
  tcp::acceptor acceptor;
  std::optional<boost::asio::signal_set> signals;
  bool accepting = false;
  bool closed = false;
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::open(const Options& options, store::Store& store,
                                             table::TableFeed* robot) {
  prepare_page();
  auto state = std::make_unique<State>(options, store, robot);
  if (auto listening = state->listen(); !listening) return listening.error();
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::uint16_t Server::port() const {
  ErrorCode error;
  return state_->acceptor.local_endpoint(error).port();
}

void Server::run() {
  State& state = *state_;
  if (state.context.options.handle_signals) {
    state.signals.emplace(*state.context.io, SIGINT, SIGTERM);
    state.signals->async_wait([&state](const ErrorCode& error, int) {
      if (!error) state.close();
    });
  }
  state.run();
}

void Server::stop() {
  boost::asio::post(*state_->context.io, [state = state_.get()] { state->close(); });
}

}  // namespace rowbot::server
