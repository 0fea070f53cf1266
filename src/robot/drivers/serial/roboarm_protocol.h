// The bytes that the RoboArm understands. Known from Rhodes 1993: the first byte of a message is
// the command; moves are followed by one byte of degrees, opening and closing are not; commands can
// be stored in a buffer and run from there; a new command ends the one that runs; the arm never
// answers. Which byte means what stood in the maker's manual, which is lost: the bytes below are
// assumed, and a configuration file replaces them.
// Thread safety: plain values and pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace rowbot::drivers {

enum class RoboArmVerb : std::uint8_t {
  kBaseLeft,
  kBaseRight,
  kShoulderForward,
  kShoulderBack,
  kElbowDown,
  kElbowUp,
  kWristLeft,
  kWristRight,
  kOpen,
  kClose,
  kLoad,    // what follows is stored
  kLoaded,  // until here
  kRun,     // the stored commands, once
  kStop,    // ends what runs or loads
};
inline constexpr std::size_t kRoboArmVerbs = 14;
inline constexpr int kRoboArmJoints = 4;
/// What one byte of degrees can say; the base turns through as many.
inline constexpr int kMostDegrees = 254;

/// The key of a verb in a configuration file.
[[nodiscard]] const char* verb_name(RoboArmVerb verb);
[[nodiscard]] bool moves_a_joint(RoboArmVerb verb);

/// Increasing angles are left, forward, down and left: verb 2 i for joint i, and 2 i + 1 back.
[[nodiscard]] RoboArmVerb turning(int joint, bool increasing);
struct Turn {
  int joint = 0;
  int sign = 1;
};
/// Requires moves_a_joint(verb).
[[nodiscard]] Turn turn_of(RoboArmVerb verb);

struct RoboArmOrder {
  RoboArmVerb verb = RoboArmVerb::kStop;
  int degrees = 0;  // for moves of a joint only

  friend bool operator==(const RoboArmOrder&, const RoboArmOrder&) = default;
};

/// One byte per verb, all different.
struct CommandTable {
  /// A stop that is taken for the degrees of a broken-off command is 0 degrees: harmless.
  std::array<std::uint8_t, kRoboArmVerbs> bytes = {'L', 'R', 'F', 'B', 'D', 'U', 'W',
                                                   'V', 'O', 'C', 'M', 'E', 'G', 0};

  [[nodiscard]] std::uint8_t operator[](RoboArmVerb verb) const {
    return bytes[static_cast<std::size_t>(verb)];
  }
  [[nodiscard]] std::optional<RoboArmVerb> verb_of(std::uint8_t byte) const;
  friend bool operator==(const CommandTable&, const CommandTable&) = default;
};
/// Two verbs with the same byte are a mistake.
[[nodiscard]] Result<void> check_table(const CommandTable& table);

[[nodiscard]] std::vector<std::uint8_t> encode(const CommandTable& table,
                                               std::span<const RoboArmOrder> orders);

/// The arm's end: bytes to orders, whatever the bytes. Unknown command bytes are passed over.
class RoboArmDecoder {
 public:
  explicit RoboArmDecoder(const CommandTable& table) : table_(table) {}
  [[nodiscard]] std::optional<RoboArmOrder> feed(std::uint8_t byte);
  [[nodiscard]] std::uint64_t unknown() const { return unknown_; }

 private:
  CommandTable table_;
  std::optional<RoboArmVerb> waiting_;  // for its degrees
  std::uint64_t unknown_ = 0;
};

}  // namespace rowbot::drivers
