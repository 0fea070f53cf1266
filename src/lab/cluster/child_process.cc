#include "lab/cluster/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "fmt/core.h"

namespace rowbot::cluster {
namespace {

constexpr std::size_t kLongestLine = 64;

Error system_error_of(std::string_view doing) {
  return Error{fmt::format("{}: {}", doing, std::strerror(errno))};
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::string& command) {
  // A socket as standard input, because writing to a closed one can be told not to raise SIGPIPE.
  std::array<int, 2> input{};
  std::array<int, 2> output{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0) {
    return system_error_of("cannot make a socket for a child");
  }
  if (pipe2(output.data(), O_CLOEXEC) != 0) {
    close(input[0]);
    close(input[1]);
    return system_error_of("cannot make a pipe for a child");
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string shell = "sh";
  std::string flag = "-c";
  std::string text = command;
  const std::array<char*, 4> arguments{shell.data(), flag.data(), text.data(), nullptr};
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(input[1]);
  close(output[1]);
  if (failed != 0) {
    close(input[0]);
    close(output[0]);
    return Error{fmt::format("cannot start a child: {}", std::strerror(failed))};
  }
  return ChildProcess(pid, input[0], output[0]);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : group_(std::exchange(other.group_, -1)),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)),
      pending_(std::move(other.pending_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    end(std::chrono::milliseconds(0));
    group_ = std::exchange(other.group_, -1);
    input_ = std::exchange(other.input_, -1);
    output_ = std::exchange(other.output_, -1);
    pending_ = std::move(other.pending_);
  }
  return *this;
}

ChildProcess::~ChildProcess() { end(std::chrono::milliseconds(0)); }

void ChildProcess::close_all() {
  if (input_ >= 0) close(std::exchange(input_, -1));
  if (output_ >= 0) close(std::exchange(output_, -1));
}

void ChildProcess::end(std::chrono::milliseconds patience) {
  close_all();
  if (group_ < 0) return;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < until) {
    if (waitpid(group_, nullptr, WNOHANG) == group_) {
      kill(-group_, SIGKILL);  // what it may have left behind
      group_ = -1;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  kill(-group_, SIGKILL);
  waitpid(group_, nullptr, 0);
  group_ = -1;
}

Result<void> ChildProcess::send(std::string_view line) const {
  const std::string message = std::string(line) + '\n';
  const ssize_t sent = ::send(input_, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent == static_cast<ssize_t>(message.size())) return {};
  return Error{sent < 0 && errno == EPIPE ? "it is gone" : "it does not read what it is sent"};
}

bool ChildProcess::has_unread() const {
  if (!pending_.empty()) return true;
  pollfd waiting{.fd = output_, .events = POLLIN, .revents = 0};
  return poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN) != 0;
}

Result<std::string> ChildProcess::receive(std::chrono::steady_clock::time_point deadline) {
  while (true) {
    if (const std::size_t end_of_line = pending_.find('\n'); end_of_line != std::string::npos) {
      std::string line = pending_.substr(0, end_of_line);
      pending_.erase(0, end_of_line + 1);
      if (line.size() > kLongestLine) return Error{"it sends a line longer than any message"};
      return line;
    }
    if (pending_.size() > kLongestLine) return Error{"it sends a line longer than any message"};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return Error{"it did not answer in time"};
    pollfd waiting{.fd = output_, .events = POLLIN, .revents = 0};
    const int ready =
        poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 1000)));
    if (ready < 0 && errno != EINTR) return system_error_of("cannot wait for it");
    if (ready <= 0) continue;
    std::array<char, 256> buffer{};
    const ssize_t got = read(output_, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Error{"it ended"};
    pending_.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace rowbot::cluster
