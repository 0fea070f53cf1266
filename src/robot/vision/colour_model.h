// How likely a colour is: on a disc of known colour, on a disc of unknown
// colour, or in whatever is seen through a hole.
//
// All densities are per unit of Lab volume and given as natural logarithms.
// Thread safety: plain values and free functions; call from any thread.
#pragma once

#include "robot/vision/colour.h"

namespace rowbot::vision {

/// The spread of colours that one thing shows under changing light: hue is
/// steady, chroma and lightness follow the light. Student's t with four degrees
/// of freedom, because a highlight is far off and not impossible.
class ColourModel {
 public:
  ColourModel() = default;
  /// `slack` widens the model in all directions.
  ColourModel(const Lab& mean, double slack);

  [[nodiscard]] const Lab& mean() const { return mean_; }
  /// Squared distance from the mean in units of the spread.
  [[nodiscard]] double distance2(const Lab& x) const;
  [[nodiscard]] double log_density(const Lab& x) const;

 private:
  Lab mean_;
  double along_a_ = 1;  // unit vector of growing chroma
  double along_b_ = 0;
  double per_light_ = 1;  // 1 / spread
  double per_chroma_ = 1;
  double per_hue_ = 1;
  double log_peak_ = 0;
};

/// Something seen through a hole: mostly grey, of any lightness.
[[nodiscard]] double log_scene(const Lab& x);

/// A disc whose colour is not known yet: most are red or yellow, any colour is
/// possible, grey ones least.
[[nodiscard]] double log_disc_colour(const Lab& x);

/// The colour of the same surface in `factor` times the light.
[[nodiscard]] Lab shaded(const Lab& colour, float factor);

/// log(exp(a) + exp(b)) without overflow.
[[nodiscard]] double log_sum(double a, double b);

}  // namespace rowbot::vision
