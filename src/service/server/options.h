// Everything an operator can set about the server, with defaults for the open internet.
// Thread safety: plain values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/resources.h"

namespace rowbot::server {

/// What one client (an IPv4 address, or an IPv6 network of 64 bits) may do.
struct ClientLimits {
  std::size_t connections = 64;
  double requests_per_second = 30;
  double request_burst = 150;
  double games_per_second = 0.5;
  double game_burst = 30;
};

/// client_key() of this very machine: a load test, or a proxy that has limits of its own.
inline constexpr std::string_view kLocalClient = "local";

/// How often a client may ask for something expensive: so much at once, and so much in the long
/// run.
struct Allowance {
  double per_second = 0;
  double burst = 0;
};

struct RequestBudgets {
  Allowance analysis{.per_second = 2, .burst = 40};
  Allowance review{.per_second = 0.1, .burst = 15};
  Allowance perfect_move{.per_second = 5, .burst = 60};
  Allowance lab_match{.per_second = 0.05, .burst = 6};
  Allowance live{.per_second = 2, .burst = 60};
  Allowance table_join{.per_second = 0.1, .burst = 20};
  Allowance survey{.per_second = 200.0 / 86'400, .burst = 60};  ///< a class behind one address
  Allowance survey_without_game{.per_second = 5.0 / 86'400, .burst = 5};
  Allowance statistics{.per_second = 2, .burst = 20};
};

/// For those who do their own counting.
inline constexpr Allowance kAmple{.per_second = 1'000, .burst = 20'000};
inline constexpr RequestBudgets kAmpleBudgets{.analysis = kAmple,
                                              .review = kAmple,
                                              .perfect_move = kAmple,
                                              .lab_match = kAmple,
                                              .live = kAmple,
                                              .table_join = kAmple,
                                              .survey = kAmple,
                                              .survey_without_game = kAmple,
                                              .statistics = kAmple};

struct LaneOptions {
  int threads = 1;
  std::size_t queue = 0;       ///< jobs that may wait
  std::size_t per_client = 0;  ///< of these, one client's; this very machine may have all
};

struct PoolOptions {
  Resources resources;  ///< of each thread
  LaneOptions shorts{.queue = 2'000, .per_client = 500};
  LaneOptions longs{.queue = 400, .per_client = 100};
  LaneOptions solver{.queue = 64, .per_client = 16};
  LaneOptions background{.queue = 64, .per_client = 8};  ///< some of these jobs take a second
};

struct ReadPoolOptions {
  int threads = 2;
  std::size_t queue = 2'000;
};

/// What visitors may do in the laboratory.
struct LaboratoryOptions {
  Resources resources;                            ///< of a match
  std::string database;                           ///< of past experiments; empty: there are none
  std::size_t waiting = 4;                        ///< matches beside the one that is played
  std::size_t per_client = 2;                     ///< of one client, played or waiting
  std::chrono::milliseconds match_time{120'000};  ///< then a match ends with the games it has
  std::size_t kept = 64;                          ///< matches that are over and can be looked at
};

struct GameServiceOptions {
  std::size_t live_games = 20'000;                  ///< in memory; others wait in the store
  std::chrono::milliseconds answer_within{8'000};   ///< then the answer says that it still thinks
  std::chrono::milliseconds watch_pause{1'000};     ///< between the moves of agent against agent
  std::chrono::milliseconds watch_patience{5'000};  ///< goes on so long after somebody looked
};

struct TableQueueOptions {
  std::size_t places = 40;                    ///< with the one at the table
  std::size_t places_per_client = 8;          ///< a class behind one address may come
  std::chrono::milliseconds silent{60'000};   ///< at their turn; then the next plays
  std::chrono::milliseconds unheard{15'000};  ///< no connection for so long: gone
  /// So long at most a visitor whose game is over keeps the seat, to see how it ended.
  std::chrono::milliseconds result_shown{4'000};
};

struct TableServiceOptions {
  TableQueueOptions queue;
  std::size_t watchers = 500;
  std::chrono::milliseconds look_every{50};  ///< how often watchers may hear something new
};

struct Options {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;  ///< 0: any that is free
  ClientLimits remote;
  /// For clients on this very machine: a load test, or a proxy that has limits of its own.
  ClientLimits local{.connections = 12'000,
                     .requests_per_second = 5'000,
                     .request_burst = 20'000,
                     .games_per_second = 1'000,
                     .game_burst = 20'000};
  RequestBudgets remote_budgets;
  RequestBudgets local_budgets = kAmpleBudgets;
  std::size_t connections = 12'000;
  std::size_t header_bytes = 8 * 1024;
  std::size_t body_bytes = 4 * 1024;
  std::chrono::milliseconds request_within{10'000};  ///< header and body of one request
  std::chrono::milliseconds idle{60'000};            ///< between two requests of a connection
  std::chrono::milliseconds write_within{10'000};
  std::chrono::milliseconds live_silence{60'000};  ///< of a WebSocket that answers no ping
  std::chrono::milliseconds shutdown_within{5'000};
  PoolOptions pool;
  ReadPoolOptions readers;
  LaboratoryOptions laboratory;
  GameServiceOptions games;
  TableServiceOptions table;
  bool trust_forwarded = false;  ///< behind a proxy: the client is the last of X-Forwarded-For
  bool handle_signals = false;   ///< SIGINT and SIGTERM stop the server
  std::string operator_token;    ///< empty: no operator
  std::function<void(std::string_view)>
      access_log;                                   ///< one line a request; no addresses, no tokens
  std::function<void(std::string_view)> error_log;  ///< one line when trouble begins or ends
};

}  // namespace rowbot::server
