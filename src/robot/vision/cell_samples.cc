// Writes what the cell network learns from and is tried on, for scripts/train_cells.py.
//
//   cell_samples rendered COUNT SEED OUT      boards of varied_board.h
//   cell_samples photos LABELS FOLDER OUT     boards of labelled photographs, as they are found
//   cell_samples pictures COUNT SEED FOLDER   rendered boards as images with a labels.tsv, for
//                                             `rowbot see --expect`; only whole boards
//
// A record is 42 bytes of truth (CellTruth) followed by 42 patches (patches.h).
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "base/text_file.h"
#include "robot/vision/board_finder.h"
#include "robot/vision/expect.h"
#include "robot/vision/image_file.h"
#include "robot/vision/patches.h"
#include "robot/vision/varied_board.h"

namespace {

using namespace rowbot;          // NOLINT(google-build-using-namespace): a program of its own
using namespace rowbot::vision;  // NOLINT(google-build-using-namespace)

void write(std::ofstream& out, const game::Grid<CellTruth>& truth, const Patches& patches) {
  for (const CellTruth t : truth) out.put(static_cast<char>(t));
  for (const Patch& p : patches) {
    for (const std::uint8_t v : p) out.put(static_cast<char>(v));
  }
}

int rendered(std::uint64_t count, std::uint64_t seed, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  for (std::uint64_t i = 0; i < count; ++i) {
    const VariedBoard board = render_varied_board(mix_seed(seed) + i);
    write(out, board.truth, cut_patches(board.image, disturbed(board.geometry, seed + i)));
  }
  return out.good() ? 0 : 1;
}

int photos(const std::string& labels_path, const std::string& folder, const std::string& path) {
  const auto text = read_text_file(labels_path, std::size_t{16} << 20U);
  if (!text) return fmt::print(stderr, "{}\n", text.error().message), 1;
  const auto labels = parse_labels(*text);
  if (!labels) return fmt::print(stderr, "{}\n", labels.error().message), 1;
  std::ofstream out(path, std::ios::binary);
  for (const PhotoLabel& label : *labels) {
    if (label.refuse) continue;
    const auto image = load_image(std::filesystem::path(folder) / label.file);
    const auto found = image ? find_board(*image) : std::nullopt;
    if (!found) {
      fmt::print(stderr, "{}: no board found\n", label.file);
      continue;
    }
    game::Grid<CellTruth> truth{};
    for (std::size_t i = 0; i < kCells; ++i) truth[i] = static_cast<CellTruth>(label.board[i]);
    write(out, truth, cut_patches(*image, found->geometry));
    fmt::print("{}\t{}\n", label.group, label.file);
  }
  return out.good() ? 0 : 1;
}

bool whole(const VariedBoard& board) {
  return std::none_of(board.truth.begin(), board.truth.end(), [](CellTruth t) {
    return t == CellTruth::kNoCell || t == CellTruth::kUnclear;
  });
}

int pictures(std::uint64_t count, std::uint64_t seed, const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream labels(std::filesystem::path(folder) / "labels.tsv");
  labels << "file\tgroup\tstatus\tboard\n";
  for (std::uint64_t i = 0; i < count; ++i) {
    const VariedBoard board = render_varied_board(mix_seed(seed) + i);
    if (!whole(board)) continue;
    cell::BoardCells cells{};
    for (std::size_t k = 0; k < kCells; ++k) {
      cells[k] = static_cast<cell::CellContent>(board.truth[k]);
    }
    const std::string name = fmt::format("{:06}.png", i);
    if (!cv::imwrite((std::filesystem::path(folder) / name).string(), board.image)) return 1;
    labels << name << "\trendered\tsure\t" << cell::board_text(cells) << "\n";
  }
  return labels.good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 4 && args[0] == "rendered") {
    return rendered(std::stoull(args[1]), std::stoull(args[2]), args[3]);
  }
  if (args.size() == 4 && args[0] == "photos") return photos(args[1], args[2], args[3]);
  if (args.size() == 4 && args[0] == "pictures") {
    return pictures(std::stoull(args[1]), std::stoull(args[2]), args[3]);
  }
  fmt::print(stderr,
             "cell_samples rendered COUNT SEED OUT | photos LABELS FOLDER OUT | pictures COUNT "
             "SEED FOLDER\n");
  return 2;
}
