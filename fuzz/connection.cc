// A visitor who sends anything in any pieces, through the server's real connection: its reader,
// routes, checks, API and WebSocket, over a pair of sockets in one thread.
#include "service/server/http/connection.h"

#include <filesystem>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include "fuzz.h"
#include "sanitizer/allocator_interface.h"
#include "service/store/sqlite_store.h"

namespace asio = boost::asio;
using namespace rowbot;  // NOLINT: a program of one file

namespace {

// Of one connection, with its answers, and what SQLite's caches may grow by meanwhile.
constexpr std::size_t kMostMemory = 4'000'000;
constexpr auto kMostTime = std::chrono::seconds(20);

server::Options options() {
  server::Options options;
  // The other end of a pair of sockets has no address, so it is a remote client.
  options.remote = {.connections = 4,
                    .requests_per_second = 1e9,
                    .request_burst = 1e9,
                    .games_per_second = 1e9,
                    .game_burst = 1e9};
  options.trust_forwarded = true;
  options.header_bytes = 1'000;
  options.body_bytes = 300;
  options.games.live_games = 50;
  // Analyses are refused: they would only take time.
  options.pool.solver.queue = options.pool.background.queue = 0;
  return options;
}

/// All that the connections of all inputs share.
struct Site {
  Site() {
    // Known to the seeds, so that they can watch it.
    const store::NewGame game{.head = {.token = std::string(32, 'a')},
                              .record = {.first = {.name = "human"}, .second = {.name = "human"}}};
    fuzz::require(store::write_and_wait(*games, {game}).has_value(), "it is written");
  }

  static std::unique_ptr<store::Store> open_store() {
    const std::string folder =
        std::filesystem::temp_directory_path() / ("fuzz_connection." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    auto opened = store::SqliteStore::open(folder + "/games.db");
    fuzz::require(opened.has_value(), "there is a database");
    return *std::move(opened);
  }

  std::unique_ptr<store::Store> games = open_store();
  server::ServerContext context{options(), *games, nullptr};
};

/// What has arrived at this end.
void drain(int socket, std::string& answers) {
  char part[4096];
  for (ssize_t got = 0; (got = ::recv(socket, part, sizeof part, MSG_DONTWAIT)) > 0;) {
    answers.append(part, static_cast<std::size_t>(got));
  }
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t number = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos;
       at += part.size()) {
    ++number;
  }
  return number;
}

std::size_t responses(const server::Metrics& metrics) {
  std::size_t sum = 0;
  for (const auto& [status, number] : metrics.requests) sum += number;
  return sum;
}

}  // namespace

/// The first byte says how the rest is cut: pieces of so many bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  static Site& site = *new Site;  // for the whole run
  asio::io_context& io = *site.context.io;
  const std::size_t step = data[0] == 0 ? size : data[0];
  const std::string_view input = fuzz::as_text(data + 1, size - 1);

  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 0;
  const std::size_t responses_before = responses(site.context.metrics);
  const std::size_t before = __sanitizer_get_current_allocated_bytes();
  {
    asio::ip::tcp::socket socket(io);
    socket.assign(asio::ip::tcp::v4(), ends[0]);
    server::spawn(server::serve_connection(site.context, std::move(socket)));
  }
  io.restart();
  std::string answers;
  for (std::size_t at = 0; at < input.size(); at += step) {
    const std::string_view piece = input.substr(at, step);
    if (::send(ends[1], piece.data(), piece.size(), MSG_NOSIGNAL | MSG_DONTWAIT) <= 0) break;
    io.poll();
    drain(ends[1], answers);
    fuzz::require(__sanitizer_get_current_allocated_bytes() < before + kMostMemory + answers.size(),
                  "a connection's memory is bounded");
  }
  ::shutdown(ends[1], SHUT_WR);
  const auto limit = std::chrono::steady_clock::now() + kMostTime;
  while (!site.context.connections.empty()) {
    io.restart();
    io.run_one_for(std::chrono::milliseconds(5));
    io.poll();
    drain(ends[1], answers);
    fuzz::require(std::chrono::steady_clock::now() < limit, "a connection ends with its visitor");
  }
  drain(ends[1], answers);
  ::close(ends[1]);

  // Every request has the end of a header; one more may be refused before it has one.
  fuzz::require(responses(site.context.metrics) - responses_before <= count(input, "\r\n\r\n") + 1,
                "no more answers than requests");
  fuzz::require(answers.empty() || answers.starts_with("HTTP/1."), "answers are HTTP");
  fuzz::require(site.context.clients.clients() < 100'000, "clients are forgotten");
  return 0;
}
