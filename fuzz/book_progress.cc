#include "engine/solver/book_progress.h"

#include <string>

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int kPlies = 2;
  const std::string_view text = rowbot::fuzz::as_text(data, size);
  const auto progress = rowbot::solver::parse_book_progress(text, kPlies);
  if (!progress) return 0;
  // What is kept of a torn file is read again as the same scores.
  if (progress->whole > text.size()) __builtin_trap();
  const auto again = rowbot::solver::parse_book_progress(text.substr(0, progress->whole), kPlies);
  if (!again || again->known != progress->known || again->whole != progress->whole) {
    __builtin_trap();
  }
  return 0;
}
