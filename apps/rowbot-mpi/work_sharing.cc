#include "work_sharing.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mpi.h>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/memory.h"
#include "base/text.h"
#include "fmt/core.h"
#include "lab/cluster/game_wire.h"

namespace rowbot::mpi {
namespace {

// A worker sends its finished games as lines (none the first time); the answer is what to play
// next: the match's index, the first number, how many numbers follow. None: go home.
constexpr int kResultTag = 1;
constexpr int kWorkTag = 2;
constexpr std::uint64_t kGamesAtATime = 8;

struct Work {
  std::uint64_t match = 0;
  std::vector<std::uint64_t> numbers;
};

void send_text(const std::string& text, int rank, int tag) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, tag, MPI_COMM_WORLD);
}

std::pair<std::string, int> receive_text(int rank, int tag) {
  MPI_Status status;
  MPI_Probe(rank, tag, MPI_COMM_WORLD, &status);
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  std::string text(static_cast<std::size_t>(size), '\0');
  MPI_Recv(text.data(), size, MPI_CHAR, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return {std::move(text), status.MPI_SOURCE};
}

/// "match n n n", or nothing at all when there is no more.
std::string work_text(const Work& work) {
  if (work.numbers.empty()) return "";
  std::string text = std::to_string(work.match);
  for (const std::uint64_t number : work.numbers) text += ' ' + std::to_string(number);
  return text;
}

Result<Work> parse_work(std::string_view text, std::size_t matches) {
  Work work;
  if (text.empty()) return work;
  bool first = true;
  for (const std::string_view word : split(text, ' ')) {
    const auto value = parse_integer(word);
    if (!value || *value < 0) return Error{"the parent sends work that is none"};
    if (first) {
      work.match = static_cast<std::uint64_t>(*value);
    } else {
      work.numbers.push_back(static_cast<std::uint64_t>(*value));
    }
    first = false;
  }
  if (work.match >= matches) return Error{"the parent sends work of an unknown match"};
  return work;
}

/// The books of all matches.
class Books {
 public:
  Books(const std::vector<lab::MatchSpec>& matches, const SharingOptions& options)
      : options_(options), start_(std::chrono::steady_clock::now()) {
    for (const lab::MatchSpec& match : matches) {
      ledgers_.emplace_back(match);
      games_ += match.games;
    }
  }

  [[nodiscard]] Result<void> load() {
    for (lab::Ledger& ledger : ledgers_) {
      if (options_.archive == nullptr) continue;
      auto loaded = options_.archive->load(
          ledger.spec(), [&ledger](const lab::PlayedGame& game) { ledger.add(game); });
      if (!loaded) return loaded;
      known_ += ledger.known();
    }
    return {};
  }

  [[nodiscard]] Work next() {
    Work work;
    for (std::size_t i = 0; i < ledgers_.size() && work.numbers.empty(); ++i) {
      work.match = i;
      while (work.numbers.size() < kGamesAtATime) {
        const auto number = ledgers_[i].hand_out();
        if (!number) break;
        work.numbers.push_back(*number);
      }
    }
    return work;
  }

  /// The lines of games of one match, stored before they count.
  [[nodiscard]] Result<void> take(std::uint64_t match, std::string_view lines) {
    std::vector<lab::PlayedGame> games;
    for (const std::string_view line : split(lines, '\n')) {
      if (line.empty()) continue;
      auto game = cluster::parse_game_line(line);
      if (!game) return game.error();
      games.push_back(*std::move(game));
    }
    lab::Ledger& ledger = ledgers_.at(match);
    if (options_.archive != nullptr && !games.empty()) {
      if (auto added = options_.archive->add(ledger.spec(), games); !added) return added;
    }
    for (const lab::PlayedGame& game : games) {
      if (!ledger.add(game)) continue;
      ++known_;
      ++played_;
    }
    report();
    return {};
  }

  [[nodiscard]] std::vector<lab::MatchTally> tallies() const {
    std::vector<lab::MatchTally> all;
    for (const lab::Ledger& ledger : ledgers_) all.push_back(ledger.tally());
    return all;
  }

 private:
  void report() {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    if (!options_.progress || elapsed.count() < reported_ + 0.5) return;
    reported_ = elapsed.count();
    options_.progress({.known = known_, .played = played_, .games = games_, .elapsed = elapsed});
  }

  SharingOptions options_;
  std::vector<lab::Ledger> ledgers_;
  std::uint64_t games_ = 0;
  std::uint64_t known_ = 0;
  std::uint64_t played_ = 0;
  std::chrono::steady_clock::time_point start_;
  double reported_ = 0;
};

/// Plays games of changing matches; asks an agent that is too slow to stop.
class Worker {
 public:
  explicit Worker(const std::vector<lab::MatchSpec>& matches) : matches_(matches) {}

  [[nodiscard]] Result<std::string> play(const Work& work) {
    if (!player_ || match_ != work.match) {
      player_.reset();
      auto made = lab::GamePlayer::make(matches_.at(work.match), machine_resources());
      if (!made) return made.error();
      player_.emplace(*std::move(made));
      match_ = work.match;
    }
    std::string lines;
    for (const std::uint64_t number : work.numbers) {
      const auto game = player_->play(number, seat_);
      if (!game) return Error{"an agent hangs and cannot be stopped"};
      lines += cluster::game_line(*game) + '\n';
    }
    return lines;
  }

 private:
  const std::vector<lab::MatchSpec>& matches_;
  std::optional<lab::GamePlayer> player_;
  std::uint64_t match_ = 0;
  lab::Seat seat_;
  // An agent that ignores the request as well cannot be helped: its game is given up, play() fails
  // when it returns, and until then this rank is lost to the run.
  std::jthread watcher_{[this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      (void)seat_.check(lab::Seat::Clock::now(), std::chrono::hours(24));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }};
};

/// The same line for every rank; rank 0 says it.
void broadcast(std::string& line) {
  auto size = static_cast<int>(line.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  line.resize(static_cast<std::size_t>(size));
  MPI_Bcast(line.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
}

}  // namespace

Result<std::vector<lab::MatchTally>> hand_out_games(const std::vector<lab::MatchSpec>& matches,
                                                    const SharingOptions& options) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Books books(matches, options);
  if (auto loaded = books.load(); !loaded) return loaded.error();
  if (ranks == 1) {
    Worker alone(matches);
    for (Work work = books.next(); !work.numbers.empty(); work = books.next()) {
      const auto lines = alone.play(work);
      if (!lines) return lines.error();
      if (auto taken = books.take(work.match, *lines); !taken) return taken.error();
    }
    return books.tallies();
  }
  std::vector<std::uint64_t> match_of_rank(static_cast<std::size_t>(ranks));
  for (int working = ranks - 1; working > 0;) {
    const auto [lines, rank] = receive_text(MPI_ANY_SOURCE, kResultTag);
    std::uint64_t& match = match_of_rank.at(static_cast<std::size_t>(rank));
    if (auto taken = books.take(match, lines); !taken) return taken.error();
    const Work work = books.next();
    match = work.match;
    if (work.numbers.empty()) --working;
    send_text(work_text(work), rank, kWorkTag);
  }
  return books.tallies();
}

Result<void> play_given_games(const std::vector<lab::MatchSpec>& matches) {
  Worker worker(matches);
  std::string lines;
  while (true) {
    send_text(lines, 0, kResultTag);
    const auto work = parse_work(receive_text(0, kWorkTag).first, matches.size());
    if (!work) return work.error();
    if (work->numbers.empty()) return {};
    auto played = worker.play(*work);
    if (!played) return played.error();
    lines = *std::move(played);
  }
}

Result<lab::MatchTally> share_match(const lab::MatchSpec& match, const SharingOptions& options) {
  std::string line = cluster::match_line(match);
  broadcast(line);
  const auto tallies = hand_out_games({match}, options);
  if (!tallies) return tallies.error();
  return tallies->front();
}

void end_matches() {
  std::string nothing;
  broadcast(nothing);
}

Result<void> play_announced_matches() {
  while (true) {
    std::string line;
    broadcast(line);
    if (line.empty()) return {};
    const auto match = cluster::parse_match_line(line);
    if (!match) return match.error();
    if (auto played = play_given_games({*match}); !played) return played;
  }
}

}  // namespace rowbot::mpi
