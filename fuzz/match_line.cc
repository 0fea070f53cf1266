#include "fuzz.h"
#include "lab/cluster/game_wire.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rowbot::fuzz::require;
  const auto match = rowbot::cluster::parse_match_line(rowbot::fuzz::as_text(data, size));
  if (!match) {
    require(!match.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  require(rowbot::lab::check_match(*match).has_value(), "what was read can be played");
  const auto again = rowbot::cluster::parse_match_line(rowbot::cluster::match_line(*match));
  require(again.has_value(), "what was printed is read again");
  require(rowbot::lab::match_key(*again) == rowbot::lab::match_key(*match) &&
              again->games == match->games,
          "what was printed means the same");
  return 0;
}
