// Tells the service manager how the program is: ready, what it does, still alive. Without one,
// nothing happens.
// Thread safety: free functions without shared state; call from any thread.
#pragma once

#include <string_view>

namespace rowbot::app {

/// `state` is what sd_notify(3) understands: READY=1, STATUS=text, WATCHDOG=1, STOPPING=1.
void notify_service(std::string_view state);

}  // namespace rowbot::app
