#include "engine/agents/mcts/tree.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace rowbot::agents::mcts {
namespace {

constexpr std::uint64_t kPageBytes = std::uint64_t{2} << 20;

}  // namespace

std::optional<Proven> proven_of(Proof proof, int discs) {
  if (proof.is_draw()) {
    return Proven{.value = Proven::Value::kDraw, .plies = game::kCells - discs};
  }
  if (proof.is_win()) return Proven{.value = Proven::Value::kWin, .plies = proof.plies()};
  if (proof.is_loss()) return Proven{.value = Proven::Value::kLoss, .plies = proof.plies()};
  return std::nullopt;
}

Arena::Arena(std::uint64_t bytes) {
  const std::uint64_t most = std::uint64_t{kBlockMask} + 1;
  const std::uint64_t blocks = std::clamp<std::uint64_t>(bytes / sizeof(Block), 2, most);
  // One vector more at the end: the last block is read eight wide.
  mapped_bytes_ = (blocks * sizeof(Block) + 64 + kPageBytes - 1) / kPageBytes * kPageBytes;
  // Anonymous memory costs nothing until it is written to.
  void* memory = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  madvise(memory, mapped_bytes_, MADV_HUGEPAGE);  // a wish: small pages work too
#endif
  blocks_ = static_cast<Block*>(memory);
  capacity_ = static_cast<BlockIndex>(blocks);
}

Arena::~Arena() {
  if (blocks_ != nullptr) munmap(blocks_, mapped_bytes_);
}

void Arena::release() {
  // The first pages stay: the next search of a short thought would only ask for them again.
  constexpr std::uint64_t kKeptBytes = 2 * kPageBytes;
  if (mapped_bytes_ <= kKeptBytes) return;
  madvise(reinterpret_cast<std::byte*>(blocks_) + kKeptBytes, mapped_bytes_ - kKeptBytes,
          MADV_DONTNEED);
}

Arena::Arena(Arena&& other) noexcept
    : blocks_(std::exchange(other.blocks_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)) {}

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(blocks_, other.blocks_);
  std::swap(capacity_, other.capacity_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  return *this;
}

}  // namespace rowbot::agents::mcts
