#include "service/server/http/client_address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/text.h"
#include "fmt/core.h"

namespace rowbot::server {
namespace {

bool is_address(int family, std::string_view text) {
  in6_addr ignored{};
  return ::inet_pton(family, std::string(text).c_str(), &ignored) == 1;
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string client_key(std::string_view address) {
  const std::string text(address);
  in_addr four{};
  if (::inet_pton(AF_INET, text.c_str(), &four) == 1) {
    return text.starts_with("127.") ? "local" : text;
  }
  in6_addr six{};
  if (::inet_pton(AF_INET6, text.c_str(), &six) != 1) return "unknown";
  if (IN6_IS_ADDR_LOOPBACK(&six)) return "local";
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &six, bytes.size());
  if (IN6_IS_ADDR_V4MAPPED(&six)) {
    return client_key(fmt::format("{}.{}.{}.{}", bytes[12], bytes[13], bytes[14], bytes[15]));
  }
  std::string network;
  for (std::size_t i = 0; i < 8; ++i) network += fmt::format("{:02x}", bytes.at(i));
  return network;
}

std::optional<std::string> forwarded_address(std::string_view element) {
  std::string_view text = trimmed(element);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = trimmed(text.substr(1, text.size() - 2));
  }
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  if (is_address(AF_INET, text) || is_address(AF_INET6, text)) return std::string(text);
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view address = text.substr(1, end - 1);
    const std::string_view rest = text.substr(end + 1);
    const bool has_port = rest.starts_with(':') && is_port(rest.substr(1));
    if (!is_address(AF_INET6, address) || !(rest.empty() || has_port)) return std::nullopt;
    return std::string(address);
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || !is_port(text.substr(colon + 1))) return std::nullopt;
  const std::string_view address = text.substr(0, colon);
  if (!is_address(AF_INET, address)) return std::nullopt;
  return std::string(address);
}

std::string forwarded_client(std::string_view last_line) {
  const std::size_t comma = last_line.rfind(',');
  const auto address =
      forwarded_address(comma == std::string_view::npos ? last_line : last_line.substr(comma + 1));
  return client_key(address.value_or(""));
}

}  // namespace rowbot::server
