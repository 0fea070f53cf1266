#include "robot/drivers/panel/debouncer.h"

#include <algorithm>

namespace rowbot::drivers {
namespace {

/// A line that crackles for longer than any bounce holds up the others no more.
constexpr std::chrono::nanoseconds kPatience = std::chrono::milliseconds(60);

}  // namespace

Debouncer::Debouncer(const std::vector<bool>& high, Time now, const DebounceOptions& options)
    : options_(options), now_(now) {
  for (const bool level : high) {
    lines_.push_back({.state = level ? State::kFree : State::kPressed,
                      .high = level,
                      .since = now,
                      .first = now});
  }
}

void Debouncer::settle(std::size_t index, Time now) {
  Line& line = lines_[index];
  const Time steady = now - line.since;
  if (line.state == State::kTouched && !line.high && steady >= options_.contact) {
    line.state = State::kPressed;
    certain_.push_back({.kind = Kind::kPressed, .line = index, .time = line.first});
  }
  if (line.state != State::kFree && !line.reported && now - line.first >= options_.stuck &&
      !(line.high && steady >= options_.release)) {
    line.reported = true;
    certain_.push_back({.kind = Kind::kStuck, .line = index, .time = line.first + options_.stuck});
  }
  if (line.state != State::kFree && line.high && steady >= options_.release) {
    if (line.state == State::kPressed) {
      certain_.push_back({.kind = Kind::kReleased, .line = index, .time = line.since});
    }
    line.state = State::kFree;
    line.reported = false;
  }
}

void Debouncer::feed(std::size_t line, bool high, Time time) {
  settle(line, time);
  Line& fed = lines_[line];
  fed.high = high;
  fed.since = time;
  if (!high && fed.state == State::kFree) {
    fed.state = State::kTouched;
    fed.first = time;
  }
}

std::vector<Debouncer::Event> Debouncer::advance(Time now) {
  now_ = now;
  for (std::size_t i = 0; i < lines_.size(); ++i) settle(i, now);
  std::ranges::stable_sort(certain_, {}, &Event::time);
  Time clear = Time::max();  // before this, nothing is open any more
  for (const Line& line : lines_) {
    if (line.state == State::kTouched && now - line.first < kPatience) {
      clear = std::min(clear, line.first);
    }
  }
  const auto end = std::ranges::find_if(certain_, [&](const Event& e) { return e.time > clear; });
  std::vector<Event> events(certain_.begin(), end);
  certain_.erase(certain_.begin(), end);
  return events;
}

std::optional<Debouncer::Time> Debouncer::next_deadline() const {
  std::optional<Time> next;
  const auto consider = [&](Time time) {
    if (time > now_ && (!next || time < *next)) next = time;
  };
  for (const Line& line : lines_) {
    if (line.state == State::kFree) continue;
    consider(line.since + (line.high ? options_.release : options_.contact));
    if (!line.reported) consider(line.first + options_.stuck);
    if (line.state == State::kTouched) consider(line.first + kPatience);
  }
  return next;
}

}  // namespace rowbot::drivers
