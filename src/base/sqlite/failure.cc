#include "base/sqlite/failure.h"

#include <cerrno>
#include <sqlite3.h>
#include <system_error>

#include "fmt/core.h"

namespace rowbot::sqlite {
namespace {

int primary_code(sqlite3* connection) { return sqlite3_errcode(connection) & 0xff; }

std::string os_text(int error) { return std::generic_category().message(error); }

std::string io_failure_text(sqlite3* connection) {
  const int error = sqlite3_system_errno(connection);
  if (error == ENOSPC || error == EDQUOT) return "the disk is full; free some space";
  if (error == EFBIG) return "a file may not grow as large as this; raise the limit (ulimit -f)";
  if (error == EROFS) return "the disk is mounted read-only";
  return fmt::format("reading or writing the disk failed ({}{}{}); look into the system's log",
                     sqlite3_errmsg(connection), error == 0 ? "" : ", ",
                     error == 0 ? "" : os_text(error));
}

}  // namespace

std::string failure_text(sqlite3* connection) {
  switch (primary_code(connection)) {
    case SQLITE_FULL:
      return "the disk is full; free some space";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "the file or its folder is read-only; may this user write both?";
    case SQLITE_CANTOPEN: {
      const int error = sqlite3_system_errno(connection);
      return fmt::format(
          "the file or one beside it (-wal, -shm, -journal) cannot be opened or made ({}); may "
          "this "
          "user write the folder?",
          error == 0 ? sqlite3_errmsg(connection) : os_text(error));
    }
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return "another program has locked it for too long; end that program or try again";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return fmt::format("the file is damaged ({})", sqlite3_errmsg(connection));
    case SQLITE_NOMEM:
      return "there is not enough memory";
    case SQLITE_IOERR:
      return io_failure_text(connection);
    default:
      return sqlite3_errmsg(connection);
  }
}

bool is_damage(sqlite3* connection) {
  const int code = primary_code(connection);
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR;
}

bool is_storage_failure(sqlite3* connection) {
  switch (primary_code(connection)) {
    case SQLITE_PERM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_NOMEM:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_CORRUPT:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
    case SQLITE_NOTADB:
      return true;
    default:
      return false;
  }
}

}  // namespace rowbot::sqlite
