#include "service/server/token.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

#include "fmt/core.h"

namespace rowbot::server {
namespace {

constexpr std::size_t kTokenDigits = 32;

}  // namespace

std::string new_token() {
  std::array<std::uint8_t, kTokenDigits / 2> bytes{};
  ssize_t got = 0;
  do {
    got = ::getrandom(bytes.data(), bytes.size(), 0);
  } while (got < 0 && errno == EINTR);
  // A system without randomness cannot keep any game apart from any other.
  if (got != static_cast<ssize_t>(bytes.size())) std::abort();
  std::string token;
  for (const std::uint8_t byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool is_token(std::string_view text) {
  return text.size() == kTokenDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i] ^ b[i]));
  }
  return difference == 0;
}

}  // namespace rowbot::server
