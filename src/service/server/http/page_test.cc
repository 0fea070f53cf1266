#include "service/server/http/page.h"

#include <array>
#include <string>
#include <zlib.h>

#include "gtest/gtest.h"

namespace rowbot::server {
namespace {

std::string unzipped(std::string_view gzip, std::size_t size) {
  constexpr int kGzipWindow = 15 + 16;  // the largest window, and the gzip header
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return {};
  std::string text(size, ' ');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  const int code = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return code == Z_STREAM_END && stream.avail_out == 0 ? text : std::string();
}

TEST(Page, HoldsEveryFileInThreeForms) {
  ASSERT_FALSE(embedded_files().empty());
  for (const EmbeddedFile& file : embedded_files()) {
    EXPECT_FALSE(file.plain.empty()) << file.path;
    EXPECT_EQ(unzipped(file.gzip, file.plain.size()), file.plain) << file.path;
    EXPECT_FALSE(file.brotli.empty()) << file.path;
  }
}

TEST(Page, IsInsideTheProgram) {
  const PageAnswer front = page_answer("/", "");
  EXPECT_EQ(front.status, 200);
  EXPECT_NE(front.body.find("<html"), std::string_view::npos);
  EXPECT_EQ(page_answer("/g/" + std::string(32, 'a'), "").status, 200);
  EXPECT_EQ(page_answer("/nothing/here", "").status, 404);
  EXPECT_EQ(page_answer("/../etc/passwd", "").status, 404);
}

TEST(Page, SendsTheFormThatTheClientLikesBest) {
  const auto coding = [](std::string_view accepted) { return page_answer("/", accepted).coding; };
  EXPECT_EQ(coding(""), "");
  EXPECT_EQ(coding("gzip, deflate, br"), "br");
  EXPECT_EQ(coding("gzip"), "gzip");
  EXPECT_EQ(coding("x-gzip"), "gzip");
  EXPECT_EQ(coding("GZIP;q=0.5"), "gzip");
  EXPECT_EQ(coding("br;q=0.1, gzip;q=0.9"), "gzip");
  EXPECT_EQ(coding("br;q=0, gzip;q=0"), "");
  EXPECT_EQ(coding("gzip;q=0.000"), "");
  EXPECT_EQ(coding("gzip;q=2"), "") << "what is no quality is no wish";
  EXPECT_EQ(coding("*"), "br");
  EXPECT_EQ(coding("*;q=0.5, br;q=0"), "gzip");
  EXPECT_EQ(coding("identity, gzip;q=0.5"), "");
  EXPECT_EQ(coding("identity;q=0.5, gzip;q=1.0"), "gzip");
  EXPECT_EQ(coding("nogzip, brr"), "");
  EXPECT_EQ(coding("*;q=0"), "") << "something must be sent";
}

TEST(Page, NamesEachFormAndKnowsItAgain) {
  const PageAnswer plain = page_answer("/", "");
  const PageAnswer gzip = page_answer("/", "gzip");
  EXPECT_NE(plain.etag, gzip.etag);
  EXPECT_EQ(plain.body.data(), page_answer("/lab", "").body.data()) << "the same bytes, no copy";
  const std::string list = "\"other\", W/" + std::string(gzip.etag);
  EXPECT_TRUE(matches_etag(gzip.etag, gzip.etag));
  EXPECT_TRUE(matches_etag(list, gzip.etag));
  EXPECT_TRUE(matches_etag("*", gzip.etag));
  EXPECT_FALSE(matches_etag(list, plain.etag));
  EXPECT_FALSE(matches_etag("", plain.etag));
}

}  // namespace
}  // namespace rowbot::server
