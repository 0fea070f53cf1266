// A WebSocket that carries texts, as rosbridge does: the client's end, and the other end for tests
// and trials. Each has a thread of its own for the network.
// Thread safety: every function from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace rowbot::drivers {

/// Where a rosbridge listens.
struct SocketAddress {
  std::string host = "localhost";
  std::string port = "9090";
  std::string target = "/";
};
/// ws://host:port/target; port and target may be left out.
[[nodiscard]] Result<SocketAddress> parse_ws_url(std::string_view url);

class TextSocket {
 public:
  struct Impl;

  [[nodiscard]] static Result<std::unique_ptr<TextSocket>> connect(
      const SocketAddress& address, std::chrono::milliseconds patience);
  explicit TextSocket(std::shared_ptr<Impl> impl);  // for this room only
  ~TextSocket();
  TextSocket(const TextSocket&) = delete;
  TextSocket& operator=(const TextSocket&) = delete;
  TextSocket(TextSocket&&) = delete;
  TextSocket& operator=(TextSocket&&) = delete;

  /// Queued and sent in order; dropped when the socket is closed.
  void send(std::string text);
  /// What has arrived since the last call, in order.
  [[nodiscard]] std::vector<std::string> receive();
  [[nodiscard]] bool is_open() const;
  /// Why it is closed, in words.
  [[nodiscard]] std::string why_closed() const;
  void close();

  /// Texts handed to send() and texts that have arrived: two ends in one process can tell whether
  /// something is under way.
  [[nodiscard]] std::uint64_t sent() const;
  [[nodiscard]] std::uint64_t arrived() const;
  /// Bytes past the protocol, which break it: for trials.
  void send_raw(std::string bytes);

 private:
  std::shared_ptr<Impl> impl_;
};

/// Waits for clients on this machine and shakes hands with them.
class TextListener {
 public:
  using Take = std::function<void(std::unique_ptr<TextSocket>)>;

  /// Port 0: a free one. `take` is called from the listener's thread.
  [[nodiscard]] static Result<std::unique_ptr<TextListener>> create(std::uint16_t port, Take take);
  ~TextListener();
  TextListener(const TextListener&) = delete;
  TextListener& operator=(const TextListener&) = delete;
  TextListener(TextListener&&) = delete;
  TextListener& operator=(TextListener&&) = delete;
  [[nodiscard]] std::uint16_t port() const;

 private:
  struct Impl;
  explicit TextListener(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace rowbot::drivers
