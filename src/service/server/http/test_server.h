// A real server on a free port with a real database. For tests.
// Thread safety: none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/temporary_folder.h"
#include "gtest/gtest.h"
#include "service/server/http/test_client.h"
#include "service/server/server.h"
#include "service/store/sqlite_store.h"

namespace rowbot::server {

class RunningServer {
 public:
  explicit RunningServer(Options options, TableFeed* robot = nullptr) {
    auto store = store::SqliteStore::open(folder_.file("games.db"));
    if (!store) ADD_FAILURE() << store.error().message;
    store_ = *std::move(store);
    options.port = 0;
    auto server = Server::open(options, *store_, robot);
    if (!server) ADD_FAILURE() << server.error().message;
    server_ = *std::move(server);
    running_ = std::jthread([this] { server_->run(); });
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  RunningServer(RunningServer&&) = delete;
  RunningServer& operator=(RunningServer&&) = delete;
  ~RunningServer() { server_->stop(); }

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] TestAnswer call(std::string_view method, std::string_view target,
                                std::string_view body = "", std::string_view fields = "") const {
    TestClient client(port());
    return client.call(method, target, body, fields);
  }
  /// The path of a new game for two people.
  [[nodiscard]] std::string new_game() const {
    const TestAnswer answer = call("POST", "/api/v1/games", R"({"human":"both"})");
    EXPECT_EQ(answer.status, 201) << answer.body;
    return "/api/v1/games/" + answer.json().value("game", "");
  }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<Server> server_;
  std::jthread running_;  // ends before what it uses
};

}  // namespace rowbot::server
