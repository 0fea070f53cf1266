#include "service_notify.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace rowbot::app {

void notify_service(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || *path == '\0') return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string_view name = path;
  if (name.size() >= sizeof(address.sun_path)) return;
  std::memcpy(address.sun_path, name.data(), name.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // an abstract name
  const int out = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (out < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  // Nobody listening is no reason to stop playing.
  static_cast<void>(::sendto(out, state.data(), state.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), size));
  ::close(out);
}

}  // namespace rowbot::app
