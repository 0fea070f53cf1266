// What each cell's look says for and against a disc, given what is believed
// about the other cells.
//
// Thread safety: const after construction; share it freely between threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "robot/vision/cells.h"
#include "robot/vision/colour_model.h"

namespace rowbot::vision {

/// Middle and border of a disc of one colour.
struct DiscLook {
  Lab inner;
  Lab border;
};

/// A disc colour prepared for comparison, also under highlights, which add
/// white to the disc.
class DiscModel {
 public:
  explicit DiscModel(const DiscLook& look);
  [[nodiscard]] const DiscLook& look() const { return look_; }

 private:
  friend class Evidence;
  static constexpr std::array<float, 2> kHighlights = {0.3F, 0.8F};  // of full white
  DiscLook look_;
  Linear inner_light_;
  Linear border_light_;
  ColourModel inner_;
  ColourModel border_;
  std::array<ColourModel, kHighlights.size()> lit_inner_;
  std::array<ColourModel, kHighlights.size()> lit_border_;
};

enum class Label : std::int8_t { kUnknown = -1, kEmpty = 0, kFirst = 1, kSecond = 2 };
using Labels = std::array<Label, kCells>;

class Evidence {
 public:
  explicit Evidence(const BoardLook& look);

  /// Something stands before the cell, or it is outside the image.
  [[nodiscard]] bool hidden(std::size_t cell) const { return hidden_[cell]; }

  /// Log density of the look of cell i as a disc of this colour.
  [[nodiscard]] double disc(std::size_t i, const DiscModel& m) const;
  /// The same for the first disc of a colour nobody has told us.
  [[nodiscard]] double first_disc(std::size_t i) const;
  /// Log density of the look as a view through the hole, given the cells that
  /// `labels` calls empty: views through neighbouring holes are alike.
  [[nodiscard]] double empty(std::size_t i, const Labels& labels) const;

  /// The cell network sees no cell here, or the contrary of `disc`.
  [[nodiscard]] bool disputed(std::size_t i, bool disc) const;

  /// The part of empty() that speaks against vivid views; never positive.
  [[nodiscard]] double vivid_view(std::size_t cell) const {
    return hidden_[cell] ? 0 : -vivid_[cell];
  }

  /// The looks that occur on this board, commonest first: each may be a disc.
  [[nodiscard]] std::vector<DiscLook> candidates() const;
  /// The middle look of several cells.
  [[nodiscard]] DiscLook look_of(const std::vector<std::size_t>& cells) const;
  /// True when `look` could be the frame itself in shadow.
  [[nodiscard]] bool like_frame(const DiscLook& look) const;

 private:
  static constexpr std::size_t kMaxGroups = 16;
  using Groups = std::vector<std::vector<std::size_t>>;
  [[nodiscard]] Groups group(double tightness, std::size_t limit) const;

  const BoardLook& look_;
  std::array<bool, kCells> hidden_{};
  std::array<double, kCells> scene_{};
  std::array<double, kCells> birth_{};
  std::array<double, kCells> disc_spread_{};
  std::array<double, kCells> empty_spread_{};
  std::array<double, kCells> bare_{};  // density of this little wall on a disc
  std::array<bool, kCells> walled_{};
  std::array<double, kCells> vivid_{};
  std::array<double, kCells> disc_odds_{};  // what the cell network says for a disc
  std::array<Linear, kCells> veil_;
  std::array<double, kCells> lit_{};
  std::array<std::array<double, kCells>, kCells> nearness_{};
  std::array<int, kCells> group_{};
  std::size_t groups_ = 0;
  std::array<std::array<double, kMaxGroups>, kCells> in_group_{};  // density, not its logarithm
};

}  // namespace rowbot::vision
