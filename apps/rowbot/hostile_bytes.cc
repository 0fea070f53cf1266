#include "hostile_bytes.h"

namespace rowbot::app {

const std::vector<std::string>& malformed_requests() {
  using namespace std::string_literals;
  static const std::vector<std::string> requests{
      "nonsense\r\n\r\n"s,
      "\0\0\0\0\0\0\0\0"s,
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s + std::string(300, '\x07'),
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"s,
      "GET / HTTP/9.9\r\n\r\n"s,
      "GET  /  HTTP/1.1\r\n\r\n"s,
      "GET /\x01\xff HTTP/1.1\r\nHost: x\r\n\r\n"s,
      "GET / HTTP/1.1\r\nHost : x\r\n\r\n"s,
      "GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n"s,
      "POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"s,
      "POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n{}"s,
      "POST /api/v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n"
      "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"s,
      "POST /api/v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff"
      "ff\r\n"s,
      "POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
      "Content-Length: 4000\r\n\r\n"s +
          std::string(4000, '['),
      "POST /api/v1/survey HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
      "Content-Length: 16\r\n\r\n{\"feel\":1e99999}"s,
  };
  return requests;
}

std::string frame(unsigned char first, std::string_view content) {
  std::string text(1, static_cast<char>(first));
  text += static_cast<char>(0x80U | content.size());  // requires fewer than 126 bytes
  text.append(4, '\0');
  text += content;
  return text;
}

}  // namespace rowbot::app
