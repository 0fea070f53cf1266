#include "service/server/http/request_reader.h"

#include <string>

#include "gtest/gtest.h"

namespace rowbot::server {
namespace {

const std::string kChunked =
    "POST /api/v1/games HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: Chunked\r\n\r\n"
    "5;ab=\"c\"\r\nhello\r\n1\r\n!\r\n0\r\n\r\n";

TEST(RequestReader, ReadsTheSameHoweverTheBytesArrive) {
  const std::string next = "GET / HTTP/1.1\r\n";
  for (std::size_t step = 1; step <= kChunked.size(); ++step) {
    RequestReader reader{{}};
    const std::string bytes = kChunked + next;
    std::size_t used = 0;
    while (used < bytes.size() && !reader.done()) {
      used += reader.put(std::string_view(bytes).substr(used, step));
    }
    ASSERT_TRUE(reader.done()) << step;
    EXPECT_EQ(used, kChunked.size()) << "what follows is not taken";
    EXPECT_EQ(reader.put(next), 0U);
    const HttpRequest request = reader.release();
    EXPECT_EQ(request.body(), "hello!");
    EXPECT_EQ(request.target(), "/api/v1/games");
  }
}

TEST(RequestReader, HoldsNoMoreThanItsLimits) {
  const RequestLimits limits{.header_bytes = 1'000, .body_bytes = 300};
  for (const std::string& begin :
       {std::string("GET / HTTP/1.1\r\nA: "),
        std::string("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;"),
        std::string("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n12c\r\n")}) {
    RequestReader reader(limits);
    std::size_t used = reader.put(begin);
    for (int i = 0; i < 10'000 && !reader.error(); ++i) {
      used += reader.put("x");
      ASSERT_LE(reader.held(), 2 * (limits.header_bytes + limits.body_bytes));
    }
    EXPECT_TRUE(reader.error()) << begin;
    EXPECT_LE(used, limits.header_bytes + 2 * limits.body_bytes + 1);
    EXPECT_EQ(reader.put("x"), 0U);
  }
}

TEST(RequestReader, TakesWhatJustFits) {
  const RequestLimits limits{.header_bytes = 100, .body_bytes = 20};
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\nA: ";
  const std::string header = head + std::string(100 - head.size() - 4, 'x') + "\r\n\r\n";
  RequestReader reader(limits);
  EXPECT_EQ(reader.put(header + std::string(20, 'b')), 120U);
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(reader.release().body(), std::string(20, 'b'));
  RequestReader longer(limits);
  longer.put("GET / HTTP/1.1\r\nHost: a\r\nA: " + std::string(100, 'x') + "\r\n\r\n");
  ASSERT_TRUE(longer.error());
  EXPECT_EQ(longer.error()->status, 431);
}

TEST(RequestReader, RefusesAtTheFirstByteThatIsWrong) {
  RequestReader reader{{}};
  EXPECT_EQ(reader.put("\x16\x03\x01 a TLS greeting"), 1U);
  ASSERT_TRUE(reader.error());
  EXPECT_EQ(reader.error()->status, 400);
}

}  // namespace
}  // namespace rowbot::server
