// The Franka Panda behind a rosbridge, with ROS 1 actions: joint trajectories for the arm, move and
// grasp for the hand. Nobody needs ROS to build this. Limits are checked here before anything is
// sent; where the arm is, its joint states say.
//
// A lost connection is a fault. The arm's controller does not notice it: it runs the checked motion
// to its end. clear_fault() connects again.
// Thread safety: as cell::ArmDriver.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "robot/drivers/rosbridge/messages.h"
#include "robot/drivers/rosbridge/text_socket.h"
#include "robot/drivers/whole_motion_arm.h"

namespace rowbot::drivers {

struct PandaOptions {
  SocketAddress address;
  RosTopics topics;
  double watchdog_s = 0.2;
  double sample_s = 0.05;        // between the points of a trajectory goal
  double take_up_s = 1.0;        // until the controller shows that it runs a goal
  double result_margin_s = 1.0;  // beyond the motion's duration
  double stale_s = 0.5;          // joint states older than this are a fault
  double hello_s = 3.0;          // for the connection and the first joint states
};

class PandaArm final : public WholeMotionArm {
 public:
  PandaArm(PandaOptions options, std::shared_ptr<Pacer> pacer);
  ~PandaArm() override;
  PandaArm(const PandaArm&) = delete;
  PandaArm& operator=(const PandaArm&) = delete;
  PandaArm(PandaArm&&) = delete;
  PandaArm& operator=(PandaArm&&) = delete;

  /// Texts sent and arrived on the present connection.
  struct Traffic {
    std::uint64_t sent = 0;
    std::uint64_t arrived = 0;
    bool open = false;
  };
  [[nodiscard]] Traffic traffic() const;

 private:
  struct Goal {
    std::string id;
    double sent_s = 0;
    double duration_s = 0;
    arm::JointVector end_rad;
    bool taken_up = false;
    std::optional<MotionResult> result;
    double result_s = 0;
  };
  struct Grip {
    std::string id;
    std::optional<GripResult> result;
    std::uint64_t states_then = 0;  // joint states seen when the result came
  };

  Result<void> connect() override;
  Result<void> check_motion(const arm::Trajectory& motion) override;
  Result<void> send_motion(const arm::Trajectory& motion) override;
  Result<Progress> motion_progress() override;
  Result<double> send_grip(const cell::GripCommand& command) override;
  void send_stop() noexcept override;
  Result<void> check_wire() override;
  [[nodiscard]] Stance stance() const override;
  void motion_over(bool completed) override;

  [[nodiscard]] std::shared_ptr<TextSocket> socket() const;
  Result<void> hear();
  Result<void> take(const JointStates& states);
  Result<void> take(const MotionFeedback& feedback);
  Result<void> take(const MotionResult& result);
  Result<void> take(const GripResult& result);
  Result<void> take(const BridgeNote& note);
  static Result<void> take(const Unrelated& other);
  std::string next_id();

  PandaOptions options_;

  mutable std::mutex wire_;  // guards what follows
  std::shared_ptr<TextSocket> socket_;
  Stance stance_;
  std::uint64_t states_ = 0;  // how many have come
  double states_s_ = 0;       // when the last one came
  std::optional<Goal> goal_;
  std::optional<Grip> grip_;
  std::uint64_t goals_ = 0;
  std::string session_;  // goals of other clients, and of us before a restart, have other names
};

}  // namespace rowbot::drivers
