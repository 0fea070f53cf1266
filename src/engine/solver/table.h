// The transposition table: what is already known about positions, shared by all threads.
//
// One entry is one 64-bit word, so that it is read and written whole:
//
//   63      56 55   50 49   44 43   38 37                                    0
//   generation  work   upper   lower   tag: the hash bits not in the bucket's index
//
// The hash is a bijection of the 49-bit key, and index and tag together hold all of it: a hit is
// never another position. Four entries (half a cache line) make a bucket; the entry with the
// smallest subtree gives way.
//
// Thread safety: any number of threads may probe and store at once; words never tear. Creating,
// next_generation() and clear() need the table alone.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace rowbot::solver {

/// Always inlined: the search is compiled for several processors from the same source, and a
/// helper that stays a function of its own could be shared between them by the linker.
#define ROWBOT_SOLVER_INLINE [[gnu::always_inline]] inline

/// The score lies between both, inclusive.
struct Bounds {
  int lower;
  int upper;
};

class Table {
 public:
  static constexpr int kEntriesPerBucket = 4;

  /// Uses the largest power of two of bytes that fits into `megabytes`; requires 1 or more.
  explicit Table(std::size_t megabytes);

  [[nodiscard]] std::size_t bytes() const;

  /// Makes every entry unknown, by a stamp: costs nothing but one real clearing in 255.
  void next_generation();
  /// Really writes every entry: takes milliseconds now that first use would take later.
  void clear();

  [[nodiscard]] ROWBOT_SOLVER_INLINE std::uint64_t hash(std::uint64_t key) const {
    // Odd multipliers permute the 49-bit numbers; the high bits, which choose the bucket, depend
    // on all bits of the key.
    constexpr std::uint64_t kMultiplier = 0x1d8e4e27c47d1;
    return (key * kMultiplier) & kKeyMask;
  }
  ROWBOT_SOLVER_INLINE void prefetch(std::uint64_t hash) const {
    __builtin_prefetch(&buckets_[hash >> tag_bits_]);
  }

  /// Whether the position is known; if so its bounds.
  [[nodiscard]] ROWBOT_SOLVER_INLINE bool probe(std::uint64_t hash, Bounds& bounds) const {
    const Bucket& bucket = buckets_[hash >> tag_bits_];
    const std::uint64_t wanted = stamp_ | (hash & tag_mask_);
    for (const auto& slot : bucket.entries) {
      const std::uint64_t entry = slot.load(std::memory_order_relaxed);
      if (((entry ^ wanted) & kIdentity) == 0) {
        bounds = bounds_of(entry);
        return true;
      }
    }
    return false;
  }

  /// Remembers bounds, joined with what is known already. `work` grows with the effort that the
  /// knowledge has cost: the logarithm of the nodes.
  ROWBOT_SOLVER_INLINE void store(std::uint64_t hash, Bounds bounds, int work) {
    Bucket& bucket = buckets_[hash >> tag_bits_];
    const std::uint64_t wanted = stamp_ | (hash & tag_mask_);
    std::atomic<std::uint64_t>* victim = nullptr;
    int least = 1 << 10;
    for (auto& slot : bucket.entries) {
      const std::uint64_t entry = slot.load(std::memory_order_relaxed);
      if (((entry ^ wanted) & kIdentity) == 0) {
        const Bounds known = bounds_of(entry);
        if (known.lower > bounds.lower) bounds.lower = known.lower;
        if (known.upper < bounds.upper) bounds.upper = known.upper;
        if (work_of(entry) > work) work = work_of(entry);
        victim = &slot;
        break;
      }
      const int value = (entry ^ stamp_) >> kStampShift == 0 ? work_of(entry) : -1;
      if (value < least) {
        least = value;
        victim = &slot;
      }
    }
    victim->store(wanted | pack(bounds, work), std::memory_order_relaxed);
  }

  /// Bounds that say nothing.
  static constexpr int kNoLower = -32;
  static constexpr int kNoUpper = 31;

 private:
  struct alignas(32) Bucket {
    std::array<std::atomic<std::uint64_t>, kEntriesPerBucket> entries;
  };
  struct Unmap {
    std::size_t bytes;
    void operator()(Bucket* buckets) const;
  };

  static constexpr int kLowerShift = 38;
  static constexpr int kUpperShift = 44;
  static constexpr int kWorkShift = 50;
  static constexpr int kStampShift = 56;
  static constexpr std::uint64_t kKeyMask = (std::uint64_t{1} << 49) - 1;
  static constexpr std::uint64_t kTagField = (std::uint64_t{1} << kLowerShift) - 1;
  static constexpr std::uint64_t kIdentity = (std::uint64_t{0xff} << kStampShift) | kTagField;

  ROWBOT_SOLVER_INLINE static Bounds bounds_of(std::uint64_t entry) {
    return {.lower = static_cast<int>((entry >> kLowerShift) & 63) + kNoLower,
            .upper = static_cast<int>((entry >> kUpperShift) & 63) + kNoLower};
  }
  ROWBOT_SOLVER_INLINE static int work_of(std::uint64_t entry) {
    return static_cast<int>((entry >> kWorkShift) & 63);
  }
  ROWBOT_SOLVER_INLINE static std::uint64_t pack(Bounds bounds, int work) {
    return (static_cast<std::uint64_t>(bounds.lower - kNoLower) << kLowerShift) |
           (static_cast<std::uint64_t>(bounds.upper - kNoLower) << kUpperShift) |
           (static_cast<std::uint64_t>(work) << kWorkShift);
  }

  [[nodiscard]] std::size_t bucket_count() const { return std::size_t{1} << (49 - tag_bits_); }

  std::unique_ptr<Bucket[], Unmap> buckets_;
  int tag_bits_;
  std::uint64_t tag_mask_;
  std::uint64_t stamp_ = std::uint64_t{1} << kStampShift;  // generation 0 marks unused entries
};

}  // namespace rowbot::solver
