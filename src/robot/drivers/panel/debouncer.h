// From the edges of switches to presses. Contacts bounce: one press is many edges, for some
// milliseconds when it closes and again when it opens.
//
//   level   ‾‾‾|_|‾|___|‾|________________________|‾|_|‾|‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾
//              ^ first contact                     \_____/ bounces    ^
//                   ^ closed for `contact`: a press            open for `release`: free again
//
// A press counts once it has been closed for `contact` without a break (shorter: a spark), and
// bears the time of its first contact. Presses come out in the order of those times: a later one
// waits until it is clear what became of an earlier. Thread safety: none; a pure state machine
// without a clock of its own.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

namespace rowbot::drivers {

struct DebounceOptions {
  std::chrono::nanoseconds contact = std::chrono::milliseconds(2);
  std::chrono::nanoseconds release = std::chrono::milliseconds(25);
  std::chrono::nanoseconds stuck = std::chrono::seconds(3);
};

class Debouncer {
 public:
  using Time = std::chrono::nanoseconds;
  enum class Kind { kPressed, kReleased, kStuck };
  struct Event {
    Kind kind = Kind::kPressed;
    std::size_t line = 0;
    Time time{};
  };

  /// Levels at the start: a switch that is closed already was not pressed, but may be stuck.
  Debouncer(const std::vector<bool>& high, Time now, const DebounceOptions& options);

  /// The times of one line never go back.
  void feed(std::size_t line, bool high, Time time);
  /// What is certain by now. All edges before `now` must have been fed.
  [[nodiscard]] std::vector<Event> advance(Time now);
  /// When advance() may have more to say although no edge comes.
  [[nodiscard]] std::optional<Time> next_deadline() const;
  [[nodiscard]] bool high(std::size_t line) const { return lines_[line].high; }

 private:
  enum class State { kFree, kTouched, kPressed };
  struct Line {
    State state = State::kFree;
    bool high = true;
    bool reported = false;  // stuck
    Time since{};           // of the level
    Time first{};           // contact
  };

  void settle(std::size_t index, Time now);

  DebounceOptions options_;
  std::vector<Line> lines_;
  std::vector<Event> certain_;
  Time now_{};
};

}  // namespace rowbot::drivers
