// One connection from a visitor: HTTP requests one after the other, perhaps a WebSocket in the end.
// Thread safety: the loop's thread only.
#pragma once

#include "boost/asio/ip/tcp.hpp"
#include "service/server/server_context.h"
#include "service/server/task.h"

namespace rowbot::server {

/// Serves until the visitor leaves, is too slow, or the server closes.
[[nodiscard]] Task<void> serve_connection(ServerContext& context,
                                          boost::asio::ip::tcp::socket socket);

}  // namespace rowbot::server
