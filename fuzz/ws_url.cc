#include <string>

#include "fuzz.h"
#include "robot/drivers/rosbridge/text_socket.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rowbot::fuzz::require;
  const auto address = rowbot::drivers::parse_ws_url(rowbot::fuzz::as_text(data, size));
  if (!address) {
    require(!address.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  require(!address->host.empty(), "there is a host");
  require(address->target.starts_with('/'), "a target begins with a slash");
  for (const std::string& part : {address->host, address->port, address->target}) {
    for (const char c : part) {
      require(c > ' ' && c != '\x7f', "nothing can be smuggled into the handshake's lines");
    }
  }
  const std::string url = "ws://" + address->host + ":" + address->port + address->target;
  const auto again = rowbot::drivers::parse_ws_url(url);
  require(again && again->host == address->host && again->port == address->port &&
              again->target == address->target,
          "what was printed means the same");
  return 0;
}
