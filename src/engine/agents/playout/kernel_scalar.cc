// One game at a time with ordinary instructions: what runs everywhere, and what the vector kernels
// are held against. The same draws from the same generators, but on the board of game::Position.
#include "engine/agents/playout/kernel.h"
#include "engine/agents/playout/scalar.h"

namespace rowbot::agents::playout {
namespace {

template <Policy kPolicy>
Tally tally_scalar(std::uint64_t mover, std::uint64_t filled, std::uint64_t quota,
                   std::uint64_t* streams) {
  Tally tally{.playouts = quota * kStreams};
  for (std::size_t stream = 0; stream < kStreams; ++stream) {
    StreamDraws draws(streams[stream]);
    for (std::uint64_t i = 0; i < quota; ++i) {
      const Ending ending = play_out<kPolicy>(mover, filled, draws);
      tally.mover_wins += ending.points == kWonPoints ? 1U : 0U;
      tally.draws += ending.points == kDrawnPoints ? 1U : 0U;
      tally.plies += static_cast<std::uint64_t>(ending.plies);
    }
    streams[stream] = draws.state();
  }
  return tally;
}

template <Policy kPolicy>
void finish_scalar(const Job* jobs, std::size_t count, std::uint8_t* points) {
  for (std::size_t i = 0; i < count; ++i) {
    JobDraws draws(jobs[i].seed);
    points[i] = play_out<kPolicy>(jobs[i].mover, jobs[i].filled, draws).points;
  }
}

Tally tally_any(Policy policy, std::uint64_t mover, std::uint64_t filled, std::uint64_t quota,
                std::uint64_t* streams) {
  switch (policy) {
    case Policy::kUniform:
      return tally_scalar<Policy::kUniform>(mover, filled, quota, streams);
    case Policy::kWin:
      return tally_scalar<Policy::kWin>(mover, filled, quota, streams);
    case Policy::kWinBlock:
      return tally_scalar<Policy::kWinBlock>(mover, filled, quota, streams);
    case Policy::kCareful:
      break;
  }
  return tally_scalar<Policy::kCareful>(mover, filled, quota, streams);
}

void finish_any(Policy policy, const Job* jobs, std::size_t count, std::uint8_t* points) {
  switch (policy) {
    case Policy::kUniform:
      return finish_scalar<Policy::kUniform>(jobs, count, points);
    case Policy::kWin:
      return finish_scalar<Policy::kWin>(jobs, count, points);
    case Policy::kWinBlock:
      return finish_scalar<Policy::kWinBlock>(jobs, count, points);
    case Policy::kCareful:
      return finish_scalar<Policy::kCareful>(jobs, count, points);
  }
}

}  // namespace

const Kernel kScalarKernel{"scalar", tally_any, finish_any};

}  // namespace rowbot::agents::playout
