// Standard output, checked: a result that could not be written is a failure, never a silent one.
// A reader that leaves early (`rowbot games export | head`) ends the program by SIGPIPE, or where
// that signal is ignored with exit code 1, without a message in both cases.
// Thread safety: one thread, the one that prints.
#pragma once

namespace rowbot::app {

/// A descriptor 0, 1 or 2 that came closed is opened on /dev/null in the wrong direction: reading
/// or writing it still fails, but no file opened later can take its place and be written into.
void occupy_standard_streams();

/// Writes out what is buffered; throws std::system_error when that fails, which ends the command.
/// For commands that print one result after the other and would compute the rest for nobody.
void flush_output();

/// Flushes for the last time and says on standard error when something was not written, now or
/// earlier. `code` is what the command itself ended with, `reason` an error known already (errno,
/// else 0). The exit code of the program.
[[nodiscard]] int end_output(int code, int reason);

}  // namespace rowbot::app
