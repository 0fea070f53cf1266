// A real server with a real database for one test, and what its visitors often do.
// Thread safety: as Server; the store may be replaced before start().
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/temporary_folder.h"
#include "fmt/core.h"
#include "gtest/gtest.h"
#include "service/server/http/test_client.h"
#include "service/server/server.h"
#include "service/store/sqlite_store.h"

namespace rowbot::server {

class TestServer {
 public:
  TestServer() = default;
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  TestServer(TestServer&&) = delete;
  TestServer& operator=(TestServer&&) = delete;
  ~TestServer() { stop(); }

  Options options;
  sqlite::OpenOptions database_options;
  table::TableFeed* robot = nullptr;

  [[nodiscard]] std::string database() const { return folder_.file("games.db"); }
  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }
  [[nodiscard]] store::Store& store() const { return *store_; }
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  /// Of the network; known once a request was answered.
  [[nodiscard]] std::thread::id thread() const { return thread_.load(); }

  void start() {
    auto opened = store::SqliteStore::open(database(), database_options);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    options.port = 0;
    auto server = Server::open(options, *store_, robot);
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
    running_ = std::jthread([this] {
      thread_ = std::this_thread::get_id();
      server_->run();
    });
  }
  void stop() {
    if (!server_) return;
    server_->stop();
    running_.join();
    server_.reset();
    store_.reset();
  }

  TestAnswer call(std::string_view method, std::string_view target, std::string_view body = "",
                  std::string_view fields = "") const {
    TestClient client(port());
    return client.call(method, target, body, fields);
  }
  /// The address of a new game.
  std::string new_game(std::string_view body) const {
    const TestAnswer answer = call("POST", "/api/v1/games", body);
    EXPECT_EQ(answer.status, 201) << answer.body;
    return "/api/v1/games/" + answer.json().value("game", "");
  }
  TestAnswer play(const std::string& path, int column) const {
    return call("POST", path + "/moves", fmt::format("{{\"column\":{}}}", column));
  }
  /// A client that watches this game or table; the answer to its upgrade is read.
  std::unique_ptr<TestClient> watch(const std::string& path) const {
    auto client = std::make_unique<TestClient>(port());
    client->send(
        fmt::format("GET {}/live HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\n"
                    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
                    path));
    EXPECT_EQ(client->answer().status, 101);
    return client;
  }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<Server> server_;
  std::atomic<std::thread::id> thread_;
  std::jthread running_;
};

}  // namespace rowbot::server
