#include "robot/drivers/pacer.h"

#include <chrono>
#include <pthread.h>
#include <sched.h>
#include <utility>

namespace rowbot::drivers {
namespace {

constexpr int kPacerPriority = 40;
constexpr double kLongestWaitS = 3600;

}  // namespace

bool ask_for_real_time(int priority) {
  sched_param wanted{};
  wanted.sched_priority = priority;
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted) == 0;
}

void RealTimePacer::start(double period_s, Tick tick) {
  thread_ = std::jthread([this, period_s, tick = std::move(tick)](const std::stop_token& stop) {
    run(stop, period_s, tick);
  });
}

void RealTimePacer::run(const std::stop_token& stop, double period_s, const Tick& tick) {
  using Clock = std::chrono::steady_clock;
  ask_for_real_time(kPacerPriority);
  const auto period =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(period_s));
  auto due = Clock::now();
  auto before = due - period;
  while (!stop.stop_requested()) {
    const auto now = Clock::now();
    tick(std::chrono::duration<double>(now - before).count());
    before = now;
    due += period;
    if (due < now) due = now + period;
    std::unique_lock lock(mutex_);
    ++ticks_;
    ticked_.notify_all();
    ticked_.wait_until(lock, stop, due, [] { return false; });
  }
}

void RealTimePacer::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

bool RealTimePacer::wait_for(const std::function<bool()>& done) {
  constexpr auto kSilence = std::chrono::seconds(2);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kLongestWaitS);
  while (!done()) {
    std::unique_lock lock(mutex_);
    const std::uint64_t seen = ticks_;
    if (!ticked_.wait_for(lock, kSilence, [&] { return ticks_ != seen; })) return false;
    if (std::chrono::steady_clock::now() > end) return false;
  }
  return true;
}

void SimulatedPacer::start(double period_s, Tick tick) {
  period_s_ = period_s;
  tick_ = std::move(tick);
}

void SimulatedPacer::step() {
  const double elapsed_s = period_s_ + std::exchange(stall_s_, 0.0);
  now_s_ += elapsed_s;
  if (tick_) tick_(elapsed_s);
  if (world_) world_(elapsed_s);
}

bool SimulatedPacer::wait_for(const std::function<bool()>& done) {
  const double end_s = now_s_ + kLongestWaitS;
  while (!done()) {
    if (!tick_ || now_s_ > end_s) return false;
    step();
  }
  return true;
}

void SimulatedPacer::advance(double seconds) {
  constexpr double kDust = 1e-9;
  left_s_ += seconds;
  while (period_s_ > 0 && left_s_ >= period_s_ - kDust) {
    left_s_ -= period_s_;
    step();
  }
}

}  // namespace rowbot::drivers
