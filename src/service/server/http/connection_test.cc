#include "service/server/http/connection.h"

#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include "fmt/core.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "service/server/http/test_server.h"

namespace rowbot::server {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kMegabyte = 1024 * 1024;

/// Of this process, which the server is a part of.
std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::string repeated(std::string_view part, std::size_t size) {
  std::string text;
  while (text.size() < size) text += part;
  return text;
}

TEST(Connection, CutsARequestThatDoesNotEnd) {
  const RunningServer server{{}};
  const std::string post = "POST /api/v1/games HTTP/1.1\r\nHost: test\r\n";
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  struct Endless {
    std::string begin;
    std::string more;
    int status;
  };
  for (const auto& [begin, more, status] : std::vector<Endless>{
           {chunked + "1;", "x", 413},                                  // one extension
           {chunked, "1;" + std::string(900, 'x') + "\r\n \r\n", 413},  // many of them
           {chunked + "0\r\n", "A: b\r\n", 400},                        // trailers
           {chunked + "0\r\nA: ", "b", 400},                            // one trailer
           {chunked, "1\r\n \r\n", 413},                                // a body, a byte at a time
           {chunked, "100\r\n" + std::string(256, ' ') + "\r\n", 413},
           {post + "Content-Length: 99999999\r\n\r\n", " ", 413},
           {post, "A: b\r\n", 431},
           {post + "A: ", "b", 431},
           {"GET /", "a", 431}}) {
    const std::string part = repeated(more, kMegabyte / 4);
    const std::size_t before = resident_bytes();
    TestClient client(server.port());
    std::size_t sent = 0;
    bool open = client.send(begin);
    while (open && sent < 50 * kMegabyte) {
      open = client.send(part);
      sent += part.size();
    }
    EXPECT_LT(sent, 16 * kMegabyte) << begin << more.substr(0, 8);  // most of it in the kernel
    EXPECT_LT(resident_bytes(), before + 8 * kMegabyte) << begin << more.substr(0, 8);
    // The same, but no further than the server listens: its answer arrives.
    TestClient patient(server.port());
    patient.send(begin + repeated(more, 20'000));
    EXPECT_EQ(patient.answer().status, status) << begin << more.substr(0, 8);
    EXPECT_EQ(patient.answer().status, 0) << "the connection ends";
  }
}

TEST(Connection, TakesNothingForARequestThatFollowsUnclearFraming) {
  const RunningServer server{{}};
  const std::string hidden = "GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n";
  const std::string post = "POST /api/v1/games HTTP/1.1\r\nHost: test\r\n";
  for (const std::string& bytes : std::vector<std::string>{
           post + "Transfer-Encoding: chunked, identity\r\n\r\n" + hidden,
           post + "Transfer-Encoding: identity\r\n\r\n" + hidden,
           post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + hidden,
           post + "Transfer-Encoding: xchunked\r\n\r\n" + hidden,
           post + "Transfer-Encoding: \"chunked\"\r\n\r\n" + hidden,
           post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + hidden,
           post + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" +
               hidden,
           post + "Transfer-Encoding:\r\n\r\n" + hidden,
           "POST / HTTP/1.0\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
           post + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
           post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + hidden,
           post + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n" + hidden,
           post + "Content-Length: 0\r\nContent-Length: 5\r\n\r\n" + hidden,
           post + "Content-Length: 0, 0\r\n\r\n" + hidden,
           post + "Content-Length: +0\r\n\r\n" + hidden,
           post + "Content-Length: 0x0\r\n\r\n" + hidden,
           post + "Content-Length : 0\r\n\r\n" + hidden,
           post + "Content-Length:\r\n\r\n" + hidden,
           post + "X: a\r\n Content-Length: 5\r\n\r\n" + hidden,
           post + "X: a\r\n\tb\r\n\r\n" + hidden,
           post + "X: a\nContent-Length: 0\r\n\r\n" + hidden,
           post + "X: a\rContent-Length: 0\r\n\r\n" + hidden,
           post + "X: a\r\n\n" + hidden,
           post + std::string("X: a\0b\r\n\r\n", 10) + hidden,
           "GET / HTTP/1.1\nHost: test\n\n" + hidden,
           "GET / HTTP/1.1\r\n\r\n" + hidden,
           "GET / HTTP/1.1\r\nHost: test\r\nHost: other\r\n\r\n" + hidden,
           post + "Transfer-Encoding: chunked\r\n\r\n1;\n\r\n \r\n0\r\n\r\n" + hidden,
           post + "Transfer-Encoding: chunked\r\n\r\n1;a=\"\n\"\r\n \r\n0\r\n\r\n" + hidden,
           post + "Transfer-Encoding: chunked\r\n\r\n1\n \n0\n\n" + hidden,
           post + "Transfer-Encoding: chunked\r\n\r\n-1\r\n \r\n0\r\n\r\n" + hidden,
           post + "Transfer-Encoding: chunked\r\n\r\n0x1\r\n \r\n0\r\n\r\n" + hidden,
           post + "Transfer-Encoding: chunked\r\n\r\n1 \r\n \r\n0\r\n\r\n" + hidden,
           post + "Transfer-Encoding: chunked\r\n\r\n1\r\n  \r\n0\r\n\r\n" + hidden,
           post + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n" +
               hidden}) {
    TestClient client(server.port());
    client.send(bytes);
    EXPECT_EQ(client.answer().status, 400) << bytes;
    EXPECT_EQ(client.answer().status, 0) << "more than one answer to " << bytes;
  }
}

TEST(Connection, TakesChunksAndRequestsThatFollowEachOther) {
  const RunningServer server{{}};
  TestClient client(server.port());
  const std::string post =
      "POST /api/v1/games HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n";
  client.send(post + "3;note\r\n{\"h\r\n10;a=\"b\"\r\numan\" : \"both\" }\r\n000\r\n\r\n" + post +
              "2\r\n{}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: test\r\n\r\n");
  const TestAnswer first = client.answer();
  EXPECT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(first.json()["you"], "both");
  EXPECT_EQ(client.answer().status, 201);
  EXPECT_EQ(client.answer().json()["status"], "ok");
}

TEST(Connection, ChangesNothingForAPageOfAnotherSite) {
  Options options;
  options.operator_token = "secret";
  const RunningServer server{options};
  const std::string path = server.new_game();
  const std::string move = R"({"column":4})";
  for (const char* origin : {"http://evil.example", "https://test.evil.example", "null",
                             "http://tes", "http://test:81", "ftp://test"}) {
    const TestAnswer answer =
        server.call("POST", path + "/moves", move, fmt::format("Origin: {}\r\n", origin));
    EXPECT_EQ(answer.status, 403) << origin;
    EXPECT_EQ(answer.json()["error"]["code"], "wrong_origin");
    EXPECT_EQ(
        server.call("POST", path + "/resign", "", fmt::format("Origin: {}\r\n", origin)).status,
        403);
    EXPECT_EQ(server
                  .call("DELETE", "/api/v1/lab/matches/" + std::string(32, '0'), "",
                        fmt::format("Origin: {}\r\n", origin))
                  .status,
              403);
  }
  EXPECT_EQ(server.call("GET", path).json()["moves"], "");
  for (const char* origin : {"http://test", "https://test", "HTTPS://TEST"}) {
    EXPECT_EQ(
        server.call("POST", path + "/moves", move, fmt::format("Origin: {}\r\n", origin)).status,
        200)
        << origin;
  }
}

TEST(Connection, TakesABodyOnlyAsJson) {
  const RunningServer server{{}};
  const std::string path = server.new_game();
  const std::string body = R"({"column":4})";
  const auto post = [&](std::string_view fields) {
    TestClient client(server.port());
    client.send(
        fmt::format("POST {}/moves HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n{}\r\n{}", path,
                    body.size(), fields, body));
    return client.answer();
  };
  for (const char* fields :
       {"", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: application/jsonp\r\n", "Content-Type:\r\n",
        "Content-Type: text/plain\r\nContent-Type: application/json\r\n",
        "Content-Type: text/plain; application/json\r\n"}) {
    const TestAnswer answer = post(fields);
    EXPECT_EQ(answer.status, 415) << fields;
    EXPECT_EQ(answer.json()["error"]["code"], "wrong_type");
  }
  EXPECT_EQ(server.call("GET", path).json()["moves"], "");
  EXPECT_EQ(post("Content-Type: Application/JSON;charset=utf-8\r\n").status, 200);
  EXPECT_EQ(post("Content-Type: application/json\r\n").status, 200);
  EXPECT_EQ(server.call("POST", path + "/resign").status, 200) << "without a body there is no type";
}

TEST(Connection, CountsFilesOfThePageLikeEveryRequest) {
  Options options;
  options.local.requests_per_second = 0.001;
  options.local.request_burst = 3;
  const RunningServer server{options};
  TestClient client(server.port());
  EXPECT_EQ(client.call("GET", "/").status, 200);
  EXPECT_EQ(client.call("GET", "/no/such/file").status, 404);
  EXPECT_EQ(client.call("POST", "/").status, 405);
  const TestAnswer limited = client.call("GET", "/");
  EXPECT_EQ(limited.status, 429);
  EXPECT_THAT(limited.head, HasSubstr("Retry-After: 1"));
  client.send("nonsense\r\n\r\n");
  EXPECT_EQ(client.answer().status, 429);
}

TEST(Connection, SendsFilesPackedAndOnlyWhenTheyChanged) {
  const RunningServer server{{}};
  const TestAnswer plain = server.call("GET", "/");
  EXPECT_THAT(plain.body, HasSubstr("<html"));
  const TestAnswer packed =
      server.call("GET", "/", "", "Accept-Encoding: gzip\r\nAccept-Encoding: br\r\n");
  EXPECT_THAT(packed.head, HasSubstr("Content-Encoding: br"));
  EXPECT_LT(packed.body.size(), plain.body.size());
  TestClient client(server.port());
  client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\nGET /healthz HTTP/1.1\r\nHost: test\r\n\r\n");
  const std::string head = client.read(plain.head.size());
  EXPECT_THAT(head, HasSubstr(fmt::format("Content-Length: {}\r\n", plain.body.size())));
  EXPECT_EQ(client.answer().json()["status"], "ok") << "HEAD has no body";
  const std::size_t tag = packed.head.find("ETag: ") + 6;
  const std::string etag = packed.head.substr(tag, packed.head.find('\r', tag) - tag);
  const TestAnswer known = server.call(
      "GET", "/", "", fmt::format("Accept-Encoding: br\r\nIf-None-Match: \"x\", {}\r\n", etag));
  EXPECT_EQ(known.status, 304);
  EXPECT_EQ(server.call("GET", "/", "", fmt::format("If-None-Match: {}\r\n", etag)).status, 200)
      << "another form";
}

TEST(Connection, BelievesTheProxyAboutItsClients) {
  Options options;
  options.trust_forwarded = true;
  options.remote.requests_per_second = 0.001;
  options.remote.request_burst = 2;
  const RunningServer server{options};
  const auto get = [&](std::string_view lines) {
    return server.call("GET", "/healthz", "", lines).status;
  };
  // The first line and the first elements are the client's own invention.
  EXPECT_EQ(get("X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 203.0.113.7\r\n"), 200);
  EXPECT_EQ(get("X-Forwarded-For: 2.2.2.2\r\nX-Forwarded-For: 5.5.5.5, 203.0.113.7:99\r\n"), 200);
  EXPECT_EQ(get("X-Forwarded-For: 3.3.3.3\r\nX-Forwarded-For: 203.0.113.7\r\n"), 429);
  EXPECT_EQ(get("X-Forwarded-For: \"203.0.113.7:4\"\r\nForwarded: for=4.4.4.4\r\n"), 429);
  // Clients with ports are clients of their own.
  EXPECT_EQ(get("X-Forwarded-For: 203.0.113.8:1\r\n"), 200);
  EXPECT_EQ(get("X-Forwarded-For: 203.0.113.8:2\r\n"), 200);
  EXPECT_EQ(get("X-Forwarded-For: [2001:db8::1]:1\r\n"), 200);
  EXPECT_EQ(get("X-Forwarded-For: [2001:db8::2]:2\r\n"), 200);
  EXPECT_EQ(get("X-Forwarded-For: 2001:db8::3\r\n"), 429);
}

TEST(Connection, CountsConnectionsBehindAProxyByTheForwardedClient) {
  Options options;
  options.trust_forwarded = true;
  options.local.connections = 2;  // the proxy's own address
  options.remote.connections = 3;
  const RunningServer server{options};
  const std::string path = server.new_game() + "/live";
  std::vector<std::unique_ptr<TestClient>> watchers;
  const auto watch = [&](std::string_view client) {
    watchers.push_back(std::make_unique<TestClient>(server.port()));
    watchers.back()->send(
        fmt::format("GET {} HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
                    "X-Forwarded-For: {}\r\n\r\n",
                    path, client));
    return watchers.back()->answer();
  };
  for (const char* client : {"203.0.113.1", "203.0.113.2", "203.0.113.3"}) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(watch(client).status, 101) << client;
    const TestAnswer refused = watch(client);
    EXPECT_EQ(refused.status, 429) << client;
    EXPECT_THAT(refused.head, HasSubstr("Retry-After: 5"));
  }
}

}  // namespace
}  // namespace rowbot::server
