#include "robot/drivers/serial/roboarm_protocol.h"

#include <cassert>
#include <fmt/format.h>

namespace rowbot::drivers {
namespace {

constexpr std::array<const char*, kRoboArmVerbs> kNames = {
    "base_left",  "base_right", "shoulder_forward", "shoulder_back",
    "elbow_down", "elbow_up",   "wrist_left",       "wrist_right",
    "open",       "close",      "load_begins",      "load_ends",
    "run",        "stop"};

}  // namespace

const char* verb_name(RoboArmVerb verb) { return kNames[static_cast<std::size_t>(verb)]; }

bool moves_a_joint(RoboArmVerb verb) { return verb <= RoboArmVerb::kWristRight; }

RoboArmVerb turning(int joint, bool increasing) {
  assert(joint >= 0 && joint < kRoboArmJoints);
  return static_cast<RoboArmVerb>(2 * joint + (increasing ? 0 : 1));
}

Turn turn_of(RoboArmVerb verb) {
  assert(moves_a_joint(verb));
  const int index = static_cast<int>(verb);
  return {.joint = index / 2, .sign = index % 2 == 0 ? 1 : -1};
}

std::optional<RoboArmVerb> CommandTable::verb_of(std::uint8_t byte) const {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == byte) return static_cast<RoboArmVerb>(i);
  }
  return std::nullopt;
}

Result<void> check_table(const CommandTable& table) {
  for (std::size_t i = 0; i < kRoboArmVerbs; ++i) {
    for (std::size_t k = i + 1; k < kRoboArmVerbs; ++k) {
      if (table.bytes[i] != table.bytes[k]) continue;
      return Error{fmt::format("{} and {} have the same byte {}; each command needs its own",
                               kNames[i], kNames[k], table.bytes[i])};
    }
  }
  return {};
}

std::vector<std::uint8_t> encode(const CommandTable& table, std::span<const RoboArmOrder> orders) {
  std::vector<std::uint8_t> bytes;
  for (const RoboArmOrder& order : orders) {
    bytes.push_back(table[order.verb]);
    if (!moves_a_joint(order.verb)) continue;
    assert(order.degrees >= 0 && order.degrees <= kMostDegrees);
    bytes.push_back(static_cast<std::uint8_t>(order.degrees));
  }
  return bytes;
}

std::optional<RoboArmOrder> RoboArmDecoder::feed(std::uint8_t byte) {
  if (waiting_) {
    const RoboArmOrder order{.verb = *waiting_, .degrees = byte};
    waiting_.reset();
    return order;
  }
  const auto verb = table_.verb_of(byte);
  if (!verb) {
    ++unknown_;
    return std::nullopt;
  }
  if (moves_a_joint(*verb)) {
    waiting_ = verb;
    return std::nullopt;
  }
  return RoboArmOrder{.verb = *verb};
}

}  // namespace rowbot::drivers
