// Writes what the cell network learns from and is tried on, for scripts/train_cells.py.
//
//   cell_samples rendered COUNT SEED OUT      boards of varied_board.h
//   cell_samples photos LABELS FOLDER OUT     boards of labelled photographs, as they are found
//   cell_samples pictures COUNT SEED FOLDER  rendered boards as images with a labels.tsv, for
//                                             `rowbot see --expect`; only whole boards
//   cell_samples sources LABELS FOLDER ...    reads labelled photographs as `rowbot see` does, with
//                                             the network's weight chosen for each source on all
//                                             the others
//
// A record is 42 bytes of truth (CellTruth) followed by 42 patches (patches.h).
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <opencv2/imgcodecs.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "base/text_file.h"
#include "robot/vision/board_finder.h"
#include "robot/vision/expect.h"
#include "robot/vision/image_file.h"
#include "robot/vision/patches.h"
#include "robot/vision/reader.h"
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

struct Photo {
  PhotoLabel label;
  std::optional<BoardGeometry> place;
  BoardLook cells;
};

// Photographs of each source.
std::map<std::string, std::vector<Photo>> load_sources(std::span<const std::string> sets) {
  std::map<std::string, std::vector<Photo>> out;
  for (std::size_t i = 0; i + 1 < sets.size(); i += 2) {
    const auto text = read_text_file(sets[i], std::size_t{16} << 20U);
    const auto labels = text ? parse_labels(*text) : text.error();
    if (!labels) {
      fmt::print(stderr, "{}: {}\n", sets[i], labels.error().message);
      continue;
    }
    for (const PhotoLabel& label : *labels) {
      const auto image = load_image(std::filesystem::path(sets[i + 1]) / label.file);
      if (!image) {
        fmt::print(stderr, "{}\n", image.error().message);
        continue;
      }
      Photo photo{.label = label, .place = {}, .cells = {}};
      if (const auto found = find_board(*image)) {
        photo.place = found->geometry;
        photo.cells = look_at_cells(*image, found->geometry);
        ask_cell_network(*image, found->geometry, photo.cells);
      }
      out[label.group].push_back(std::move(photo));
    }
  }
  return out;
}

Tally read_source(std::vector<Photo>& photos, float weight) {
  Tally tally;
  for (Photo& photo : photos) {
    photo.cells.network_weight = weight;
    const Look look = photo.place ? look_at_cells_of(photo.cells, *photo.place, {}) : no_board();
    add_to_tally(photo.label, look.reading, tally);
  }
  return tally;
}

int sources(std::span<const std::string> sets) {
  constexpr std::array<float, 5> kWeights = {0, 0.25F, 0.5F, 0.75F, 1};
  auto photographs = load_sources(sets);
  std::map<std::string, std::array<Tally, kWeights.size()>> tallies;
  for (auto& [name, list] : photographs) {
    for (std::size_t w = 0; w < kWeights.size(); ++w) {
      tallies[name][w] = read_source(list, kWeights[w]);
    }
  }
  fmt::print("{:<44} {:>6} {:>7} {:>6} {:>8} {:>8}\n", "source left out", "weight", "photos",
             "exact", "cells %", "wrong+ok");
  Tally all;
  const auto print = [](std::string_view name, std::string_view weight, const Tally& t) {
    fmt::print("{:<44} {:>6} {:>7} {:>6} {:>8.2f} {:>8}\n", name, weight, t.photos, t.exact,
               100.0 * t.cells_right / std::max(1, t.cells), t.confident_wrong);
  };
  for (const auto& [name, tally] : tallies) {
    std::pair<int, int> best = {-1, -1};
    std::size_t chosen = 0;
    for (std::size_t w = 0; w < kWeights.size(); ++w) {
      std::pair<int, int> others = {0, 0};
      for (const auto& [other, t] : tallies) {
        if (other == name) continue;
        others.first += t[w].exact;
        others.second += t[w].cells_right;
      }
      if (others > best) {
        best = others;
        chosen = w;
      }
    }
    const Tally& t = tally[chosen];
    print(name, fmt::format("{:.2f}", kWeights[chosen]), t);
    all.photos += t.photos;
    all.exact += t.exact;
    all.cells += t.cells;
    all.cells_right += t.cells_right;
    all.confident_wrong += t.confident_wrong;
  }
  print("all, each source left out of the choice", "", all);
  for (std::size_t w = 0; w < kWeights.size(); ++w) {
    Tally sum;
    for (const auto& [name, t] : tallies) {
      sum.photos += t[w].photos;
      sum.exact += t[w].exact;
      sum.cells += t[w].cells;
      sum.cells_right += t[w].cells_right;
      sum.confident_wrong += t[w].confident_wrong;
    }
    print("all, one weight", fmt::format("{:.2f}", kWeights[w]), sum);
  }
  return 0;
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
  if (args.size() >= 3 && args[0] == "sources") return sources(std::span(args).subspan(1));
  fmt::print(stderr,
             "cell_samples rendered COUNT SEED OUT | photos LABELS FOLDER OUT | pictures COUNT "
             "SEED FOLDER | sources LABELS FOLDER ...\n");
  return 2;
}
