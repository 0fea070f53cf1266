#include "robot/vision/decode.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rowbot::vision {
namespace {

using cell::CellContent;

const double kLogHalf = std::log(0.5);
constexpr float kDisputed = 0.9F;
constexpr double kFloating = 7;  // nats that a disc above an empty cell costs

// A disc colour with its log density in every cell.
struct Colour {
  DiscLook look;
  std::array<double, kCells> value{};
};

struct Hypothesis {
  Labels labels{};
  std::array<std::optional<Colour>, 2> discs;
  double score = -1e18;
};

std::size_t index(int column, unsigned row) {
  return row * kColumns + static_cast<unsigned>(column);
}

// Bit r of a column mask: a disc in row r from the top.
double column_prior(unsigned mask) {
  double value = 0;
  for (unsigned r = 0; r + 1 < kRows; ++r) {
    if ((mask >> r & 1U) != 0 && (mask >> (r + 1) & 1U) == 0) value -= kFloating;
  }
  return value;
}

// Both colours come about equally often; people also play odd games.
double count_prior(int a, int b) {
  const int d = std::abs(a - b);
  if (d <= 1) return 0;
  return -1.5 * (1 + d * d / (2 * (0.25 * (a + b) + 1)));
}

class Decoder {
 public:
  Decoder(const BoardLook& look, const DecodeHints& hints) : evidence_(look), hints_(hints) {
    for (auto& p : prior_) p.fill(0);
    if (!hints.last) return;
    // A moment later a disc is where it was, and at most one cell is new.
    for (int c = 0; c < kColumns; ++c) {
      for (unsigned r = 0; r < kRows; ++r) {
        const std::size_t i = index(c, r);
        const CellContent was = (*hints.last)[i];
        if (was == CellContent::kHidden) continue;
        const bool open = r + 1 == kRows || (*hints.last)[index(c, r + 1)] != CellContent::kEmpty;
        const double change = was == CellContent::kEmpty && open ? -3 : -5;
        for (std::size_t k = 0; k < 3; ++k) {
          // Colours that nobody has told have no names yet: a disc is a disc.
          const bool same = told() ? k == static_cast<std::size_t>(was)
                                   : (k == 0) == (was == CellContent::kEmpty);
          if (!same) prior_[i][k] = change;
        }
        if (hints.changed == i && was == CellContent::kEmpty && open) prior_[i] = {-10, 0, 0};
      }
    }
  }

  [[nodiscard]] Decoded run() const {
    if (told()) {
      Hypothesis h = start(colour_of(*hints_.first), colour_of(*hints_.second));
      for (int round = 0; round < kRounds; ++round) {
        const Labels before = h.labels;
        relabel(h);
        if (h.labels == before) break;
      }
      return finish({std::move(h)});
    }
    // Every pair gets a rough look, the best ones a thorough one.
    std::vector<Colour> colours;
    for (const DiscLook& look : evidence_.candidates()) colours.push_back(colour_of(look));
    std::vector<Hypothesis> tried = {start(std::nullopt, std::nullopt)};
    for (std::size_t i = 0; i < colours.size(); ++i) {
      tried.push_back(start(colours[i], std::nullopt));
      for (std::size_t j = i + 1; j < colours.size(); ++j) {
        tried.push_back(start(colours[i], colours[j]));
      }
    }
    for (Hypothesis& h : tried) {
      relabel(h);
      h.score = score(h);
    }
    constexpr std::size_t kThorough = 32;
    sort(tried);
    tried.resize(std::min(tried.size(), kThorough));
    for (Hypothesis& h : tried) settle(h);
    sort(tried);
    return finish(tried);
  }

 private:
  static constexpr int kRounds = 4;

  [[nodiscard]] bool told() const { return hints_.first && hints_.second; }

  static void sort(std::vector<Hypothesis>& tried) {
    std::sort(tried.begin(), tried.end(),
              [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  }

  [[nodiscard]] Colour colour_of(const DiscLook& look) const {
    Colour colour{.look = look};
    const DiscModel model(look);
    for (std::size_t i = 0; i < kCells; ++i) colour.value[i] = evidence_.disc(i, model);
    return colour;
  }

  // First labels: a disc where a colour fits better than any colour would.
  [[nodiscard]] Hypothesis start(std::optional<Colour> first, std::optional<Colour> second) const {
    Hypothesis h;
    h.discs = {std::move(first), std::move(second)};
    h.labels.fill(Label::kEmpty);
    for (std::size_t i = 0; i < kCells; ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        if (h.discs[k] && h.discs[k]->value[i] > evidence_.first_disc(i)) {
          h.labels[i] = static_cast<Label>(k + 1);
        }
      }
    }
    return h;
  }

  // Alternates between labels and colours until they agree.
  void settle(Hypothesis& h) const {
    for (int round = 0; round < kRounds; ++round) {
      for (std::size_t k = 0; k < 2; ++k) {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < kCells; ++i) {
          if (h.labels[i] == static_cast<Label>(k + 1) && !evidence_.hidden(i)) {
            members.push_back(i);
          }
        }
        if (!members.empty()) h.discs[k] = colour_of(evidence_.look_of(members));
      }
      const Labels before = h.labels;
      relabel(h);
      if (h.labels == before) break;
    }
    h.score = score(h);
  }

  // Log evidence of empty, first and second for one cell.
  [[nodiscard]] std::array<double, 3> cell_values(const Hypothesis& h, std::size_t i,
                                                  const Labels& given) const {
    std::array<double, 3> v = {evidence_.empty(i, given) + prior_[i][0], -1e6, -1e6};
    for (std::size_t k = 0; k < 2; ++k) {
      if (h.discs[k]) v[k + 1] = h.discs[k]->value[i] + kLogHalf + prior_[i][k + 1];
    }
    return v;
  }

  void relabel(Hypothesis& h) const {
    const Labels given = h.labels;
    for (int c = 0; c < kColumns; ++c) {
      std::array<std::array<double, 3>, kRows> v{};
      for (unsigned r = 0; r < kRows; ++r) v[r] = cell_values(h, index(c, r), given);
      double best = -1e18;
      unsigned best_mask = 0;
      for (unsigned mask = 0; mask < 1U << kRows; ++mask) {
        double value = column_prior(mask);
        for (unsigned r = 0; r < kRows; ++r) {
          value += (mask >> r & 1U) != 0 ? std::max(v[r][1], v[r][2]) : v[r][0];
        }
        if (value > best) {
          best = value;
          best_mask = mask;
        }
      }
      for (unsigned r = 0; r < kRows; ++r) {
        const Label disc = v[r][1] >= v[r][2] ? Label::kFirst : Label::kSecond;
        h.labels[index(c, r)] = (best_mask >> r & 1U) != 0 ? disc : Label::kEmpty;
      }
    }
  }

  // Joint score by the chain rule from the top left cell on: an empty cell is
  // predicted from the empty cells before it, a disc from its colour; the
  // first disc of a colour pays for the choice of the colour.
  [[nodiscard]] double score(const Hypothesis& h) const {
    double total = 0;
    double vivid = 0;
    Labels before;
    before.fill(Label::kUnknown);
    std::array<int, 3> count{};
    for (std::size_t i = 0; i < kCells; ++i) {
      const auto k = static_cast<std::size_t>(h.labels[i]);
      if (k == 0) {
        total += evidence_.empty(i, before);
        vivid += evidence_.vivid_view(i);
      } else if (count[k] == 0 && !told()) {
        total += evidence_.first_disc(i) + kLogHalf;
      } else {
        total += h.discs[k - 1]->value[i] + kLogHalf;
      }
      total += prior_[i][k];
      ++count[k];
      before[i] = h.labels[i];
    }
    // One vivid wall behind all holes is one coincidence, not forty.
    constexpr double kVividWall = 25;
    total += std::max(0.0, -vivid - kVividWall);
    for (int c = 0; c < kColumns; ++c) {
      unsigned mask = 0;
      for (unsigned r = 0; r < kRows; ++r) {
        if (h.labels[index(c, r)] != Label::kEmpty) mask |= 1U << r;
      }
      total += column_prior(mask);
    }
    return total + count_prior(count[1], count[2]) + colour_prior(h, count);
  }

  // Discs are unlike the frame and unlike each other; any colour may be a disc's, black and white
  // among them.
  [[nodiscard]] double colour_prior(const Hypothesis& h, const std::array<int, 3>& count) const {
    if (told()) return 0;
    double value = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      if (count[k + 1] > 0 && evidence_.like_frame(h.discs[k]->look)) value -= 8;
    }
    if (count[1] > 0 && count[2] > 0) {
      const DiscLook& a = h.discs[0]->look;
      const DiscLook& b = h.discs[1]->look;
      const double apart = std::max(cv::norm(a.inner - b.inner), cv::norm(a.border - b.border));
      value -= std::max(0.0, 25 - apart);
    }
    return value;
  }

  // Probability of each content of each cell under one hypothesis, gravity
  // included. The evidence of inner and border is not independent, so it is
  // tempered.
  [[nodiscard]] std::array<std::array<double, 3>, kCells> marginals(const Hypothesis& h) const {
    constexpr double kTemper = 0.8;
    std::array<std::array<double, 3>, kCells> out{};
    for (int c = 0; c < kColumns; ++c) {
      std::array<std::array<double, 3>, kRows> v{};
      std::array<double, kRows> disc{};
      for (unsigned r = 0; r < kRows; ++r) {
        v[r] = cell_values(h, index(c, r), h.labels);
        for (double& x : v[r]) x *= kTemper;
        disc[r] = log_sum(v[r][1], v[r][2]);
      }
      std::array<double, 1U << kRows> value{};
      for (unsigned mask = 0; mask < value.size(); ++mask) {
        value[mask] = column_prior(mask) * kTemper;
        for (unsigned r = 0; r < kRows; ++r) {
          value[mask] += (mask >> r & 1U) != 0 ? disc[r] : v[r][0];
        }
      }
      const double top = *std::max_element(value.begin(), value.end());
      std::array<double, kRows> filled{};
      double sum = 0;
      for (unsigned mask = 0; mask < value.size(); ++mask) {
        const double p = std::exp(value[mask] - top);
        sum += p;
        for (unsigned r = 0; r < kRows; ++r) {
          if ((mask >> r & 1U) != 0) filled[r] += p;
        }
      }
      for (unsigned r = 0; r < kRows; ++r) {
        const double p = filled[r] / sum;
        auto& cell = out[index(c, r)];
        cell[0] = 1 - p;
        cell[1] = p * std::exp(v[r][1] - disc[r]);
        cell[2] = p * std::exp(v[r][2] - disc[r]);
      }
    }
    return out;
  }

  // A position that players who keep the rules, more or less, can reach.
  static bool plausible(const Hypothesis& h) {
    int first = 0;
    int second = 0;
    for (std::size_t i = 0; i < kCells; ++i) {
      first += h.labels[i] == Label::kFirst ? 1 : 0;
      second += h.labels[i] == Label::kSecond ? 1 : 0;
      const bool floats = i + kColumns < kCells && h.labels[i] != Label::kEmpty &&
                          h.labels[i + kColumns] == Label::kEmpty;
      if (floats) return false;
    }
    return count_prior(first, second) > -5;
  }

  // The darker colour comes first.
  static bool swapped(const Hypothesis& h, bool told) {
    if (told) return false;
    std::array<bool, 2> used{};
    for (const Label l : h.labels) {
      if (l == Label::kFirst) used[0] = true;
      if (l == Label::kSecond) used[1] = true;
    }
    if (!used[0] || !used[1]) return used[1];
    return h.discs[1]->look.border[0] < h.discs[0]->look.border[0];
  }

  [[nodiscard]] Decoded finish(const std::vector<Hypothesis>& tried) const {
    constexpr double kPatience = 4;  // nats of score that count as one
    constexpr std::size_t kRivals = 8;
    Decoded out;
    std::array<std::array<double, 3>, kCells> belief{};
    double weight = 0;
    for (std::size_t t = 0; t < std::min(kRivals, tried.size()); ++t) {
      const double w = std::exp((tried[t].score - tried.front().score) / kPatience);
      if (w < 1e-5) break;
      const bool swap = swapped(tried[t], told());
      const auto p = marginals(tried[t]);
      weight += w;
      for (std::size_t i = 0; i < kCells; ++i) {
        belief[i][0] += w * p[i][0];
        belief[i][swap ? 2 : 1] += w * p[i][1];
        belief[i][swap ? 1 : 2] += w * p[i][2];
      }
    }
    const Hypothesis& best = tried.front();
    out.score = best.score;
    const bool swap = swapped(best, told());
    const auto content = [swap](std::size_t k) {
      if (k == 0) return CellContent::kEmpty;
      return (k == 1) != swap ? CellContent::kFirst : CellContent::kSecond;
    };
    for (std::size_t i = 0; i < kCells; ++i) {
      const auto v = cell_values(best, i, best.labels);
      out.raw[i] =
          content(static_cast<std::size_t>(std::max_element(v.begin(), v.end()) - v.begin()));
      out.board[i] = content(static_cast<std::size_t>(best.labels[i]));
      out.confidence[i] =
          static_cast<float>(belief[i][static_cast<std::size_t>(out.board[i])] / weight);
      // A vivid, even view is called empty against the odds.
      if (out.board[i] == CellContent::kEmpty && evidence_.vivid_view(i) < -1.2) {
        out.confidence[i] *= 0.85F;
      }
      // Two readers that disagree about a cell: not to be betted on. Nor is a cell that only the
      // rules of the board make what it is.
      if (evidence_.disputed(i, out.board[i] != CellContent::kEmpty) ||
          out.raw[i] != out.board[i]) {
        out.confidence[i] = std::min(out.confidence[i], kDisputed);
      }
      if (evidence_.hidden(i)) {
        out.raw[i] = out.board[i] = CellContent::kHidden;
        out.confidence[i] = 0;
      }
    }
    out.plausible = plausible(best);
    if (!out.plausible) {
      for (float& c : out.confidence) c = std::min(c, 0.95F);
    }
    const auto seen = [&](CellContent c) {
      return told() || std::find(out.board.begin(), out.board.end(), c) != out.board.end();
    };
    const auto& first = best.discs[swap ? 1 : 0];
    const auto& second = best.discs[swap ? 0 : 1];
    if (first && seen(CellContent::kFirst)) out.first = first->look;
    if (second && seen(CellContent::kSecond)) out.second = second->look;
    return out;
  }

  Evidence evidence_;
  const DecodeHints& hints_;
  std::array<std::array<double, 3>, kCells> prior_{};
};

}  // namespace

Decoded decode(const BoardLook& look, const DecodeHints& hints) {
  return Decoder(look, hints).run();
}

}  // namespace rowbot::vision
