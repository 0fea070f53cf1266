// The hand that drops discs: what a table knows of an arm. It speaks of columns, never of joints.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/result.h"
#include "game/column.h"
#include "robot/cell/arm_driver.h"
#include "robot/cell/drop_plan.h"
#include "robot/cell/layout.h"

namespace rowbot::cell {

enum class HandTrouble : std::uint8_t {
  kNone,       // the disc was let go over its column
  kNoPiece,    // the fingers closed on nothing: the magazine is empty
  kLostPiece,  // something was picked up, but it was gone before the column
  kAdrift,     // the hand does not stand where it believes to stand
  kNoWay,      // the column cannot be reached where it is believed to be
  kFault,      // the arm stopped
};

struct HandReport {
  HandTrouble trouble = HandTrouble::kNone;
  std::string what;  // in words, when there is trouble
};

/// Life cycle: prepare() before the first drop and after every fault.
/// Thread safety: halt() from any thread at any time; the rest from one thread.
class Hand {
 public:
  Hand() = default;
  Hand(const Hand&) = delete;
  Hand& operator=(const Hand&) = delete;
  Hand(Hand&&) = delete;
  Hand& operator=(Hand&&) = delete;
  virtual ~Hand() = default;

  /// Clears a fault, switches on and goes to the neutral place, away from the board. Blocks.
  [[nodiscard]] virtual Result<void> prepare() = 0;
  /// Fetches a disc, drops it and goes back. Blocks until then, or until trouble.
  [[nodiscard]] virtual HandReport drop(game::Column column) = 0;
  /// Why the arm should be set on its marks before the next drop; empty: no need.
  [[nodiscard]] virtual std::string calibration_due() const { return {}; }
  /// Somebody has set it on its marks and taken out what it held.
  virtual void calibrated() {}
  /// Stops whatever moves. prepare() goes on from there.
  virtual void halt() noexcept = 0;
};

/// A hand at the end of any arm.
class ArmHand final : public Hand {
 public:
  using PlanRunner = std::function<Result<void>(const DropPlan&)>;

  /// The driver outlives the hand. `run_whole` is for arms that take a whole drop at once.
  ArmHand(ArmDriver& driver, CellLayout layout, std::uint64_t seed = 1, PlanRunner run_whole = {});

  [[nodiscard]] Result<void> prepare() override;
  [[nodiscard]] HandReport drop(game::Column column) override;
  [[nodiscard]] std::string calibration_due() const override { return driver_.calibration_due(); }
  void calibrated() override;
  void halt() noexcept override { driver_.halt(); }

  /// Looks where the hand's marker is, in columns from the middle of the first; none when it is not
  /// seen. With it the hand corrects its aim over the column before it lets go, and remembers the
  /// correction for the next drops: motors without feedback drift from move to move.
  using MarkerSight = std::function<std::optional<double>()>;
  void watch_aim(MarkerSight look) { look_ = std::move(look); }
  /// How far the drops are shifted along the board, as learned so far.
  [[nodiscard]] double correction_m() const { return correction_m_; }
  /// The cell as it is known now, for example after a calibration.
  void set_layout(CellLayout layout) { layout_ = std::move(layout); }

 private:
  /// What the fingers are believed to do; a halt can come at any moment.
  enum class Grip : std::uint8_t { kOpen, kClosing, kHolding };

  [[nodiscard]] bool holds_piece() const;
  [[nodiscard]] Result<void> open_fingers();
  [[nodiscard]] Result<void> go_home();
  [[nodiscard]] HandReport back_home(HandTrouble trouble, std::string what);
  [[nodiscard]] HandReport release(const DropStep& step, arm::JointVector& q_rad);
  [[nodiscard]] HandReport aim(arm::JointVector& q_rad);
  [[nodiscard]] Result<void> shift(arm::JointVector& q_rad, const arm::Pose& X_base_tool);

  ArmDriver& driver_;
  CellLayout layout_;
  std::uint64_t seed_;
  PlanRunner run_whole_;
  MarkerSight look_;
  double correction_m_ = 0;
  Grip grip_ = Grip::kOpen;
};

}  // namespace rowbot::cell
