// How long one look takes on one core. The signature is what is read from ten rendered boards.
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "base/rng.h"
#include "robot/vision/reader.h"
#include "robot/vision/synthetic.h"
#include "robot/vision/tracker.h"
#include "signature.h"

namespace {

using namespace rowbot;
using namespace rowbot::vision;

RenderedBoard board(int width, std::uint64_t seed, BoardScene::Backdrop backdrop) {
  BoardScene scene;
  Rng rng(seed);
  scene.cells = random_cells(rng, 24);
  scene.size = cv::Size(width, width * 3 / 4);
  scene.yaw_deg = 15;
  scene.pitch_deg = 8;
  scene.backdrop = backdrop;
  scene.seed = seed;
  return render_board(scene);
}

// Cells read as rendered, of 420.
std::uint64_t cells_read() {
  std::uint64_t right = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RenderedBoard truth = board(640, seed, BoardScene::Backdrop::kPlain);
    const auto reading = read_board(truth.image);
    for (std::size_t i = 0; i < cell::kBoardCells; ++i) {
      if (reading && reading->board[i] == truth.truth[i]) ++right;
    }
  }
  return right;
}

void BM_ColdLook(benchmark::State& state) {
  cv::setNumThreads(1);
  const cv::Mat image =
      board(static_cast<int>(state.range(0)), 1, BoardScene::Backdrop::kClutter).image;
  for (auto _ : state) benchmark::DoNotOptimize(read_board(image));
}
BENCHMARK(BM_ColdLook)->Arg(320)->Arg(640)->Arg(960)->Unit(benchmark::kMillisecond);

void BM_FindBoard(benchmark::State& state) {
  cv::setNumThreads(1);
  const cv::Mat image =
      board(static_cast<int>(state.range(0)), 1, BoardScene::Backdrop::kClutter).image;
  for (auto _ : state) benchmark::DoNotOptimize(find_board(image));
}
BENCHMARK(BM_FindBoard)->Arg(640)->Arg(960)->Unit(benchmark::kMillisecond);

void BM_TrackKnownBoard(benchmark::State& state) {
  cv::setNumThreads(1);
  const cv::Mat image = board(640, 1, BoardScene::Backdrop::kClutter).image;
  Tracker tracker;
  for (int i = 0; i < 4; ++i) (void)tracker.look(image);
  if (!tracker.board()) state.SkipWithError("the board was not found");
  for (auto _ : state) benchmark::DoNotOptimize(tracker.look(image));
}
BENCHMARK(BM_TrackKnownBoard)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  return rowbot::bench::run(argc, argv, {{"cells_read", 420, cells_read}});
}
