#include "fuzz.h"
#include "service/server/games/levels.h"
#include "service/server/http/messages.h"
#include "service/server/lab/lab_agents.h"

namespace {

template <class Message>
void check(const rowbot::server::HttpResult<Message>& message) {
  if (message) return;
  rowbot::fuzz::require(message.error().status == 400, "a bad body is a bad request");
  rowbot::fuzz::require(!message.error().code.empty(), "an error has a code");
  rowbot::fuzz::require(!message.error().message.empty(), "an error says what is wrong");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body = rowbot::fuzz::as_text(data, size);
  const auto game = rowbot::server::parse_new_game(body);
  check(game);
  if (game && !game->level.empty()) {
    rowbot::fuzz::require(rowbot::server::visitor_level(game->level) != nullptr, "levels exist");
  }
  const auto move = rowbot::server::parse_move(body);
  check(move);
  if (move && move->ply) {
    rowbot::fuzz::require(*move->ply >= 0 && *move->ply < 42, "a ply is on the board");
  }
  const auto disc = rowbot::server::parse_table_move(body);
  check(disc);
  rowbot::fuzz::require(!disc || (move && disc->token.size() == 32), "who plays has a token");
  check(rowbot::server::parse_ticket(body));
  check(rowbot::server::parse_restart(body));
  check(rowbot::server::parse_survey(body));
  check(rowbot::server::parse_announcement(body));
  const auto match = rowbot::server::parse_lab_match(body);
  check(match);
  if (match) {
    rowbot::fuzz::require(match->games >= 1 && match->games <= 200, "a match has a few games");
    rowbot::fuzz::require(rowbot::server::lab_agent(match->a.text()).has_value(),
                          "A may play here");
    rowbot::fuzz::require(rowbot::server::lab_agent(match->b.text()).has_value(),
                          "B may play here");
  }
  return 0;
}
