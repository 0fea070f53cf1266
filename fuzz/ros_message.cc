#include "fuzz.h"
#include "robot/drivers/rosbridge/messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rowbot::drivers;
  const auto read = parse_ros_message({}, rowbot::fuzz::as_text(data, size));
  if (!read) {
    rowbot::fuzz::require(!read.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  if (const auto* states = std::get_if<JointStates>(&*read)) {
    rowbot::fuzz::require(states->names.size() == states->positions.size(),
                          "every joint has a position");
    for (const double q : states->positions) {
      rowbot::fuzz::require(q == q, "a position is a number");
    }
  }
  if (const auto* result = std::get_if<MotionResult>(&*read)) {
    const auto words = failure_words(*result);
    rowbot::fuzz::require(!words || !words->empty(), "a failure is told in words");
  }
  if (const auto* result = std::get_if<GripResult>(&*read)) {
    const auto words = failure_words(*result);
    rowbot::fuzz::require(!words || !words->empty(), "a failure is told in words");
  }
  return 0;
}
