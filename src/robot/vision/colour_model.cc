#include "robot/vision/colour_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rowbot::vision {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kFreedom = 4;

}  // namespace

ColourModel::ColourModel(const Lab& mean, double slack) : mean_(mean) {
  const double chroma = std::hypot(mean[1], mean[2]);
  if (chroma > 1) {
    along_a_ = mean[1] / chroma;
    along_b_ = mean[2] / chroma;
  }
  per_light_ = 1 / (9 * slack);
  per_chroma_ = 1 / ((5 + 0.12 * chroma) * slack);
  per_hue_ = 1 / ((5 + 0.04 * chroma) * slack);
  // Peak of a t density in three dimensions.
  log_peak_ = std::lgamma((kFreedom + 3) / 2) - std::lgamma(kFreedom / 2) -
              1.5 * std::log(kFreedom * kPi) + std::log(per_light_ * per_chroma_ * per_hue_);
}

double ColourModel::distance2(const Lab& x) const {
  const double light = (x[0] - mean_[0]) * per_light_;
  const double da = x[1] - mean_[1];
  const double db = x[2] - mean_[2];
  const double along = (da * along_a_ + db * along_b_) * per_chroma_;
  const double across = (db * along_a_ - da * along_b_) * per_hue_;
  return light * light + along * along + across * across;
}

double ColourModel::log_density(const Lab& x) const {
  return log_peak_ - 0.5 * (kFreedom + 3) * std::log1p(distance2(x) / kFreedom);
}

double log_scene(const Lab& x) {
  const double chroma2 = x[1] * x[1] + x[2] * x[2];
  const auto gauss = [chroma2](double s) {
    return std::exp(-chroma2 / (2 * s * s)) / (2 * kPi * s * s);
  };
  constexpr double kLightRange = 110;
  return std::log((0.5 * gauss(8) + 0.35 * gauss(20) + 0.15 * gauss(45)) / kLightRange);
}

double log_disc_colour(const Lab& x) {
  const double chroma = std::hypot(x[1], x[2]);
  const double hue_deg = std::atan2(x[2], x[1]) * 180 / kPi;
  const auto peak = [&](double light, double c, double hue, double chroma_spread) {
    constexpr double kLightSpread = 13;
    constexpr double kHueSpread = 14;
    const double zl = (x[0] - light) / kLightSpread;
    const double zc = (chroma - c) / chroma_spread;
    const double zh = (hue_deg - hue) / kHueSpread;
    return std::exp(-0.5 * (zl * zl + zc * zc + zh * zh)) /
           (std::pow(2 * kPi, 1.5) * kLightSpread * chroma_spread * std::max(chroma, 10.0) *
            kHueSpread * kPi / 180);
  };
  const double red = peak(45, 58, 28, 18);
  const double yellow = peak(75, 65, 90, 20);
  constexpr double kGamut = 1.0e6;  // Lab volume of the colours a camera can record, about
  return std::log(0.35 * red + 0.35 * yellow + 0.3 / kGamut);
}

Lab shaded(const Lab& colour, float factor) {
  return lab_of_linear(linear_of_lab(colour) * factor);
}

double log_sum(double a, double b) {
  const double m = std::max(a, b);
  return m + std::log(std::exp(a - m) + std::exp(b - m));
}

}  // namespace rowbot::vision
