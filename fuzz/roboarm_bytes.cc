#include "fuzz.h"
#include "robot/drivers/serial/roboarm_protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rowbot::drivers;
  const CommandTable table;
  RoboArmDecoder decoder(table);
  std::vector<RoboArmOrder> orders;
  for (std::size_t i = 0; i < size; ++i) {
    const auto order = decoder.feed(data[i]);
    if (!order) continue;
    rowbot::fuzz::require(order->degrees >= 0 && order->degrees <= 255, "degrees fit a byte");
    rowbot::fuzz::require(moves_a_joint(order->verb) || order->degrees == 0,
                          "only joints turn by degrees");
    if (order->degrees <= kMostDegrees) orders.push_back(*order);
  }
  // What was understood can be said again and is understood the same way.
  RoboArmDecoder again(table);
  std::size_t next = 0;
  for (const std::uint8_t byte : encode(table, orders)) {
    const auto order = again.feed(byte);
    if (!order) continue;
    rowbot::fuzz::require(next < orders.size() && *order == orders[next], "the same orders");
    ++next;
  }
  rowbot::fuzz::require(next == orders.size(), "all of them");
  return 0;
}
