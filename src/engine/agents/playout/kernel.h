// What a playout kernel is: the same playouts, made by different instructions. All kernels give the
// same results for the same seeds, bit by bit; they differ in speed only.
//
// This header also goes into the files that are compiled for special instruction sets. It holds
// plain data and declarations only, so that no shared function is ever compiled with them.
// Thread safety: constant tables of pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rowbot::agents::playout {

/// How the moves of a playout are chosen.
enum class Policy : std::uint8_t {
  kUniform,   ///< any legal move, each as likely
  kWin,       ///< a move that wins at once if there is one (Boehm 2016, 4.4.3), else any
  kWinBlock,  ///< else the opponent's winning square if there is one, else any
  kCareful,   ///< else one that does not let the opponent win on top of it, else any
};

/// How playouts from one position went.
struct Tally {
  std::uint64_t playouts = 0;
  std::uint64_t mover_wins = 0;  ///< of the side to move in the position they started from
  std::uint64_t draws = 0;
  std::uint64_t plies = 0;

  friend bool operator==(const Tally&, const Tally&) = default;
};

/// One playout to be made: discs as in game::Position, and where its randomness begins.
struct Job {
  std::uint64_t mover = 0;
  std::uint64_t filled = 0;
  std::uint64_t seed = 0;
};

/// The result of a job, in half points for the side to move at its start.
enum : std::uint8_t { kLostPoints = 0, kDrawnPoints = 1, kWonPoints = 2 };

/// Streams of a tally. Fixed, so that the streams do not depend on the width of the machine.
inline constexpr std::size_t kStreams = 16;

struct Kernel {
  const char* name;
  /// `quota` playouts from one position with each of the kStreams generator states, which must not
  /// be 0 and are moved on. Requires an unfinished game.
  Tally (*tally)(Policy policy, std::uint64_t mover, std::uint64_t filled, std::uint64_t quota,
                 std::uint64_t* streams);
  /// Plays every job to its end. Requires unfinished games.
  void (*finish)(Policy policy, const Job* jobs, std::size_t count, std::uint8_t* points);
};

extern const Kernel kScalarKernel;
#if defined(__x86_64__)
extern const Kernel kAvx2Kernel;
extern const Kernel kAvx512Kernel;
#elif defined(__aarch64__)
extern const Kernel kNeonKernel;
#endif

}  // namespace rowbot::agents::playout
