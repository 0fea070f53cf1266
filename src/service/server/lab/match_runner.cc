#include "service/server/lab/match_runner.h"

#include <algorithm>
#include <span>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "lab/matches/match.h"
#include "service/server/token.h"

namespace rowbot::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNiceness = 10;  // beyond every lane of the players

}  // namespace

struct MatchRunner::Match {
  Match(lab::MatchSpec spec, std::string whose)
      : id(new_token()), client(std::move(whose)), ledger(std::move(spec)) {}

  [[nodiscard]] bool open() const {
    return state == LabState::kWaiting || state == LabState::kPlaying;
  }

  std::string id;
  std::string client;
  lab::Ledger ledger;
  LabState state = LabState::kWaiting;
  std::optional<lab::PlayedGame> last;
  Clock::time_point began;
  std::chrono::milliseconds elapsed{0};
  bool out_of_time = false;
  StopSource stop;
  std::string problem;
};

/// Where run_match writes its games down: books that visitors can read at any moment.
class MatchRunner::Scoreboard final : public lab::GameArchive {
 public:
  Scoreboard(std::mutex& mutex, Match& match) : mutex_(mutex), match_(match) {}

  [[nodiscard]] Result<void> load(const lab::MatchSpec& /*spec*/, const Visit& /*visit*/) override {
    return {};
  }
  [[nodiscard]] Result<void> add(const lab::MatchSpec& /*spec*/,
                                 std::span<const lab::PlayedGame> games) override {
    const std::lock_guard lock(mutex_);
    for (const lab::PlayedGame& game : games) {
      if (match_.ledger.add(game)) match_.last = game;
    }
    return {};
  }

 private:
  std::mutex& mutex_;
  Match& match_;
};

MatchRunner::MatchRunner(const LaboratoryOptions& options)
    : options_(options), thread_([this](const std::stop_token& stop) { work(stop); }) {}

MatchRunner::~MatchRunner() {
  thread_.request_stop();
  thread_.join();
}

std::optional<LabMatchView> MatchRunner::start(lab::MatchSpec spec, std::string client) {
  const auto match = std::make_shared<Match>(std::move(spec), std::move(client));
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= options_.waiting) return std::nullopt;
  matches_.emplace(match->id, match);
  waiting_.push_back(match);
  filled_.notify_one();
  return view_of(*match);
}

std::size_t MatchRunner::open_matches(const std::string& client) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(matches_.begin(), matches_.end(), [&client](const auto& entry) {
        return entry.second->open() && entry.second->client == client;
      }));
}

std::optional<LabMatchView> MatchRunner::get(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = matches_.find(id);
  if (found == matches_.end()) return std::nullopt;
  return view_of(*found->second);
}

std::optional<LabMatchView> MatchRunner::stop(const std::string& id) {
  Shared match;
  {
    const std::lock_guard lock(mutex_);
    const auto found = matches_.find(id);
    if (found == matches_.end()) return std::nullopt;
    match = found->second;
    const auto place = std::find(waiting_.begin(), waiting_.end(), match);
    if (place != waiting_.end()) {
      waiting_.erase(place);
      match->state = LabState::kStopped;
      over_.push_back(id);
      forget_old();
    }
  }
  match->stop.request_stop();  // without the mutex: whoever listens may want it
  const std::lock_guard lock(mutex_);
  return view_of(*match);
}

LabMatchView MatchRunner::view_of(const Match& match) const {
  LabMatchView view{.id = match.id,
                    .spec = match.ledger.spec(),
                    .state = match.state,
                    .tally = match.ledger.tally(),
                    .last = match.last,
                    .elapsed = match.elapsed,
                    .problem = match.problem};
  if (match.state == LabState::kWaiting) {
    const auto place = std::find_if(waiting_.begin(), waiting_.end(),
                                    [&match](const Shared& one) { return one.get() == &match; });
    const bool busy = std::any_of(matches_.begin(), matches_.end(), [](const auto& entry) {
      return entry.second->state == LabState::kPlaying;
    });
    view.ahead = static_cast<std::size_t>(place - waiting_.begin()) + (busy ? 1U : 0U);
  }
  if (match.state == LabState::kPlaying) {
    view.elapsed =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - match.began);
  }
  return view;
}

void MatchRunner::forget_old() {
  while (over_.size() > options_.kept) {
    matches_.erase(over_.front());
    over_.pop_front();
  }
}

void MatchRunner::work(const std::stop_token& stop) {
  // On Linux niceness belongs to a thread, and to those it makes. It may fail without harm.
  static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()),
                                  ::getpriority(PRIO_PROCESS, 0) + kNiceness));
  while (true) {
    Shared match;
    {
      std::unique_lock lock(mutex_);
      filled_.wait(lock, stop, [this] { return !waiting_.empty(); });
      if (stop.stop_requested()) return;
      match = std::move(waiting_.front());
      waiting_.pop_front();
      match->state = LabState::kPlaying;
      match->began = Clock::now();
    }
    play(match, stop);
  }
}

void MatchRunner::play(const Shared& match, const std::stop_token& stop) {
  const std::stop_callback closing(stop, [&match] { match->stop.request_stop(); });
  Scoreboard scoreboard(mutex_, *match);
  const lab::MatchSpec spec = match->ledger.spec();
  const auto result =
      lab::run_match(spec, {.resources = options_.resources,
                            .archive = &scoreboard,
                            .stop = match->stop.get_token(),
                            .progress = [this, &match](const lab::MatchProgress& progress) {
                              if (progress.elapsed < options_.match_time) return;
                              match->out_of_time = true;
                              match->stop.request_stop();
                            }});
  const std::lock_guard lock(mutex_);
  match->elapsed =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - match->began);
  if (!result) {
    match->state = LabState::kFailed;
    match->problem = result.error().message;
  } else if (result->complete) {
    match->state = LabState::kFinished;
  } else {
    match->state = match->out_of_time ? LabState::kOutOfTime : LabState::kStopped;
  }
  over_.push_back(match->id);
  forget_old();
}

}  // namespace rowbot::server
