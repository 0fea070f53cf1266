#include "lab/matches/match.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace rowbot::lab {
namespace {

using MatchClock = std::chrono::steady_clock;

/// What the players' threads and the recording thread share. Given-up threads keep it alive.
struct Exchange {
  explicit Exchange(Ledger books) : ledger(std::move(books)) {}

  std::mutex mutex;  // guards everything below
  std::condition_variable changed;
  Ledger ledger;
  std::vector<PlayedGame> finished;  // played, not yet recorded
  bool closing = false;
  std::optional<Error> failure;
};

/// More unrecorded games than this, and the players wait for the recorder.
constexpr std::size_t kMostUnrecorded = 8'192;

void play_games(const std::shared_ptr<Exchange>& exchange, const std::shared_ptr<Seat>& seat,
                const Resources& resources) {
  const MatchSpec spec = exchange->ledger.spec();
  auto player = GamePlayer::make(spec, resources);
  std::unique_lock lock(exchange->mutex);
  if (!player) {
    exchange->failure = player.error();
    exchange->changed.notify_all();
    return;
  }
  while (true) {
    exchange->changed.wait(
        lock, [&] { return exchange->closing || exchange->finished.size() < kMostUnrecorded; });
    if (exchange->closing) return;
    const auto number = exchange->ledger.hand_out();
    if (!number) return;
    lock.unlock();
    auto game = player->play(*number, *seat);
    lock.lock();
    if (!game) return;
    exchange->finished.push_back(*std::move(game));
    if (exchange->finished.size() == 1) exchange->changed.notify_all();
  }
}

/// The players' threads. A thread that does not come back is left behind.
class Crew {
 public:
  /// `resources` of each player.
  Crew(std::shared_ptr<Exchange> exchange, const Resources& resources)
      : exchange_(std::move(exchange)), resources_(resources) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  Crew(Crew&&) = delete;
  Crew& operator=(Crew&&) = delete;
  ~Crew() { dismiss(std::chrono::milliseconds(2'000)); }

  void hire() {
    auto worker = std::make_unique<Worker>();
    worker->seat = std::make_shared<Seat>();
    worker->left = std::make_shared<std::atomic<bool>>(false);
    worker->thread = std::thread(
        [exchange = exchange_, seat = worker->seat, left = worker->left, resources = resources_] {
          play_games(exchange, seat, resources);
          left->store(true);
        });
    workers_.push_back(std::move(worker));
  }

  /// Games lost by agents that do not answer; for each a fresh thread takes the old one's place.
  [[nodiscard]] std::vector<PlayedGame> judge_absent(std::chrono::milliseconds grace) {
    std::vector<PlayedGame> lost;
    const auto now = MatchClock::now();
    const std::size_t present = workers_.size();
    for (std::size_t i = 0; i < present; ++i) {
      auto game = workers_[i]->seat->check(now, grace);
      if (!game) continue;
      lost.push_back(*std::move(game));
      give_up(*workers_[i]);
      hire();
    }
    std::erase_if(workers_, [](const auto& worker) { return !worker->thread.joinable(); });
    return lost;
  }

  /// Interrupts the games in progress and waits for their threads, but not for ever.
  void dismiss(std::chrono::milliseconds grace) {
    for (const auto& worker : workers_) worker->seat->interrupt();
    const auto until = MatchClock::now() + grace;
    for (const auto& worker : workers_) {
      while (!worker->left->load() && MatchClock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      if (worker->left->load()) {
        worker->thread.join();
      } else {
        give_up(*worker);
      }
    }
    workers_.clear();
  }

  [[nodiscard]] int given_up() const { return given_up_; }

 private:
  struct Worker {
    std::shared_ptr<Seat> seat;
    std::shared_ptr<std::atomic<bool>> left;
    std::thread thread;
  };

  void give_up(Worker& worker) {
    worker.thread.detach();
    ++given_up_;
  }

  std::shared_ptr<Exchange> exchange_;
  Resources resources_;
  std::vector<std::unique_ptr<Worker>> workers_;
  int given_up_ = 0;
};

/// Records what the crew plays, until the match is complete, stopped or has failed.
Result<std::uint64_t> record_games(Exchange& exchange, Crew& crew, const MatchSpec& spec,
                                   const RunOptions& options) {
  constexpr std::chrono::milliseconds kBatch{4};  // games that end together share one commit
  constexpr std::chrono::milliseconds kReport{500};
  const auto start = MatchClock::now();
  auto reported = start;
  std::uint64_t played = 0;
  std::unique_lock lock(exchange.mutex);
  while (!exchange.ledger.complete() && !options.stop.stop_requested() && !exchange.failure) {
    exchange.changed.wait_for(lock, kBatch, [&] { return !exchange.finished.empty(); });
    std::vector<PlayedGame> batch = std::exchange(exchange.finished, {});
    lock.unlock();
    for (PlayedGame& lost : crew.judge_absent(options.grace)) batch.push_back(std::move(lost));
    if (!batch.empty() && options.archive != nullptr) {
      if (auto added = options.archive->add(spec, batch); !added) return added.error();
    }
    if (batch.size() < 64) std::this_thread::sleep_for(kBatch);
    lock.lock();
    for (const PlayedGame& game : batch) played += exchange.ledger.add(game) ? 1U : 0U;
    exchange.changed.notify_all();
    const auto now = MatchClock::now();
    if (options.progress && now - reported >= kReport) {
      reported = now;
      options.progress({.known = exchange.ledger.known(),
                        .played = played,
                        .games = spec.games,
                        .elapsed = now - start});
    }
  }
  if (exchange.failure) return *exchange.failure;
  return played;
}

}  // namespace

Result<MatchResult> run_match(const MatchSpec& spec, const RunOptions& options) {
  if (auto checked = check_match(spec); !checked) return checked.error();
  const auto start = MatchClock::now();
  Ledger ledger(spec, options.sprt);
  if (options.archive != nullptr) {
    auto loaded =
        options.archive->load(spec, [&ledger](const PlayedGame& game) { ledger.add(game); });
    if (!loaded) return loaded.error();
  }
  MatchResult result;
  const auto exchange = std::make_shared<Exchange>(std::move(ledger));
  if (!exchange->ledger.complete()) {
    const int threads = std::max(1, options.resources.threads);
    Crew crew(exchange,
              {.memory_bytes = options.resources.memory_bytes / static_cast<unsigned>(threads)});
    for (int i = 0; i < threads; ++i) crew.hire();
    auto played = record_games(*exchange, crew, spec, options);
    {
      const std::lock_guard lock(exchange->mutex);
      exchange->closing = true;
      exchange->changed.notify_all();
    }
    crew.dismiss(options.grace);
    if (!played) return played.error();
    result.played = *played;
    // What ended between the last look and the stop is kept too.
    const std::lock_guard lock(exchange->mutex);
    if (!exchange->finished.empty() && !exchange->ledger.complete()) {
      if (options.archive != nullptr) {
        auto added = options.archive->add(spec, exchange->finished);
        if (!added) return added.error();
      }
      for (const PlayedGame& game : exchange->finished) {
        result.played += exchange->ledger.add(game) ? 1U : 0U;
      }
    }
    result.given_up_threads = crew.given_up();
  }
  const std::lock_guard lock(exchange->mutex);
  result.tally = exchange->ledger.tally();
  result.verdict = exchange->ledger.verdict();
  result.complete = exchange->ledger.complete();
  result.elapsed = MatchClock::now() - start;
  return result;
}

}  // namespace rowbot::lab
