// Logs of a table: what is read without complaint must be games that hold together.
#include "robot/table/journal.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto games = rowbot::table::parse_journal(rowbot::fuzz::as_text(data, size));
  if (!games) return 0;
  for (const auto& game : *games) {
    rowbot::game::GameRecord record = game.record;
    if (record.reason == rowbot::game::EndReason::kOngoing) rowbot::game::settle_by_rules(record);
    rowbot::fuzz::require(rowbot::game::replay(record).has_value(), "a logged game replays");
  }
  return 0;
}
