// Thousands of things that go wrong on the wires of the RoboArm and the Panda, one at a time, while
// the arm moves or grips, now and then halted on the way. These arms get a whole motion at once, so
// a fault is laid before the motion is sent. The arm at the far end is the kinematic one, which
// looks at every joint's range and speed on every step. Thread safety: pure functions of their
// arguments, except for the time they take.
#pragma once

#include "trials/wire_trials.h"

namespace rowbot::trials {

/// Lost, doubled, broken and late bytes on the RoboArm's serial line, and pulled plugs. What the
/// line cannot tell has to show in a look at the arm afterwards.
[[nodiscard]] Result<WireTrialReport> run_serial_faults(const WireTrialOptions& options);
/// Lost, doubled, broken and late texts, lost, refused and aborted goals, joint states that cease,
/// broken frames and closed sockets between the Panda and its rosbridge.
[[nodiscard]] Result<WireTrialReport> run_rosbridge_faults(const WireTrialOptions& options);

}  // namespace rowbot::trials
