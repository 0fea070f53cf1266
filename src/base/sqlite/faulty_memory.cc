#include "base/sqlite/faulty_memory.h"

#include <cstdlib>
#include <sqlite3.h>

namespace rowbot::disk_testing {
namespace {

/// SQLite calls plain functions, so what they share stands here.
sqlite3_mem_methods system_memory{};
FaultPoint* fault_point = nullptr;

void* allocate(int bytes) {
  return fault_point->fails(true) ? nullptr : system_memory.xMalloc(bytes);
}
void* reallocate(void* memory, int bytes) {
  return fault_point->fails(true) ? nullptr : system_memory.xRealloc(memory, bytes);
}

/// SQLite changes its allocator only while it is shut down.
void use(sqlite3_mem_methods& methods) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  const bool changed = sqlite3_shutdown() == SQLITE_OK &&
                       sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK &&
                       sqlite3_initialize() == SQLITE_OK;
  if (!changed) std::abort();
}

}  // namespace

FaultyMemory::FaultyMemory(FaultPoint& point) {
  fault_point = &point;
  // Initialised, it has chosen the system's allocator.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  if (sqlite3_initialize() != SQLITE_OK || sqlite3_shutdown() != SQLITE_OK ||
      sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory) != SQLITE_OK) {
    std::abort();
  }
  sqlite3_mem_methods methods = system_memory;
  methods.xMalloc = allocate;
  methods.xRealloc = reallocate;
  use(methods);
}

FaultyMemory::~FaultyMemory() { use(system_memory); }

}  // namespace rowbot::disk_testing
