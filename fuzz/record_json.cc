#include "fuzz.h"
#include "game/game_record.h"
#include "nlohmann/json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rowbot::fuzz::round_trip(
      rowbot::fuzz::as_text(data, size), rowbot::game::parse_record_json,
      [](const rowbot::game::GameRecord& record) { return record_json(record).dump(); });
  return 0;
}
