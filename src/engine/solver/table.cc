#include "engine/solver/table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace rowbot::solver {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

void Table::Unmap::operator()(Bucket* buckets) const { ::munmap(buckets, bytes); }

Table::Table(std::size_t megabytes) : buckets_(nullptr, Unmap{0}), tag_bits_(0), tag_mask_(0) {
  assert(megabytes >= 1);
  // A tag must fit into its field: 11 bits of index at least. 2^36 bytes is more than enough.
  const std::size_t size = std::bit_floor(std::min(megabytes, std::size_t{1} << 16) << 20);
  tag_bits_ = 49 - std::countr_zero(size / sizeof(Bucket));
  tag_mask_ = (std::uint64_t{1} << tag_bits_) - 1;

  // Fresh pages are zero, which is what unused entries are, and cost nothing until touched. A
  // mapping larger by one huge page has an aligned piece of the wanted size in it; the rest goes
  // back. A random probe of 2 MB pages misses the address cache far less often than one of 4 kB.
  const std::size_t slack = size >= kHugePage ? kHugePage : 0;
  void* mapped =
      ::mmap(nullptr, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* begin = static_cast<std::byte*>(mapped);
  if (slack != 0) {
    const auto past = reinterpret_cast<std::uintptr_t>(begin) % kHugePage;
    const std::size_t skip = past == 0 ? 0 : kHugePage - past;
    if (skip != 0) ::munmap(begin, skip);
    begin += skip;
    if (skip != slack) ::munmap(begin + size, slack - skip);
    ::madvise(begin, size, MADV_HUGEPAGE);  // a wish: without huge pages all works, slower
  }
  buckets_ = std::unique_ptr<Bucket[], Unmap>(reinterpret_cast<Bucket*>(begin), Unmap{size});
}

std::size_t Table::bytes() const { return bucket_count() * sizeof(Bucket); }

void Table::clear() {
  for (std::size_t i = 0; i < bucket_count(); ++i) {
    for (auto& entry : buckets_[i].entries) entry.store(0, std::memory_order_relaxed);
  }
}

void Table::next_generation() {
  stamp_ += std::uint64_t{1} << kStampShift;
  if (stamp_ == 0) {  // all stamps are used up
    clear();
    stamp_ = std::uint64_t{1} << kStampShift;
  }
}

}  // namespace rowbot::solver
