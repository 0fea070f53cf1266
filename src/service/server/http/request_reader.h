// One HTTP request out of the bytes of a connection, strict where a proxy in front of the server
// could read the same bytes differently (RFC 9112, sections 2.2, 5.2, 6 and 7.1).
//
//   RequestReader reader({.header_bytes = 8192, .body_bytes = 4096});
//   while (!reader.done() && !reader.error()) used += reader.put(more_bytes());
//
// Memory: at most header_bytes + body_bytes of what was sent, whatever was sent.
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "boost/beast/http/message.hpp"
#include "boost/beast/http/string_body.hpp"
#include "service/server/api_error.h"

namespace rowbot::server {

/// Beast's own view, as the standard's.
inline std::string_view view_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

struct RequestLimits {
  std::size_t header_bytes = 8 * 1024;
  std::size_t body_bytes = 4 * 1024;
};

class RequestReader {
 public:
  explicit RequestReader(const RequestLimits& limits) : limits_(limits) {}

  /// Takes the bytes that belong to this request and returns how many those are. Takes nothing more
  /// once the request is complete or refused.
  std::size_t put(std::string_view bytes);

  [[nodiscard]] bool done() const { return state_ == State::kDone; }
  /// Why this is not a request that the server takes. The connection must end then: nobody can say
  /// where the next request begins.
  [[nodiscard]] const std::optional<ApiError>& error() const { return error_; }
  /// The complete request; requires done().
  [[nodiscard]] HttpRequest release();
  /// The bytes that are kept of what was sent.
  [[nodiscard]] std::size_t held() const { return header_.capacity() + request_.body().capacity(); }

 private:
  enum class State : std::uint8_t {
    kHeader,
    kLength,     ///< a body of known length
    kChunkSize,  ///< the first digit, then the others
    kChunkDigits,
    kChunkExtension,  ///< not looked at, but counted
    kChunkLineEnd,    ///< the line feed after size and extension
    kChunkData,
    kChunkDataReturn,  ///< carriage return and line feed after the data
    kChunkDataLineEnd,
    kLastReturn,  ///< the empty line after the last chunk; a trailer is refused
    kLastLineEnd,
    kDone,
    kRefused,
  };

  void put_header(char c);
  void finish_header();
  void begin_body();
  void put_chunked(char c);
  void end_chunk_line();
  /// Takes as many bytes of the body as there are and are wanted.
  std::size_t put_body(std::string_view bytes);
  void refuse(int status, std::string_view code, std::string_view message);
  void refuse_syntax(std::string_view what);

  RequestLimits limits_;
  State state_ = State::kHeader;
  std::string header_;
  std::size_t line_begin_ = 0;  // of the header's current line
  std::uint64_t left_ = 0;      // bytes of the body or of the chunk
  std::size_t overhead_ = 0;    // bytes of a chunked body that are not its content
  HttpRequest request_;
  std::optional<ApiError> error_;
};

}  // namespace rowbot::server
