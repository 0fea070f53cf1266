#include "base/sqlite/power_cut_vfs.h"

#include <cstdlib>
#include <filesystem>
#include <new>
#include <sqlite3.h>
#include <string>
#include <utility>

namespace rowbot::disk_testing {
namespace {

/// SQLite calls plain functions, so what they share stands here.
struct Shared {
  sqlite3_vfs vfs{};
  sqlite3_vfs* system = nullptr;
  DiskRecording* recording = nullptr;
  FaultPoint faults;
};

Shared& shared() {
  static Shared instance;
  return instance;
}

bool fails(bool writes) { return shared().faults.fails(writes); }

struct Tracked {
  std::string name;          // empty: not recorded
  bool sync_folder = false;  // a new log or journal: its first sync is that of its folder too
};

/// The system's own file stands behind this one in the memory that SQLite gives.
struct File {
  sqlite3_file base;
  Tracked* tracked;
};
constexpr std::size_t kFileBytes = (sizeof(File) + 15) / 16 * 16;

Tracked& tracked(sqlite3_file* file) { return *reinterpret_cast<File*>(file)->tracked; }
sqlite3_file* system_file(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + kFileBytes);
}
const sqlite3_io_methods& methods(sqlite3_file* file) { return *system_file(file)->pMethods; }

void note(DiskEvent event) {
  if (!event.file.empty()) shared().recording->note(std::move(event));
}

int close_file(sqlite3_file* file) {
  const int code = methods(file).xClose(system_file(file));
  delete &tracked(file);
  return code;
}
int read_file(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  if (fails(false)) return SQLITE_IOERR_READ;
  return methods(file).xRead(system_file(file), to, size, offset);
}
int write_file(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  if (fails(true)) return shared().faults.full_disk() ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  const int code = methods(file).xWrite(system_file(file), from, size, offset);
  if (code == SQLITE_OK) {
    note({.call = DiskCall::kWrite,
          .file = tracked(file).name,
          .offset = static_cast<std::uint64_t>(offset),
          .text = std::string(static_cast<const char*>(from), static_cast<std::size_t>(size))});
  }
  return code;
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (fails(false)) return SQLITE_IOERR_TRUNCATE;
  const int code = methods(file).xTruncate(system_file(file), size);
  if (code == SQLITE_OK) {
    note({.call = DiskCall::kTruncate,
          .file = tracked(file).name,
          .offset = static_cast<std::uint64_t>(size),
          .text = {}});
  }
  return code;
}
int sync_file(sqlite3_file* file, int flags) {
  if (fails(false)) return SQLITE_IOERR_FSYNC;
  const int code = methods(file).xSync(system_file(file), flags);
  if (code != SQLITE_OK) return code;
  Tracked& state = tracked(file);
  note({.call = DiskCall::kSync, .file = state.name, .text = {}});
  if (state.sync_folder) note({.call = DiskCall::kSyncFolder, .file = state.name, .text = {}});
  state.sync_folder = false;
  return code;
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  if (fails(false)) return SQLITE_IOERR_FSTAT;
  return methods(file).xFileSize(system_file(file), size);
}
int lock_file(sqlite3_file* file, int level) {
  return methods(file).xLock(system_file(file), level);
}
int unlock_file(sqlite3_file* file, int level) {
  return methods(file).xUnlock(system_file(file), level);
}
int check_lock(sqlite3_file* file, int* result) {
  return methods(file).xCheckReservedLock(system_file(file), result);
}
int control_file(sqlite3_file* file, int what, void* argument) {
  return methods(file).xFileControl(system_file(file), what, argument);
}
int sector_size(sqlite3_file* file) { return methods(file).xSectorSize(system_file(file)); }
int characteristics(sqlite3_file* file) {
  return methods(file).xDeviceCharacteristics(system_file(file));
}
int map_index(sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
  if (extend != 0 && fails(true)) return SQLITE_IOERR_SHMSIZE;
  return methods(file).xShmMap(system_file(file), page, size, extend, memory);
}
int lock_index(sqlite3_file* file, int offset, int count, int flags) {
  return methods(file).xShmLock(system_file(file), offset, count, flags);
}
void index_barrier(sqlite3_file* file) { methods(file).xShmBarrier(system_file(file)); }
int unmap_index(sqlite3_file* file, int remove) {
  return methods(file).xShmUnmap(system_file(file), remove);
}

const sqlite3_io_methods kMethods{.iVersion = 2,
                                  .xClose = close_file,
                                  .xRead = read_file,
                                  .xWrite = write_file,
                                  .xTruncate = truncate_file,
                                  .xSync = sync_file,
                                  .xFileSize = file_size,
                                  .xLock = lock_file,
                                  .xUnlock = unlock_file,
                                  .xCheckReservedLock = check_lock,
                                  .xFileControl = control_file,
                                  .xSectorSize = sector_size,
                                  .xDeviceCharacteristics = characteristics,
                                  .xShmMap = map_index,
                                  .xShmLock = lock_index,
                                  .xShmBarrier = index_barrier,
                                  .xShmUnmap = unmap_index,
                                  .xFetch = nullptr,
                                  .xUnfetch = nullptr};

int open_file(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* opened) {
  file->pMethods = nullptr;
  if (fails(false)) return SQLITE_CANTOPEN;
  constexpr int kKept = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
  sqlite3_vfs* system = shared().system;
  int there = 0;
  if (name != nullptr) system->xAccess(system, name, SQLITE_ACCESS_EXISTS, &there);
  // SQLite asks for memory with malloc's alignment and never runs a constructor.
  const int code = system->xOpen(system, name, system_file(file), flags, opened);
  if (code != SQLITE_OK) {
    if (system_file(file)->pMethods != nullptr) methods(file).xClose(system_file(file));
    return code;
  }
  auto* state = new Tracked;
  if (name != nullptr && (flags & kKept) != 0) {
    state->name = std::filesystem::path(name).filename().string();
    if (there == 0) {
      note({.call = DiskCall::kCreate, .file = state->name, .text = {}});
      state->sync_folder = (flags & SQLITE_OPEN_MAIN_DB) == 0;
    }
  }
  reinterpret_cast<File*>(file)->tracked = state;
  file->pMethods = &kMethods;
  return SQLITE_OK;
}

int delete_file(sqlite3_vfs* /*vfs*/, const char* name, int sync_folder) {
  if (fails(false)) return SQLITE_IOERR_DELETE;
  sqlite3_vfs* system = shared().system;
  const int code = system->xDelete(system, name, sync_folder);
  if (code != SQLITE_OK) return code;
  const std::string file = std::filesystem::path(name).filename().string();
  note({.call = DiskCall::kRemove, .file = file, .text = {}});
  if (sync_folder != 0) note({.call = DiskCall::kSyncFolder, .file = file, .text = {}});
  return code;
}

}  // namespace

PowerCutVfs::PowerCutVfs(DiskRecording& recording) {
  Shared& all = shared();
  all.system = sqlite3_vfs_find(nullptr);
  all.recording = &recording;
  all.faults.set(std::nullopt);
  all.vfs = *all.system;
  all.vfs.pNext = nullptr;
  all.vfs.zName = "rowbot-power-cut";
  all.vfs.szOsFile = static_cast<int>(kFileBytes) + all.system->szOsFile;
  all.vfs.xOpen = open_file;
  all.vfs.xDelete = delete_file;
  if (sqlite3_vfs_register(&all.vfs, 1) != SQLITE_OK) std::abort();
}

PowerCutVfs::~PowerCutVfs() {
  sqlite3_vfs_unregister(&shared().vfs);
  sqlite3_vfs_register(shared().system, 1);
}

FaultPoint& PowerCutVfs::faults() { return shared().faults; }

}  // namespace rowbot::disk_testing
