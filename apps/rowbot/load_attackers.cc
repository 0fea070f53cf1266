#include "load_attackers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "boost/asio/awaitable.hpp"
#include "boost/asio/co_spawn.hpp"
#include "boost/asio/detached.hpp"
#include "boost/asio/io_context.hpp"
#include "boost/asio/ip/tcp.hpp"
#include "boost/asio/redirect_error.hpp"
#include "boost/asio/steady_timer.hpp"
#include "boost/asio/use_awaitable.hpp"
#include "boost/asio/write.hpp"
#include "boost/beast/core.hpp"
#include "boost/beast/http.hpp"
#include "fmt/core.h"
#include "hostile_bytes.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using AttackClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kHold{15'000};  ///< longer than the server should wait for anything
constexpr milliseconds kBetween{20};   ///< two connections of an attacker
constexpr milliseconds kBreath{5};     ///< two writes: the machine is shared with the server
constexpr std::size_t kPiece = 16 * 1024;

/// Every kind of abuse, in the order in which attackers take them.
enum class Abuse : std::uint8_t {
  kMalformed,
  kEndlessHeader,
  kEndlessBody,
  kEndlessChunkExtension,
  kEndlessTrailer,
  kSlowHeader,
  kHalfOpen,
  kStaticFlood,
  kHeadFlood,
  kAnalysisFlood,
  kGameFlood,
  kSurveyFlood,
  kStatisticsFlood,
  kLaboratoryFlood,
  kSlowReader,
  kBadFrames,
  kHugeFrame,
  kEndlessFragments,
  kPingFlood,
  kSilentSocket,
};
constexpr std::array<std::string_view, 20> kAbuses{
    "malformed",        "endless header",    "endless body", "endless chunk extension",
    "endless trailer",  "slow header",       "half open",    "static flood",
    "head flood",       "analysis flood",    "game flood",   "survey flood",
    "statistics flood", "laboratory flood",  "slow reader",  "bad frames",
    "huge frame",       "endless fragments", "ping flood",   "silent socket"};

const std::string kNewGame = R"({"level":"easy","human":"first"})";

struct Campaign {
  explicit Campaign(const AttackOptions& the_options)
      : options(the_options), until(AttackClock::now() + the_options.time) {}

  AttackOptions options;
  AttackClock::time_point until;
  asio::io_context io{1};
  tcp::resolver::results_type address;
  AttackReport report;

  [[nodiscard]] bool over() const { return AttackClock::now() >= until; }
};

class Attacker {
 public:
  Attacker(Campaign& campaign, int number, Abuse abuse)
      : campaign_(campaign),
        rng_(mix_seed(campaign.options.seed + 7919) + static_cast<std::uint64_t>(number)),
        abuse_(abuse),
        tally_(campaign.report[std::string(kAbuses.at(static_cast<std::size_t>(abuse)))]),
        address_(fmt::format("198.18.{}.{}", (number >> 8) & 255, number & 255)) {}

  asio::awaitable<void> run() {
    while (!campaign_.over()) {
      const bool connected = co_await connect();
      if (connected) {
        // Named, not a temporary: GCC 12 destroys temporaries of a co_await expression twice.
        asio::awaitable<void> doing = abuse();
        co_await std::move(doing);
      }
      stream_.reset();
      co_await pause(kBetween);
    }
  }

 private:
  // ------------------------------------------------------------------------------ the wire

  asio::awaitable<void> pause(milliseconds time) {
    asio::steady_timer timer(campaign_.io, time);
    boost::system::error_code ignored;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }

  /// Nothing outlasts the attack by more than a second.
  void give_time() {
    stream_->expires_at(
        std::min(AttackClock::now() + kHold, campaign_.until + milliseconds(1'000)));
  }

  asio::awaitable<bool> connect() {
    boost::system::error_code error;
    stream_.emplace(campaign_.io);
    buffer_.clear();
    give_time();
    co_await stream_->async_connect(campaign_.address,
                                    asio::redirect_error(asio::use_awaitable, error));
    if (!error) ++tally_.connections;
    co_return !error;
  }

  asio::awaitable<bool> send(const std::string& bytes) {
    boost::system::error_code error;
    give_time();
    const std::size_t sent = co_await asio::async_write(
        *stream_, asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, error));
    tally_.bytes_sent += sent;
    co_return !error;
  }

  /// Sends the piece again and again until the server has had enough.
  asio::awaitable<void> send_without_end(const std::string& piece) {
    while (!campaign_.over()) {
      const bool sent = co_await send(piece);
      if (!sent) co_return;
      co_await pause(kBreath);
    }
  }

  /// Reads nothing until the server closes, or for some time.
  asio::awaitable<void> hold() {
    const auto end = std::min(AttackClock::now() + kHold, campaign_.until);
    while (AttackClock::now() < end) co_await pause(milliseconds(200));
  }

  void count(unsigned status) {
    if (status == 429 || status == 503) {
      ++tally_.refused;
    } else if (status == 500) {
      ++tally_.failed;
    } else {
      ++tally_.answered;
    }
  }

  asio::awaitable<std::optional<std::string>> read_answer(bool head) {
    boost::system::error_code error;
    http::response_parser<http::string_body> parser;
    parser.skip(head);
    parser.body_limit(std::uint64_t{64} << 20);
    give_time();
    co_await http::async_read(*stream_, buffer_, parser,
                              asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return std::nullopt;
    count(parser.get().result_int());
    if (!parser.get().keep_alive()) co_return std::nullopt;
    co_return parser.get().body();
  }

  /// A request with an address that is forged and, behind it, the one a proxy would add.
  std::string request(std::string_view method, std::string_view path, std::string_view more) {
    return fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: 192.0.2.{}, {}\r\n{}",
                       method, path, campaign_.options.host, rng_.below(256), address_, more);
  }
  std::string get(std::string_view path) { return request("GET", path, "\r\n"); }
  std::string post(std::string_view path, std::string_view body) {
    return request("POST", path,
                   fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                               body.size(), body));
  }

  // ----------------------------------------------------------------------------- the abuse

  asio::awaitable<void> abuse() {
    switch (abuse_) {
      case Abuse::kMalformed:
        return malformed();
      case Abuse::kEndlessHeader:
        return endless(request("GET", "/", "X-Long: "), std::string(kPiece, 'a'));
      case Abuse::kEndlessBody:
        return endless(request("POST", "/api/v1/games",
                               "Content-Type: application/json\r\nContent-Length: "
                               "9999999999\r\n\r\n"),
                       std::string(kPiece, ' '));
      case Abuse::kEndlessChunkExtension:
        return endless(chunked() + "1;", std::string(kPiece, 'a'));
      case Abuse::kEndlessTrailer:
        return endless(chunked() + "0\r\n", "X-Trailer: " + std::string(kPiece, 'a') + "\r\n");
      case Abuse::kSlowHeader:
        return slow_header();
      case Abuse::kHalfOpen:
        return half_open();
      case Abuse::kStaticFlood:
      case Abuse::kHeadFlood:
      case Abuse::kAnalysisFlood:
      case Abuse::kGameFlood:
      case Abuse::kSurveyFlood:
      case Abuse::kStatisticsFlood:
      case Abuse::kLaboratoryFlood:
        return flood();
      case Abuse::kSlowReader:
        return slow_reader();
      case Abuse::kBadFrames:
      case Abuse::kHugeFrame:
      case Abuse::kEndlessFragments:
      case Abuse::kPingFlood:
      case Abuse::kSilentSocket:
        return abuse_socket();
    }
    return hold();
  }

  std::string chunked() {
    return request("POST", "/api/v1/games",
                   "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  }

  asio::awaitable<void> malformed() {
    const auto& all = malformed_requests();
    const std::string& bytes = all[rng_.below(static_cast<std::uint32_t>(all.size()))];
    const bool sent = co_await send(bytes);
    if (sent) static_cast<void>(co_await read_answer(false));
  }

  asio::awaitable<void> endless(std::string start, std::string piece) {
    const bool sent = co_await send(start);
    if (sent) co_await send_without_end(piece);
  }

  asio::awaitable<void> slow_header() {
    const std::string header = request("GET", "/", "X-Slow: ");
    for (std::size_t i = 0; !campaign_.over(); ++i) {
      const std::string byte(1, i < header.size() ? header[i] : 'a');
      const bool sent = co_await send(byte);
      if (!sent) break;
      co_await pause(milliseconds(500));
    }
  }

  asio::awaitable<void> half_open() {
    const std::string part = "POST /api/v1/games HTTP/1.1\r\nHost:";
    if (rng_.below(2) == 0) static_cast<void>(co_await send(part));
    co_await hold();
  }

  std::string random_moves() {
    std::string moves;
    for (std::uint32_t i = 4 + rng_.below(8); i > 0; --i) {
      moves += static_cast<char>('1' + static_cast<char>(rng_.below(7)));
    }
    return moves;
  }

  std::string flood_request() {
    static constexpr std::array<std::string_view, 4> kPages{"/", "/lab", "/table", "/statistics"};
    const std::string_view page = kPages.at(rng_.below(kPages.size()));
    if (abuse_ == Abuse::kStaticFlood) return get(page);
    if (abuse_ == Abuse::kHeadFlood) return request("HEAD", page, "\r\n");
    if (abuse_ == Abuse::kAnalysisFlood) return get("/api/v1/analysis?moves=" + random_moves());
    if (abuse_ == Abuse::kGameFlood) return post("/api/v1/games", kNewGame);
    if (abuse_ == Abuse::kSurveyFlood) {
      return post("/api/v1/survey", R"({"feel":"normal","age":"25-39"})");
    }
    if (abuse_ == Abuse::kStatisticsFlood) return get("/api/v1/statistics");
    return post("/api/v1/lab/matches", R"({"a":"random","b":"random","games":200})");
  }

  asio::awaitable<void> flood() {
    while (!campaign_.over()) {
      const std::string bytes = flood_request();
      const bool sent = co_await send(bytes);
      if (!sent) co_return;
      const std::uint64_t refused = tally_.refused;
      const auto answer = co_await read_answer(abuse_ == Abuse::kHeadFlood);
      if (!answer) co_return;
      if (tally_.refused != refused) co_await pause(kBreath);
    }
  }

  asio::awaitable<void> slow_reader() {
    std::string many;
    for (int i = 0; i < 200; ++i) many += get("/");
    const bool sent = co_await send(many);
    if (sent) co_await hold();
  }

  /// Opens the live connection of a new game; false when the server does not want to.
  asio::awaitable<bool> open_socket() {
    const std::string bytes = post("/api/v1/games", kNewGame);
    const bool sent_bytes = co_await send(bytes);
    if (!sent_bytes) co_return false;
    const auto game = co_await read_answer(false);
    if (!game) co_return false;
    const auto parsed = nlohmann::json::parse(*game, nullptr, false);
    if (!parsed.is_object() || !parsed.contains("game")) co_return false;
    const std::string path =
        fmt::format("/api/v1/games/{}/live", parsed["game"].get<std::string>());
    const std::string upgrade =
        request("GET", path,
                "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    const bool sent_upgrade = co_await send(upgrade);
    if (!sent_upgrade) co_return false;
    boost::system::error_code error;
    http::response_parser<http::empty_body> parser;
    give_time();
    co_await http::async_read_header(*stream_, buffer_, parser,
                                     asio::redirect_error(asio::use_awaitable, error));
    if (!error) count(parser.get().result_int());
    co_return !error && parser.get().result_int() == 101;
  }

  asio::awaitable<void> abuse_socket() {
    const bool open = co_await open_socket();
    if (!open) {
      co_await pause(milliseconds(500));
      co_return;
    }
    std::string start;
    std::string piece;
    if (abuse_ == Abuse::kBadFrames) {
      for (int i = 0; i < 64; ++i) start += static_cast<char>(rng_.below(256));
    } else if (abuse_ == Abuse::kHugeFrame) {
      start = std::string("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10) + std::string(4, '\0');
      piece = std::string(kPiece, 'a');
    } else if (abuse_ == Abuse::kEndlessFragments) {
      start = frame(0x01, "a");
      for (int i = 0; i < 100; ++i) piece += frame(0x00, std::string(100, 'a'));
    } else if (abuse_ == Abuse::kPingFlood) {
      for (int i = 0; i < 100; ++i) piece += frame(0x89, std::string(100, 'a'));
    }
    const bool started = co_await send(start);
    if (!started) co_return;
    if (piece.empty()) {
      co_await hold();  // no pong will come
    } else {
      co_await send_without_end(piece);
    }
  }

  Campaign& campaign_;
  Rng rng_;
  Abuse abuse_;
  AttackTally& tally_;
  std::string address_;
  std::optional<beast::tcp_stream> stream_;
  beast::flat_buffer buffer_;
};

asio::awaitable<void> attack(Campaign& campaign, int number, Abuse abuse) {
  Attacker attacker(campaign, number, abuse);
  co_await attacker.run();
}

}  // namespace

AttackReport run_attack(const AttackOptions& options) {
  Campaign campaign(options);
  boost::system::error_code error;
  tcp::resolver resolver(campaign.io);
  campaign.address = resolver.resolve(options.host, options.port, error);
  if (error) return {};
  for (int i = 0; i < options.attackers + options.slow; ++i) {
    const auto turn = static_cast<Abuse>(static_cast<std::size_t>(i) % kAbuses.size());
    const Abuse abuse = i < options.attackers ? turn : Abuse::kSlowHeader;
    asio::co_spawn(campaign.io, attack(campaign, i, abuse), asio::detached);
  }
  campaign.io.run();
  return std::move(campaign.report);
}

std::string visitor_address(int number) {
  return fmt::format("10.{}.{}.{}", (number >> 16) & 255, (number >> 8) & 255, number & 255);
}

}  // namespace rowbot::app
