// How time passes at a table: by the clock on the wall, or as fast as a simulation goes.
#pragma once

#include <chrono>
#include <thread>

namespace rowbot::table {

/// Thread safety: of the thread that plays.
class Pace {
 public:
  Pace() = default;
  Pace(const Pace&) = delete;
  Pace& operator=(const Pace&) = delete;
  Pace(Pace&&) = delete;
  Pace& operator=(Pace&&) = delete;
  virtual ~Pace() = default;

  /// Lets time pass; blocks for as long as that takes.
  virtual void wait(double seconds) = 0;
  [[nodiscard]] virtual double now_s() const = 0;
};

class WallPace final : public Pace {
 public:
  void wait(double seconds) override {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  [[nodiscard]] double now_s() const override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace rowbot::table
