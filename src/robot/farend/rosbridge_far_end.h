// A Panda behind a rosbridge, simulated: a WebSocket server on this machine that takes trajectory
// and gripper goals as ROS 1 does and moves an arm by them. It can misbehave: messages get lost,
// doubled, late or broken, goals are refused or aborted, the socket closes, the joint states cease.
// It takes no goal that a joint's range or speed forbids, as the controllers with joint limits do.
// Thread safety: none; advance() is called where time is simulated.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "robot/drivers/rosbridge/messages.h"
#include "robot/drivers/rosbridge/panda_arm.h"
#include "robot/drivers/rosbridge/text_socket.h"
#include "robot/farend/wire_world.h"

namespace rowbot::farend {

enum class BridgeFault {
  kLostText,     // one that goes to the driver
  kDoubledText,  // the same
  kLateTexts,    // everything to the driver, for a while
  kBrokenText,   // no longer JSON, or not what it was
  kLostGoal,     // one from the driver
  kRefusedGoal,
  kAbortedGoal,
  kSilentJoints,  // no joint states for a while
  kBrokenFrame,   // bytes that are no WebSocket frame
  kClosed,
};
inline constexpr int kBridgeFaults = 10;
[[nodiscard]] const char* bridge_fault_name(BridgeFault fault);

/// A trajectory goal as the far end has read it.
struct TrajectoryGoal {
  struct Point {
    double time_s = 0;
    arm::JointState state;
  };
  std::string id;
  std::vector<Point> points;
};
struct GripGoalRead {
  std::string id;
  bool grasp = false;
  double width_m = 0;
  double speed_m_s = 0;
  double force_n = 0;
};
/// What a client may send, as the far end understands it.
struct ClientText {
  std::string subscribed;  // a topic
  std::string cancelled;   // an action
  std::optional<TrajectoryGoal> trajectory;
  std::optional<GripGoalRead> grip;
  std::string refusal;  // why a goal cannot be taken, with goal_id
  std::string goal_id;
};
[[nodiscard]] Result<ClientText> parse_client_text(const drivers::RosTopics& topics,
                                                   const arm::ArmModel& model,
                                                   std::string_view text);
/// Between its points a goal runs along polynomials of the fifth degree, as the ROS controller's.
[[nodiscard]] arm::JointState goal_at(const TrajectoryGoal& goal, const arm::JointVector& from_rad,
                                      double time_s);

struct RosbridgeFarEndOptions {
  drivers::RosTopics topics;
  std::uint16_t port = 0;  // 0: a free one
  std::uint64_t seed = 1;
};

class RosbridgeFarEnd {
 public:
  /// `world` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<RosbridgeFarEnd>> create(
      WireWorld& world, const RosbridgeFarEndOptions& options);

  [[nodiscard]] drivers::SocketAddress address() const;
  /// What the driver has sent and heard: simulated time waits for what is under way.
  void expect(std::function<drivers::PandaArm::Traffic()> traffic) {
    traffic_ = std::move(traffic);
  }
  void advance(double seconds);

  /// Befalls the text or goal after `after` others; `seconds` for what lasts.
  void inject(BridgeFault fault, std::uint64_t after, double seconds = 0.3);
  [[nodiscard]] bool fault_pending() const { return fault_.has_value(); }
  void clear_faults();
  [[nodiscard]] bool running() const { return goal_.has_value(); }
  [[nodiscard]] std::uint64_t goals_taken() const { return goals_taken_; }

 private:
  struct Pending {
    BridgeFault kind = BridgeFault::kClosed;
    std::uint64_t after = 0;
    double seconds = 0;
  };
  struct Running {
    TrajectoryGoal goal;
    arm::JointVector from_rad;
    double time_s = 0;
    std::optional<double> abort_s;
  };

  RosbridgeFarEnd(WireWorld& world, const RosbridgeFarEndOptions& options);
  void settle();
  void meet_clients();
  void hear(const std::string& text);
  void obey(ClientText text);
  void cancel(const std::string& action);
  void begin(TrajectoryGoal goal);
  void move_on(double seconds);
  void run_motion(double seconds);
  void run_grip(double seconds);
  void hold();
  void report_joints();
  void report_motion(const std::string& goal_id, int code, int error, const std::string& words);
  void report_grip(const GripGoalRead& goal, int code, bool success, const std::string& words);
  void say(const std::string& topic, std::string text);
  void send(std::string text);
  [[nodiscard]] bool befalls(BridgeFault kind);

  WireWorld& world_;
  RosbridgeFarEndOptions options_;
  Rng rng_;
  std::function<drivers::PandaArm::Traffic()> traffic_;
  std::set<std::string> subscribed_;
  std::optional<Running> goal_;
  std::optional<GripGoalRead> grip_;
  double grip_s_ = 0;
  double still_s_ = 0;
  double last_width_m_ = 0;
  double width_m_ = 0;
  arm::JointVector target_rad_;
  arm::JointVector target_v_rad_s_;
  double time_s_ = 0;
  double joints_due_s_ = 0;
  double feedback_due_s_ = 0;
  double silent_s_ = 0;
  double late_s_ = 0;
  std::vector<std::string> held_;
  std::optional<Pending> fault_;
  std::uint64_t goals_taken_ = 0;

  std::mutex arriving_mutex_;  // guards arriving_
  std::vector<std::unique_ptr<drivers::TextSocket>> arriving_;
  std::unique_ptr<drivers::TextSocket> client_;
  std::unique_ptr<drivers::TextListener> listener_;  // last: it calls back until it is gone
};

}  // namespace rowbot::farend
