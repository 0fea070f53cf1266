// Who calls a driver again and again at a fixed rate: a thread of its own, or, where time is
// simulated, whoever waits for the driver.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace rowbot::drivers {

class Pacer {
 public:
  /// Gets the seconds since the call before; the first gets the period.
  using Tick = std::function<void(double elapsed_s)>;

  Pacer() = default;
  virtual ~Pacer() = default;
  Pacer(const Pacer&) = delete;
  Pacer& operator=(const Pacer&) = delete;
  Pacer(Pacer&&) = delete;
  Pacer& operator=(Pacer&&) = delete;

  /// Requires that it does not run yet.
  virtual void start(double period_s, Tick tick) = 0;
  /// Afterwards no call is under way and none will come.
  virtual void stop() = 0;
  /// Blocks until done() holds, which is asked after each tick. False when the ticks have ceased or
  /// an hour has passed.
  [[nodiscard]] virtual bool wait_for(const std::function<bool()>& done) = 0;
};

/// A thread, with real-time priority where the system grants it. A late tick is not made up for.
/// Thread safety: start() and stop() from one thread; wait_for() from any.
class RealTimePacer final : public Pacer {
 public:
  RealTimePacer() = default;
  ~RealTimePacer() override { stop(); }
  RealTimePacer(const RealTimePacer&) = delete;
  RealTimePacer& operator=(const RealTimePacer&) = delete;
  RealTimePacer(RealTimePacer&&) = delete;
  RealTimePacer& operator=(RealTimePacer&&) = delete;
  void start(double period_s, Tick tick) override;
  void stop() override;
  [[nodiscard]] bool wait_for(const std::function<bool()>& done) override;

 private:
  void run(const std::stop_token& stop, double period_s, const Tick& tick);

  std::mutex mutex_;  // guards ticks_
  std::condition_variable_any ticked_;
  std::uint64_t ticks_ = 0;
  std::jthread thread_;
};

/// Time passes in wait_for() and advance(), as fast as the machine allows, on the caller's thread.
/// Thread safety: none.
class SimulatedPacer final : public Pacer {
 public:
  void start(double period_s, Tick tick) override;
  void stop() override { tick_ = {}; }
  [[nodiscard]] bool wait_for(const std::function<bool()>& done) override;

  void advance(double seconds);
  [[nodiscard]] double now_s() const { return now_s_; }
  /// What the rest of the world does with the time after each tick.
  void on_time(std::function<void(double elapsed_s)> world) { world_ = std::move(world); }
  /// The next tick comes this much later: a machine that was busy elsewhere.
  void stall(double seconds) { stall_s_ += seconds; }

 private:
  void step();

  double period_s_ = 0;
  double now_s_ = 0;
  double left_s_ = 0;  // of advance(), less than a period
  double stall_s_ = 0;
  Tick tick_;
  std::function<void(double)> world_;
};

/// Asks for real-time priority for the calling thread; false when the system refuses.
bool ask_for_real_time(int priority);

}  // namespace rowbot::drivers
