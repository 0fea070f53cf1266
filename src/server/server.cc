#include "server/server.h"

#include <csignal>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "boost/asio/co_spawn.hpp"
#include "boost/asio/detached.hpp"
#include "boost/asio/ip/address.hpp"
#include "boost/asio/post.hpp"
#include "boost/asio/redirect_error.hpp"
#include "boost/asio/signal_set.hpp"
#include "boost/asio/steady_timer.hpp"
#include "boost/asio/use_awaitable.hpp"
#include "fmt/core.h"
#include "server/connection.h"
#include "server/loop.h"
#include "server/search_pool.h"

namespace rowbot::server {
namespace {

using boost::asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::chrono::milliseconds kClosingLook{20};

class AsioLoop final : public Loop {
 public:
  explicit AsioLoop(boost::asio::io_context& io) : io_(io) {}

  void post(std::function<void()> work) override { boost::asio::post(io_, std::move(work)); }
  void after(std::chrono::nanoseconds time, std::function<void()> work) override {
    auto timer = std::make_shared<boost::asio::steady_timer>(io_, time);
    timer->async_wait([timer, work = std::move(work)](const ErrorCode& error) {
      if (!error) work();
    });
  }

 private:
  boost::asio::io_context& io_;
};

}  // namespace

struct Server::State {
  State(const Options& options, store::Store& the_store, TableFeed* robot)
      : store(the_store),
        house(options),
        loop(*house.io),
        acceptor(std::make_unique<tcp::acceptor>(*house.io)),
        pool(std::make_unique<SearchPool>(options.pool)) {
    house.hall = std::make_unique<Hall>(loop, store, *pool, house.metrics, options.hall);
    house.desk = std::make_unique<TableDesk>(loop, robot, options.desk);
    house.api = std::make_unique<Api>(loop, store, *pool, *house.hall, *house.desk, house.clients,
                                      house.metrics, house.options);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  State(State&&) = delete;
  State& operator=(State&&) = delete;

  /// In this order: no thread posts to the loop any more; then nobody waits for an answer; then the
  /// coroutines go with their loop; then what they referred to.
  ~State() {
    pool.reset();
    static_cast<void>(store::write_and_wait(store, {}));  // all earlier callbacks have been called
    house.api.reset();
    house.desk.reset();
    house.hall.reset();
    acceptor.reset();
    signals.reset();
    house.io.reset();
  }

  [[nodiscard]] Result<void> listen() const {
    const Options& options = house.options;
    ErrorCode error;
    const auto address = boost::asio::ip::make_address(
        options.host == "localhost" ? "127.0.0.1" : options.host, error);
    if (error) {
      return Error{fmt::format(
          "{} is not an address; try 127.0.0.1 (this machine) or 0.0.0.0 (all)", options.host)};
    }
    const tcp::endpoint endpoint(address, options.port);
    acceptor->open(endpoint.protocol(), error);
    if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor->bind(endpoint, error);
    if (!error) acceptor->listen(boost::asio::socket_base::max_listen_connections, error);
    if (error) {
      return Error{fmt::format("cannot listen on {} port {}: {}; is another program using it?",
                               options.host, options.port, error.message())};
    }
    return {};
  }

  boost::asio::awaitable<void> accept() {
    while (!house.closing) {
      ErrorCode error;
      tcp::socket socket = co_await acceptor->async_accept(
          boost::asio::redirect_error(boost::asio::use_awaitable, error));
      if (error == boost::asio::error::operation_aborted || house.closing) co_return;
      if (error) {
        // Out of file descriptors, most likely: let some visitors leave first.
        boost::asio::steady_timer pause(*house.io, kAcceptPause);
        co_await pause.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, error));
        continue;
      }
      boost::asio::co_spawn(*house.io, serve_connection(house, std::move(socket)),
                            boost::asio::detached);
    }
  }

  /// On the loop's thread.
  void close() {
    if (house.closing) return;
    house.closing = true;
    ErrorCode ignored;
    acceptor->close(ignored);
    if (signals) signals->cancel(ignored);
    const std::vector<Guest*> guests(house.guests.begin(), house.guests.end());
    for (Guest* guest : guests) guest->please_leave();
    wait_for_guests(std::chrono::steady_clock::now() + house.options.shutdown_within);
  }

  void wait_for_guests(std::chrono::steady_clock::time_point limit) {
    if (house.guests.empty() || std::chrono::steady_clock::now() >= limit) {
      house.io->stop();
      return;
    }
    loop.after(kClosingLook, [this, limit] { wait_for_guests(limit); });
  }

  store::Store& store;
  House house;
  AsioLoop loop;
  std::unique_ptr<tcp::acceptor> acceptor;
  std::unique_ptr<boost::asio::signal_set> signals;
  std::unique_ptr<SearchPool> pool;
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::open(const Options& options, store::Store& store,
                                             TableFeed* robot) {
  auto state = std::make_unique<State>(options, store, robot);
  if (auto listening = state->listen(); !listening) return listening.error();
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::uint16_t Server::port() const {
  ErrorCode error;
  return state_->acceptor->local_endpoint(error).port();
}

void Server::run() {
  State& state = *state_;
  if (state.house.options.handle_signals) {
    state.signals = std::make_unique<boost::asio::signal_set>(*state.house.io, SIGINT, SIGTERM);
    state.signals->async_wait([&state](const ErrorCode& error, int) {
      if (!error) state.close();
    });
  }
  boost::asio::co_spawn(*state.house.io, state.accept(), boost::asio::detached);
  state.house.io->run();
}

void Server::stop() {
  boost::asio::post(*state_->house.io, [state = state_.get()] { state->close(); });
}

}  // namespace rowbot::server
