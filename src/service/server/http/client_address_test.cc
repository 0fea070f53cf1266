#include "service/server/http/client_address.h"

#include "gtest/gtest.h"

namespace rowbot::server {
namespace {

TEST(ClientAddress, ReadsEveryFormThatProxiesWrite) {
  for (const char* element : {"203.0.113.7", " 203.0.113.7 ", "203.0.113.7:4711", "\"203.0.113.7\"",
                              "\"203.0.113.7:4711\"", "\t203.0.113.7:1"}) {
    EXPECT_EQ(forwarded_address(element), "203.0.113.7") << element;
  }
  for (const char* element : {"2001:db8::17", "[2001:db8::17]", "[2001:db8::17]:4711",
                              "\"[2001:db8::17]:4711\"", "\"[2001:db8::17]\""}) {
    EXPECT_EQ(forwarded_address(element), "2001:db8::17") << element;
  }
}

TEST(ClientAddress, DoesNotGuess) {
  for (const char* element :
       {"", " ", "unknown", "_hidden", "203.0.113", "203.0.113.7:", "203.0.113.7:x", ":80", "[",
        "[]", "[2001:db8::17", "[2001:db8::17]x", "[2001:db8::17]:", "[203.0.113.7]:80", "\"",
        "203.0.113.7:123456", "example.org:80", "for=203.0.113.7"}) {
    EXPECT_FALSE(forwarded_address(element)) << element;
  }
}

TEST(ClientAddress, BelievesOnlyTheLastElement) {
  EXPECT_EQ(forwarded_client("198.51.100.1, 203.0.113.7:99"), "203.0.113.7");
  EXPECT_EQ(forwarded_client("198.51.100.1,[2001:db8:1:2:3::4]:5"), "20010db800010002");
  EXPECT_EQ(forwarded_client("198.51.100.1, unknown"), "unknown");
  EXPECT_EQ(forwarded_client("198.51.100.1,"), "unknown");
  EXPECT_EQ(forwarded_client("::ffff:203.0.113.7"), "203.0.113.7");
}

}  // namespace
}  // namespace rowbot::server
