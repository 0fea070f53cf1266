#include "service/server/http/request_reader.h"

#include <algorithm>
#include <utility>

#include "boost/asio/buffer.hpp"
#include "boost/beast/core/string.hpp"
#include "boost/beast/http/parser.hpp"
#include "fmt/core.h"

namespace rowbot::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

/// Every body that the server takes has fewer digits.
constexpr std::size_t kMostLengthDigits = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<unsigned> hex_digit(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

}  // namespace

std::size_t RequestReader::put(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && state_ != State::kDone && state_ != State::kRefused) {
    if (state_ == State::kHeader) {
      put_header(bytes[used++]);
    } else if (state_ == State::kLength || state_ == State::kChunkData) {
      used += put_body(bytes.substr(used));
    } else {
      put_chunked(bytes[used++]);
    }
  }
  return used;
}

HttpRequest RequestReader::release() { return std::move(request_); }

// A line ends with CR LF and with nothing else. Where others take a bare CR or LF for an end, or a
// line that begins with a blank for more of the one before, they see other fields than we do.
void RequestReader::put_header(char c) {
  const bool after_return = !header_.empty() && header_.back() == '\r';
  if (after_return != (c == '\n'))
    return refuse_syntax("a line of the header does not end with CR LF");
  if (is_control(c) && c != '\r' && c != '\n') return refuse_syntax("a control character");
  const bool line_begins = header_.size() == line_begin_;
  if (line_begins && line_begin_ > 0 && (c == ' ' || c == '\t')) {
    return refuse_syntax("a line of the header begins with a blank");
  }
  if (header_.size() >= limits_.header_bytes) {
    return refuse(431, "too_large", "The header is too large.");
  }
  header_ += c;
  if (c != '\n') return;
  const bool empty_line = header_.size() == line_begin_ + 2;
  line_begin_ = header_.size();
  if (empty_line) finish_header();
}

void RequestReader::finish_header() {
  http::request_parser<http::string_body> parser;
  parser.header_limit(static_cast<std::uint32_t>(header_.size() + 1));
  parser.skip(true);  // the body is for begin_body() to judge
  beast::error_code error;
  static_cast<void>(parser.put(boost::asio::buffer(header_), error));
  if (error || !parser.is_done()) return refuse_syntax(error ? error.message() : "an empty header");
  request_ = parser.release();
  std::string().swap(header_);
  const auto hosts = request_.count(http::field::host);
  if (hosts > 1 || (hosts == 0 && request_.version() >= 11)) {
    return refuse_syntax("a request has one field Host");
  }
  begin_body();
}

void RequestReader::begin_body() {
  const auto lengths = request_.count(http::field::content_length);
  const auto codings = request_.count(http::field::transfer_encoding);
  if (codings > 0) {
    if (lengths > 0) return refuse_syntax("both Content-Length and Transfer-Encoding");
    if (codings > 1 || request_.version() < 11 ||
        !beast::iequals(request_[http::field::transfer_encoding], "chunked")) {
      return refuse_syntax("a Transfer-Encoding that is not just chunked");
    }
    state_ = State::kChunkSize;
    return;
  }
  state_ = State::kDone;
  if (lengths == 0) return;
  const std::string_view length = view_of(request_[http::field::content_length]);
  if (lengths > 1 || length.empty() || !std::all_of(length.begin(), length.end(), is_digit)) {
    return refuse_syntax("a Content-Length that is not one number");
  }
  if (length.size() > kMostLengthDigits || std::stoul(std::string(length)) > limits_.body_bytes) {
    return refuse(413, "too_large", "The body is too large.");
  }
  left_ = std::stoul(std::string(length));
  if (left_ > 0) state_ = State::kLength;
}

std::size_t RequestReader::put_body(std::string_view bytes) {
  const std::size_t size = std::min<std::uint64_t>(left_, bytes.size());
  if (request_.body().size() + size > limits_.body_bytes) {
    refuse(413, "too_large", "The body is too large.");
    return 0;
  }
  request_.body().append(bytes.substr(0, size));
  left_ -= size;
  if (left_ == 0) state_ = state_ == State::kLength ? State::kDone : State::kChunkDataReturn;
  return size;
}

void RequestReader::put_chunked(char c) {
  // Sizes, extensions and line ends together may be as long as the largest body.
  if (++overhead_ > limits_.body_bytes) return refuse(413, "too_large", "The body is too large.");
  switch (state_) {
    case State::kChunkSize:
    case State::kChunkDigits: {
      if (const auto digit = hex_digit(c)) {
        left_ = left_ * 16 + *digit;
        state_ = State::kChunkDigits;
        if (left_ > limits_.body_bytes) refuse(413, "too_large", "The body is too large.");
        return;
      }
      if (state_ == State::kChunkSize) return refuse_syntax("a chunk without a size");
      if (c == ';') {
        state_ = State::kChunkExtension;
      } else if (c == '\r') {
        state_ = State::kChunkLineEnd;
      } else {
        refuse_syntax("the size of a chunk");
      }
      return;
    }
    case State::kChunkExtension:
      if (c == '\r') {
        state_ = State::kChunkLineEnd;
      } else if (is_control(c)) {
        refuse_syntax("a control character in the extension of a chunk");
      }
      return;
    case State::kChunkLineEnd:
      return c == '\n' ? end_chunk_line() : refuse_syntax("a chunk's line without CR LF");
    case State::kChunkDataReturn:
      if (c != '\r') return refuse_syntax("a chunk longer than its size");
      state_ = State::kChunkDataLineEnd;
      return;
    case State::kChunkDataLineEnd:
      if (c != '\n') return refuse_syntax("a chunk longer than its size");
      state_ = State::kChunkSize;
      return;
    case State::kLastReturn:
      // Fields after the body would come too late for every decision that was made from the header.
      if (c != '\r') return refuse_syntax("a trailer");
      state_ = State::kLastLineEnd;
      return;
    case State::kLastLineEnd:
      if (c != '\n') return refuse_syntax("the end of the chunks");
      state_ = State::kDone;
      return;
    case State::kHeader:
    case State::kLength:
    case State::kChunkData:
    case State::kDone:
    case State::kRefused:
      return;
  }
}

void RequestReader::end_chunk_line() {
  state_ = left_ == 0 ? State::kLastReturn : State::kChunkData;
}

void RequestReader::refuse(int status, std::string_view code, std::string_view message) {
  state_ = State::kRefused;
  error_ = ApiError{.status = status, .code = std::string(code), .message = std::string(message)};
  std::string().swap(header_);
  request_ = {};
}

void RequestReader::refuse_syntax(std::string_view what) {
  refuse(400, "bad_request", fmt::format("This is not valid HTTP: {}.", what));
}

}  // namespace rowbot::server
