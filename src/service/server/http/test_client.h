// A visitor made of plain sockets, who can also misbehave. For tests.
// Thread safety: none.
#pragma once

#include <arpa/inet.h>
#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

#include "fmt/core.h"
#include "nlohmann/json.hpp"

namespace rowbot::server {

struct TestAnswer {
  int status = 0;  ///< 0: the server closed the connection without a word
  std::string head;
  std::string body;

  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
};

class TestClient {
 public:
  explicit TestClient(std::uint16_t port, int seconds = 120)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval limit{.tv_sec = seconds, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;
  TestClient(TestClient&&) = delete;
  TestClient& operator=(TestClient&&) = delete;
  ~TestClient() { ::close(socket_); }

  [[nodiscard]] bool connected() const { return connected_; }

  /// False when the server has closed the connection meanwhile.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// At least so many bytes, unless the server closes first.
  std::string read(std::size_t size) {
    while (pending_.size() < size && more()) {
    }
    std::string bytes = pending_.substr(0, size);
    pending_.erase(0, size);
    return bytes;
  }

  TestAnswer answer() {
    std::size_t end = std::string::npos;
    while ((end = pending_.find("\r\n\r\n")) == std::string::npos) {
      if (!more()) return {};
    }
    TestAnswer answer{.head = read(end + 4)};
    answer.status = std::stoi(answer.head.substr(9, 3));
    const std::size_t length = answer.head.find("Content-Length: ");
    if (length != std::string::npos) {
      answer.body = read(std::stoul(answer.head.substr(length + 16)));
    }
    return answer;
  }

  TestAnswer call(std::string_view method, std::string_view target, std::string_view body = "",
                  std::string_view fields = "") {
    send(fmt::format("{} {} HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n{}{}\r\n{}", method,
                     target, body.size(), body.empty() ? "" : "Content-Type: application/json\r\n",
                     fields, body));
    return answer();
  }

  /// The text of the next WebSocket frame; empty when the connection ends or it is another kind.
  std::string frame() {
    const std::string start = read(2);
    if (start.size() < 2 || static_cast<unsigned char>(start[0]) != 0x81) return "";
    std::size_t size = static_cast<unsigned char>(start[1]);
    if (size == 126) {
      const std::string longer = read(2);
      size = static_cast<std::size_t>(static_cast<unsigned char>(longer.at(0))) << 8 |
             static_cast<unsigned char>(longer.at(1));
    }
    return read(size);
  }

 private:
  bool more() {
    char part[4096];
    const ssize_t got = ::recv(socket_, part, sizeof part, 0);
    if (got <= 0) return false;
    pending_.append(part, static_cast<std::size_t>(got));
    return true;
  }

  int socket_;
  bool connected_ = false;
  std::string pending_;
};

}  // namespace rowbot::server
