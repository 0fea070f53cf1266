#include "load_players.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "base/rng.h"
#include "boost/asio/awaitable.hpp"
#include "boost/asio/co_spawn.hpp"
#include "boost/asio/detached.hpp"
#include "boost/asio/io_context.hpp"
#include "boost/asio/ip/tcp.hpp"
#include "boost/asio/redirect_error.hpp"
#include "boost/asio/steady_timer.hpp"
#include "boost/asio/use_awaitable.hpp"
#include "boost/beast/core.hpp"
#include "boost/beast/http.hpp"
#include "fmt/core.h"
#include "game/moves_text.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kPatience{20'000};
constexpr milliseconds kMostThinking{60'000};
/// After the end: what waits for a busy server, and what is looked for, may take so long.
constexpr milliseconds kGrace{30'000};
const std::string kNothing;

struct Run {
  explicit Run(const LoadOptions& the_options)
      : options(the_options), until(Clock::now() + the_options.time) {}

  LoadOptions options;
  Clock::time_point until;
  asio::io_context io{1};
  tcp::resolver::results_type address;
  LoadReport report;

  [[nodiscard]] bool over() const { return Clock::now() >= until; }
  [[nodiscard]] bool grace_over() const { return Clock::now() >= until + kGrace; }
  void error(std::string what) {
    ++report.errors;
    if (report.first_error.empty()) report.first_error = std::move(what);
  }
};

asio::awaitable<void> pause(Run& run, milliseconds time) {
  asio::steady_timer timer(run.io, time);
  boost::system::error_code ignored;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

struct Answer {
  int status = 0;
  nlohmann::json body;
};

/// One visitor's connection, opened anew when it breaks.
class Visitor {
 public:
  Visitor(Run& run, std::string address) : run_(run), address_(std::move(address)) {}

  /// Nothing when the connection broke; busy answers are waited for and asked again.
  asio::awaitable<std::optional<Answer>> call(http::verb verb, const std::string& path,
                                              const std::string& body) {
    while (true) {
      auto answer = co_await once(verb, path, body);
      if (!answer) co_return std::nullopt;
      if (answer->status != 503 && answer->status != 429) co_return answer;
      ++run_.report.busy;
      if (run_.grace_over()) co_return std::nullopt;
      co_await pause(run_, milliseconds(1'000));
    }
  }

 private:
  asio::awaitable<std::optional<Answer>> once(http::verb verb, const std::string& path,
                                              const std::string& body) {
    boost::system::error_code error;
    if (!stream_) {
      stream_.emplace(run_.io);
      buffer_.clear();
      stream_->expires_after(kPatience);
      co_await stream_->async_connect(run_.address,
                                      asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return broken("connect", error);
      stream_->socket().set_option(tcp::no_delay(true), error);
    }
    http::request<http::string_body> request(verb, path, 11);
    request.set(http::field::host, run_.options.host);
    request.set(http::field::content_type, "application/json");
    if (!address_.empty()) request.set("X-Forwarded-For", address_);
    request.body() = body;
    request.prepare_payload();
    stream_->expires_after(kPatience);
    co_await http::async_write(*stream_, request, asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return broken("write", error);
    http::response<http::string_body> response;
    co_await http::async_read(*stream_, buffer_, response,
                              asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return broken("read", error);
    if (!response.keep_alive()) stream_.reset();
    Answer answer;
    answer.status = static_cast<int>(response.result_int());
    answer.body = nlohmann::json::parse(response.body(), nullptr, false);
    co_return answer;
  }

  std::optional<Answer> broken(const char* doing, const boost::system::error_code& error) {
    stream_.reset();
    run_.error(fmt::format("{}: {}", doing, error.message()));
    return std::nullopt;
  }

  Run& run_;
  std::string address_;  // empty: that of the connection
  std::optional<beast::tcp_stream> stream_;
  beast::flat_buffer buffer_;
};

std::string text_of(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// A visitor who plays one random game after the other.
class Player {
 public:
  Player(Run& run, int number)
      : run_(run),
        visitor_(run, run.options.addresses ? visitor_address(number + 1) : std::string()),
        rng_(mix_seed(run.options.seed) + static_cast<std::uint64_t>(number)),
        level_(
            run.options.levels.at(static_cast<std::size_t>(number) % run.options.levels.size())) {}

  asio::awaitable<void> play_until_over() {
    // Visitors do not come all at once.
    co_await pause(run_, random_time(milliseconds(0), run_.options.most_pause));
    while (!run_.over()) co_await play_game();
  }

 private:
  milliseconds random_time(milliseconds least, milliseconds most) {
    const auto range =
        static_cast<std::uint32_t>(std::max<std::int64_t>(1, (most - least).count()));
    return least + milliseconds(rng_.below(range));
  }

  [[nodiscard]] std::string new_game_body(bool first) const {
    return nlohmann::json{{"level", level_}, {"human", first ? "first" : "second"}}.dump();
  }
  [[nodiscard]] std::string survey_body() const {
    const std::string token = path_.substr(path_.rfind('/') + 1);
    return nlohmann::json{{"game", token}, {"feel", "normal"}, {"age", "25-39"}}.dump();
  }
  [[nodiscard]] std::string move_body(game::Column column) const {
    return nlohmann::json{{"column", column.number()}, {"ply", known_.size()}}.dump();
  }

  asio::awaitable<void> play_game() {
    const bool first = rng_.below(4) != 0;
    // Named, not temporaries: GCC 12 destroys temporaries of a co_await expression twice.
    const std::string wish = new_game_body(first);
    const std::string games = "/api/v1/games";
    auto created = co_await visitor_.call(http::verb::post, games, wish);
    if (!created || created->status != 201) {
      if (created) run_.error(fmt::format("new game: {}", created->status));
      co_await pause(run_, milliseconds(200));
      co_return;
    }
    ++run_.report.games;
    path_ = "/api/v1/games/" + text_of(created->body, "game");
    known_.clear();
    tried_.clear();
    result_.clear();
    // An agent that moves first may still think.
    const std::optional<nlohmann::json> opened = co_await when_decided(created->body);
    if (!opened) {
      co_await verify();
      co_return;
    }
    if (!take(*opened, "")) co_return;
    while (result_.empty() && !run_.over()) {
      co_await pause(run_, random_time(run_.options.least_pause, run_.options.most_pause));
      if (!co_await one_move()) break;
    }
    co_await verify();
    if (!result_.empty()) {
      ++run_.report.finished;
      const std::string target = "/api/v1/survey";
      const std::string answer = survey_body();
      auto thanks = co_await visitor_.call(http::verb::post, target, answer);
      if (thanks && thanks->status == 201) {
        ++run_.report.surveys;
      } else if (thanks) {
        run_.error(fmt::format("survey: {}", thanks->status));
      }
    }
  }

  /// False when the game cannot go on.
  asio::awaitable<bool> one_move() {
    const auto position = game::parse_moves(known_);
    if (!position || position->outcome().finished()) co_return false;
    std::vector<game::Column> open;
    for (const game::Column c : game::kAllColumns) {
      if (position->can_play(c)) open.push_back(c);
    }
    const game::Column column = open[rng_.below(static_cast<std::uint32_t>(open.size()))];
    const std::string wanted = known_ + column.digit();
    tried_ = wanted;
    const std::string body = move_body(column);
    const auto started = Clock::now();
    const std::string target = path_ + "/moves";
    auto answer = co_await visitor_.call(http::verb::post, target, body);
    if (!answer) answer = co_await visitor_.call(http::verb::post, target, body);
    if (!answer) co_return false;
    if (answer->status != 200) {
      run_.error(fmt::format("move: {} {}", answer->status, answer->body.dump()));
      co_return false;
    }
    const std::optional<nlohmann::json> decided = co_await when_decided(answer->body);
    if (!decided) co_return false;
    run_.report.answer_ms[level_].push_back(
        std::chrono::duration<double, std::milli>(Clock::now() - started).count());
    ++run_.report.moves;
    co_return take(*decided, wanted);
  }

  /// The game as it is once no agent thinks; nothing when that cannot be known.
  asio::awaitable<std::optional<nlohmann::json>> when_decided(nlohmann::json game) {
    const auto started = Clock::now();
    while (game.is_object() && game.value("thinking", false)) {
      if (Clock::now() - started > kMostThinking) {
        run_.error("the agent does not answer");
        co_return std::nullopt;
      }
      co_await pause(run_, milliseconds(100));
      const auto answer = co_await visitor_.call(http::verb::get, path_, kNothing);
      if (!answer) co_return std::nullopt;
      if (answer->status != 200) {
        run_.error(fmt::format("game: {} {}", answer->status, answer->body.dump()));
        co_return std::nullopt;
      }
      game = answer->body;
    }
    co_return game;
  }

  /// Believes the game, if it continues what is known.
  bool take(const nlohmann::json& body, const std::string& wanted) {
    const std::string moves = text_of(body, "moves");
    const std::string result = text_of(body, "result");
    if (!moves.starts_with(wanted)) {
      ++run_.report.lost_moves;
      return false;
    }
    if (moves.size() > wanted.size() + 1) {
      ++run_.report.doubled_moves;
      return false;
    }
    known_ = moves;
    result_ = result;
    return true;
  }

  /// Looks for what was acknowledged. A move without an answer may have been made or not.
  asio::awaitable<void> verify() {
    auto seen = co_await visitor_.call(http::verb::get, path_, kNothing);
    if (!seen) seen = co_await visitor_.call(http::verb::get, path_, kNothing);
    std::optional<nlohmann::json> game;
    if (seen && seen->status == 200) game = co_await when_decided(seen->body);
    if (seen && seen->status == 404) {
      ++run_.report.lost_moves;
      co_return;
    }
    if (!game) {
      ++run_.report.unverified;
      co_return;
    }
    const std::string moves = text_of(*game, "moves");
    const std::string result = text_of(*game, "result");
    const bool grown = moves.starts_with(tried_) && moves.size() <= tried_.size() + 1;
    if (!moves.starts_with(known_)) {
      ++run_.report.lost_moves;
    } else if (moves.size() > known_.size() && !grown) {
      ++run_.report.doubled_moves;
    }
    if (!result_.empty() && result != result_) ++run_.report.lost_results;
    if (result_.empty()) result_ = result;  // told now
  }

  Run& run_;
  Visitor visitor_;
  Rng rng_;
  std::string level_;
  std::string path_;
  std::string known_;   // moves the server has acknowledged
  std::string tried_;   // those, and the last one that was sent
  std::string result_;  // the same
};

asio::awaitable<void> play(Run& run, int number) {
  Player player(run, number);
  co_await player.play_until_over();
}

/// Games that count in the statistics, of all levels.
asio::awaitable<void> count_results(Run& run, std::optional<std::int64_t>& games) {
  Visitor visitor(run, {});
  const std::string target = "/api/v1/statistics";
  const auto answer = co_await visitor.call(http::verb::get, target, kNothing);
  if (!answer || answer->status != 200) co_return;
  games = 0;
  for (const nlohmann::json& level : answer->body.at("levels")) {
    games = *games + level.at("games").get<std::int64_t>();
  }
}

std::optional<std::int64_t> results_now(Run& run) {
  std::optional<std::int64_t> games;
  run.io.restart();
  asio::co_spawn(run.io, count_results(run, games), asio::detached);
  run.io.run();
  return games;
}

/// Compares the statistics with what the players were told; they may be some seconds old.
void judge_results(Run& run, std::int64_t before) {
  const auto known = static_cast<std::int64_t>(run.report.finished);
  std::optional<std::int64_t> after;
  for (const auto end = Clock::now() + milliseconds(10'000);;) {
    after = results_now(run);
    if ((after && *after - before >= known) || Clock::now() >= end) break;
    std::this_thread::sleep_for(milliseconds(500));
  }
  if (!after) {
    ++run.report.unverified;
    return;
  }
  // Games that could not be looked at may have ended.
  const auto unknown = static_cast<std::int64_t>(run.report.unverified);
  const std::int64_t surplus = *after - before - known;
  if (surplus > unknown)
    run.report.doubled_results += static_cast<std::uint64_t>(surplus - unknown);
  if (surplus < 0) run.report.lost_results += static_cast<std::uint64_t>(-surplus);
}

}  // namespace

Result<LoadReport> run_load(const LoadOptions& options) {
  Run run(options);
  boost::system::error_code error;
  tcp::resolver resolver(run.io);
  run.address = resolver.resolve(options.host, options.port, error);
  if (error) return Error{fmt::format("{}: {}", options.host, error.message())};
  const auto before = results_now(run);
  if (!before) {
    return Error{fmt::format("no Rowbot server answers at {} port {}: {}", options.host,
                             options.port, run.report.first_error)};
  }
  run.io.restart();
  run.until = Clock::now() + options.time;
  for (int i = 0; i < options.players; ++i) asio::co_spawn(run.io, play(run, i), asio::detached);
  // On a thread of their own, so that they do not delay the players' clocks.
  AttackReport attacks;
  std::jthread attacking([&attacks, &options] {
    if (options.attackers + options.slow_clients == 0) return;
    attacks = run_attack({.host = options.host,
                          .port = options.port,
                          .attackers = options.attackers,
                          .slow = options.slow_clients,
                          .time = options.time,
                          .seed = options.seed});
  });
  run.io.run();
  attacking.join();
  judge_results(run, *before);
  run.report.attacks = std::move(attacks);
  return std::move(run.report);
}

}  // namespace rowbot::app
