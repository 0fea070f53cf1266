#include "robot/vision/cell_network.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace rowbot::vision {
namespace {

constexpr std::size_t kWidth = 32;
constexpr std::size_t kHeads = 2;
constexpr std::size_t kHidden = 64;
constexpr std::size_t kBlocks = 3;
constexpr std::size_t kSide = kPatchSide;

// Rows of signed bytes, each behind the float that scales it; base64.
constexpr std::string_view kWeightText =
#include "robot/vision/cell_weights.inc"
    ;

std::vector<std::uint8_t> from_base64(std::string_view text) {
  std::vector<std::uint8_t> out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool lower = c >= 'a' && c <= 'z';
    const bool digit = c >= '0' && c <= '9';
    if (!upper && !lower && !digit && c != '+' && c != '/') continue;
    const int value = upper      ? c - 'A'
                      : lower    ? c - 'a' + 26
                      : digit    ? c - '0' + 52
                      : c == '+' ? 62
                                 : 63;
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out.push_back(static_cast<std::uint8_t>(bits >> static_cast<unsigned>(held)));
  }
  return out;
}

// y = x W + b, with the weights of one input together.
struct Layer {
  std::size_t in = 0;
  std::size_t out = 0;
  std::vector<float> weight;
  std::vector<float> bias;

  void apply(const float* x, float* y) const {
    std::copy(bias.begin(), bias.end(), y);
    for (std::size_t i = 0; i < in; ++i) add(x[i], i, y);
  }
  void add(float x, std::size_t i, float* y) const {
    const float* w = weight.data() + i * out;
    for (std::size_t o = 0; o < out; ++o) y[o] += x * w[o];
  }
};

struct Norm {
  std::vector<float> scale;
  std::vector<float> shift;

  void apply(const float* x, float* y) const {
    float mean = 0;
    for (std::size_t i = 0; i < kWidth; ++i) mean += x[i];
    mean /= kWidth;
    float variance = 0;
    for (std::size_t i = 0; i < kWidth; ++i) variance += (x[i] - mean) * (x[i] - mean);
    const float per = 1 / std::sqrt(variance / kWidth + 1e-5F);
    for (std::size_t i = 0; i < kWidth; ++i) y[i] = (x[i] - mean) * per * scale[i] + shift[i];
  }
};

struct Block {
  Norm before_mix;
  Layer qkv;
  Layer mix;
  Norm before_up;
  Layer up;
  Layer down;
};

struct Network {
  std::array<Layer, 3> conv;
  Layer embed;
  std::vector<float> place;
  std::array<Block, kBlocks> blocks;
  Norm last;
  Layer head;
};

class WeightReader {
 public:
  explicit WeightReader(std::string_view text) : bytes_(from_base64(text)) {}

  std::vector<float> rows(std::size_t count, std::size_t columns) {
    std::vector<float> out;
    for (std::size_t r = 0; r < count; ++r) {
      float scale = 0;
      std::memcpy(&scale, bytes_.data() + at_, sizeof scale);
      at_ += sizeof scale;
      for (std::size_t c = 0; c < columns; ++c) {
        out.push_back(scale * static_cast<float>(static_cast<std::int8_t>(bytes_[at_++])));
      }
    }
    return out;
  }
  Layer layer(std::size_t in, std::size_t out) {
    Layer l{.in = in, .out = out, .weight = std::vector<float>(in * out), .bias = {}};
    const auto w = rows(out, in);
    for (std::size_t o = 0; o < out; ++o) {
      for (std::size_t i = 0; i < in; ++i) l.weight[i * out + o] = w[o * in + i];
    }
    l.bias = rows(1, out);
    return l;
  }
  Norm norm() { return {.scale = rows(1, kWidth), .shift = rows(1, kWidth)}; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

// The order in which scripts/train_cells.py writes.
Network read_network() {
  WeightReader in(kWeightText);
  Network n;
  n.conv = {in.layer(27, 16), in.layer(9 * 16, 24), in.layer(9 * 24, 32)};
  n.embed = in.layer(128, kWidth);
  n.place = in.rows(kCells, kWidth);
  for (Block& b : n.blocks) {
    b.before_mix = in.norm();
    b.qkv = in.layer(kWidth, 3 * kWidth);
    b.mix = in.layer(kWidth, kWidth);
    b.before_up = in.norm();
    b.up = in.layer(kWidth, kHidden);
    b.down = in.layer(kHidden, kWidth);
  }
  n.last = in.norm();
  n.head = in.layer(kWidth, kCellClasses);
  return n;
}

void relu(std::vector<float>& v) {
  for (float& x : v) x = std::max(0.F, x);
}

// 3x3, every second pixel, zeros around; channels of a pixel together.
std::vector<float> convolve(const Layer& layer, const std::vector<float>& x, std::size_t side) {
  const std::size_t channels = layer.in / 9;
  const std::size_t half = side / 2;
  std::vector<float> y(half * half * layer.out);
  for (std::size_t v = 0; v < half; ++v) {
    for (std::size_t u = 0; u < half; ++u) {
      float* out = y.data() + (v * half + u) * layer.out;
      std::copy(layer.bias.begin(), layer.bias.end(), out);
      for (std::size_t tap = 0; tap < 9; ++tap) {
        const std::size_t row = 2 * v + tap / 3;  // one too far: the border
        const std::size_t column = 2 * u + tap % 3;
        if (row < 1 || column < 1 || row > side || column > side) continue;
        const float* in = x.data() + ((row - 1) * side + column - 1) * channels;
        for (std::size_t k = 0; k < channels; ++k) layer.add(in[k], tap * channels + k, out);
      }
    }
  }
  relu(y);
  return y;
}

using Tokens = std::vector<float>;  // kWidth numbers a cell

void attend(const Block& b, Tokens& x) {
  std::vector<float> qkv(kCells * 3 * kWidth);
  std::array<float, kWidth> normed{};
  for (std::size_t i = 0; i < kCells; ++i) {
    b.before_mix.apply(&x[i * kWidth], normed.data());
    b.qkv.apply(normed.data(), &qkv[i * 3 * kWidth]);
  }
  constexpr std::size_t kDepth = kWidth / kHeads;
  const float per = 1 / std::sqrt(static_cast<float>(kDepth));
  for (std::size_t i = 0; i < kCells; ++i) {
    std::array<float, kWidth> seen{};
    for (std::size_t h = 0; h < kHeads; ++h) {
      const float* q = &qkv[i * 3 * kWidth + h * kDepth];
      std::array<float, kCells> weight{};
      float top = -1e9F;
      for (std::size_t j = 0; j < kCells; ++j) {
        const float* k = &qkv[j * 3 * kWidth + kWidth + h * kDepth];
        for (std::size_t d = 0; d < kDepth; ++d) weight[j] += q[d] * k[d];
        top = std::max(top, weight[j]);
      }
      float sum = 0;
      for (float& w : weight) sum += w = std::exp((w - top) * per);
      for (std::size_t j = 0; j < kCells; ++j) {
        const float* v = &qkv[j * 3 * kWidth + 2 * kWidth + h * kDepth];
        for (std::size_t d = 0; d < kDepth; ++d) seen[h * kDepth + d] += weight[j] / sum * v[d];
      }
    }
    std::array<float, kWidth> mixed{};
    b.mix.apply(seen.data(), mixed.data());
    for (std::size_t d = 0; d < kWidth; ++d) x[i * kWidth + d] += mixed[d];
  }
}

void think(const Block& b, Tokens& x) {
  for (std::size_t i = 0; i < kCells; ++i) {
    std::array<float, kWidth> normed{};
    std::vector<float> hidden(kHidden);
    b.before_up.apply(&x[i * kWidth], normed.data());
    b.up.apply(normed.data(), hidden.data());
    relu(hidden);
    b.down.apply(hidden.data(), normed.data());
    for (std::size_t d = 0; d < kWidth; ++d) x[i * kWidth + d] += normed[d];
  }
}

// The frame's colour is the median of the corners of all patches.
std::array<float, 3> frame_colour(const Patches& patches) {
  std::array<std::array<int, 256>, 3> count{};
  int pixels = 0;
  for (std::size_t v = 0; v < kSide; ++v) {
    for (std::size_t u = 0; u < kSide; ++u) {
      const auto at = [](std::size_t i) {
        return (static_cast<double>(i) + 0.5) * (2 * kPatchReach / kPatchSide) - kPatchReach;
      };
      const double distance = std::hypot(at(u), at(v));
      if (distance <= 1.2 || distance >= 1.45) continue;
      pixels += kCells;
      for (const Patch& p : patches) {
        for (std::size_t k = 0; k < 3; ++k) ++count[k][p[3 * (v * kSide + u) + k]];
      }
    }
  }
  std::array<float, 3> frame{};
  for (std::size_t k = 0; k < 3; ++k) {
    int below = 0;
    std::size_t value = 0;
    while (below + count[k][value] <= (pixels - 1) / 2) below += count[k][value++];
    frame[k] = static_cast<float>(value);
  }
  return frame;
}

}  // namespace

CellLogits run_cell_network(const Patches& patches) {
  static const Network net = read_network();
  const std::array<float, 3> frame = frame_colour(patches);
  double square = 0;
  for (const Patch& p : patches) {
    for (std::size_t i = 0; i < p.size(); ++i) {
      const float d = static_cast<float>(p[i]) - frame[i % 3];
      square += static_cast<double>(d * d);
    }
  }
  const auto per = static_cast<float>(1 / (std::sqrt(square / (kCells * kPatchBytes)) + 8));
  Tokens x(kCells * kWidth);
  std::vector<float> pixels(kPatchBytes);
  for (std::size_t c = 0; c < kCells; ++c) {
    for (std::size_t i = 0; i < kPatchBytes; ++i) {
      pixels[i] = (static_cast<float>(patches[c][i]) - frame[i % 3]) * per;
    }
    auto y = convolve(net.conv[0], pixels, kSide);
    y = convolve(net.conv[1], y, kSide / 2);
    y = convolve(net.conv[2], y, kSide / 4);
    net.embed.apply(y.data(), &x[c * kWidth]);
    for (std::size_t d = 0; d < kWidth; ++d) x[c * kWidth + d] += net.place[c * kWidth + d];
  }
  for (const Block& b : net.blocks) {
    attend(b, x);
    think(b, x);
  }
  CellLogits out{};
  for (std::size_t c = 0; c < kCells; ++c) {
    std::array<float, kWidth> normed{};
    net.last.apply(&x[c * kWidth], normed.data());
    net.head.apply(normed.data(), out[c].data());
  }
  return out;
}

}  // namespace rowbot::vision
