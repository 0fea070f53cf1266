// The opening book that comes with the program: book.bin, put into the program by the assembler.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "engine/solver/book.h"

__asm__(
    ".section .rodata\n"
    ".global rowbot_book_begin\n"
    ".global rowbot_book_end\n"
    "rowbot_book_begin:\n"
    ".incbin \"" ROWBOT_BOOK_FILE
    "\"\n"
    "rowbot_book_end:\n"
    ".byte 0\n"
    ".previous\n");

// NOLINTBEGIN(readability-identifier-naming): names the assembler knows
extern "C" const std::uint8_t rowbot_book_begin[];
extern "C" const std::uint8_t rowbot_book_end[];
// NOLINTEND(readability-identifier-naming)

namespace rowbot::solver {

const Book& Book::built_in() {
  static const Book book = [] {
    auto read = from_bytes(std::span(rowbot_book_begin, rowbot_book_end));
    if (!read) std::abort();  // the tests read it: a build with a damaged book is never released
    return *std::move(read);
  }();
  return book;
}

}  // namespace rowbot::solver
