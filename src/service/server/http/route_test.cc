#include "service/server/http/route.h"

#include <cctype>
#include <fstream>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace rowbot::server {
namespace {

using ::testing::ContainerEq;
using ::testing::HasSubstr;

const std::string kGame = "/api/v1/games/0123456789abcdef0123456789abcdef";

std::string target_of(const RouteRow& row) {
  std::string target(row.path);
  if (const std::size_t at = target.find("{token}"); at != std::string::npos) {
    target.replace(at, 7, "0123456789abcdef0123456789abcdef");
  }
  return target;
}

TEST(Routes, AreTheOnesThatTheDocumentDescribes) {
  std::ifstream file(ROWBOT_SOURCE_DIR "/docs/openapi.json");
  const auto document = nlohmann::json::parse(file);
  std::set<std::string> described;
  for (const auto& [path, methods] : document.at("paths").items()) {
    for (const auto& [method, operation] : methods.items()) {
      if (method == "parameters") continue;
      std::string line;
      for (const char c : method) line += static_cast<char>(std::toupper(c));
      described.insert(line + ' ' + path);
    }
  }
  std::set<std::string> served;
  for (const RouteRow& row : routes()) {
    served.insert(std::string(row.method) + ' ' + std::string(row.path));
  }
  EXPECT_THAT(served, ContainerEq(described));
  EXPECT_EQ(served.size(), routes().size()) << "no row twice";
}

TEST(Routes, EachIsFoundByItsMethodAndPath) {
  for (const RouteRow& row : routes()) {
    const auto route = route_of(row.method, target_of(row) + "?moves=4&moves=5");
    ASSERT_TRUE(route) << row.path;
    EXPECT_EQ(route->row, &row) << row.path;
    EXPECT_EQ(route->token.empty(), row.caller != Caller::kTokenHolder) << row.path;
    EXPECT_EQ(route->parameter("moves"), "4");
    EXPECT_EQ(row.path.find("{token}") != std::string_view::npos,
              row.caller == Caller::kTokenHolder)
        << row.path;
  }
}

TEST(Routes, RefuseAnUnknownPathAndAWrongMethod) {
  const auto status = [](std::string_view method, const std::string& target) {
    const auto route = route_of(method, target);
    return route ? 200 : route.error().status;
  };
  for (const char* target : {"", "x", "/%", "/%zz", "/%0a", "/a?b=%f", "http://else/"}) {
    EXPECT_EQ(status("GET", target), 400) << target;
  }
  EXPECT_EQ(status("GET", "/api/v2/games"), 404);
  EXPECT_EQ(status("GET", "/api/v1/nothing"), 404);
  EXPECT_EQ(status("GET", "/api/v1/games/short"), 404);
  EXPECT_EQ(status("GET", kGame + "/nothing"), 404);
  EXPECT_EQ(status("GET", kGame + "/moves/more"), 404);
  EXPECT_EQ(status("DELETE", "/api/v1/lab/matches/short"), 404);
  EXPECT_EQ(status("PUT", "/api/v1/games"), 405);
  EXPECT_EQ(status("HEAD", "/api/v1/levels"), 405);
  EXPECT_EQ(status("POST", "/healthz"), 405);
  EXPECT_EQ(status("HEAD", "/healthz"), 200);
  EXPECT_EQ(route_of("GET", "/api/v1/games/short").error().code, "no_such_game");
  const auto both = route_of("PUT", "/api/v1/lab/matches/0123456789abcdef0123456789abcdef");
  ASSERT_FALSE(both);
  EXPECT_THAT(both.error().message, HasSubstr("GET, DELETE"));
}

TEST(Routes, DecodeTheQuery) {
  const auto analysis = route_of("GET", "/api/v1/analysis?x=%34+5&moves=4453");
  EXPECT_EQ(analysis->parameter("moves"), "4453");
  EXPECT_EQ(analysis->parameter("x"), "4 5");
  EXPECT_FALSE(analysis->has("y"));
}

TEST(Routes, WhatIsNoAddressOfTheApiIsAPage) {
  for (const char* target :
       {"/", "/play", "/g/0123456789abcdef0123456789abcdef", "/assets/index.js", "/healthz/more"}) {
    const auto route = route_of("GET", target);
    ASSERT_TRUE(route) << target;
    EXPECT_EQ(route->row, nullptr) << target;
    EXPECT_FALSE(route->websocket());
  }
}

}  // namespace
}  // namespace rowbot::server
