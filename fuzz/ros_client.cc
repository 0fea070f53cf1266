#include <cmath>

#include "fuzz.h"
#include "robot/farend/rosbridge_far_end.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rowbot;
  const arm::ArmModel& model = arm::panda();
  const auto read = farend::parse_client_text({}, model, fuzz::as_text(data, size));
  if (!read) {
    fuzz::require(!read.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  if (!read->refusal.empty()) return 0;
  if (read->trajectory) {
    fuzz::require(!read->trajectory->points.empty(), "a goal has points");
    for (const auto& point : read->trajectory->points) {
      fuzz::require(!arm::limit_violation(model, point.state.q_rad, 1e-3).has_value(),
                    "a goal that is taken stays within the joints' ranges");
    }
  }
  if (read->grip) {
    fuzz::require(read->grip->width_m >= 0 && read->grip->width_m <= model.gripper.max_width_m,
                  "a width that is taken can be reached");
  }
  return 0;
}
