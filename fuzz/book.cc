#include "engine/solver/book.h"

#include <span>

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto book = rowbot::solver::Book::from_bytes(std::span(data, size));
  if (!book) {
    rowbot::fuzz::require(!book.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  // A forged book may hold any scores, but asking it never goes wrong.
  rowbot::game::Position position;
  for (const rowbot::game::Column column : rowbot::game::kAllColumns) {
    (void)book->find(position);
    position = position.after(column);
  }
  return 0;
}
