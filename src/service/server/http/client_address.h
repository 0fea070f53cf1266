// Which client a request comes from, as the limits count clients.
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rowbot::server {

inline constexpr std::string_view kUnknownClient = "unknown";

/// The key of a client: an IPv4 address as it is, the network of an IPv6 address, "local" for this
/// machine, and kUnknownClient for what is no address.
[[nodiscard]] std::string client_key(std::string_view address);

/// The address in one element of X-Forwarded-For, which may be in quotes and have a port:
/// 1.2.3.4, 1.2.3.4:567, 2001:db8::1, [2001:db8::1]:567, "[2001:db8::1]". Nothing for what is no
/// address.
[[nodiscard]] std::optional<std::string> forwarded_address(std::string_view element);

/// The key of the client that the trusted proxy saw: the last element of the last line of
/// X-Forwarded-For, since a proxy appends and everything before may be the client's invention.
/// "unknown" when that is no address.
[[nodiscard]] std::string forwarded_client(std::string_view last_line);

}  // namespace rowbot::server
