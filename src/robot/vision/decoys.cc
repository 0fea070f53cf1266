#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "robot/vision/synthetic.h"

namespace rowbot::vision {
namespace {

using Draw = void (*)(cv::Mat&, Rng&, const cv::Scalar& ink);

int pick(Rng& rng, int low, int high) {
  return low + static_cast<int>(rng.below(static_cast<std::uint32_t>(high - low + 1)));
}

void checkerboard(cv::Mat& m, Rng& rng, const cv::Scalar& ink) {
  const int cell = pick(rng, 24, 50);
  const int side = pick(rng, 0, 1) == 0 ? 8 : 10;
  for (int r = 0; r < side; ++r) {
    for (int c = 0; c < side; ++c) {
      if ((r + c) % 2 == 0) {
        cv::rectangle(m, cv::Rect(40 + c * cell, 30 + r * cell, cell, cell), ink, -1);
      }
    }
  }
}

// A checkerboard with draughts on it.
void draughts(cv::Mat& m, Rng& rng, const cv::Scalar& ink) {
  checkerboard(m, rng, ink);
  const int cell = 46;
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 8; ++c) {
      if ((r + c) % 2 == 0 && (r < 3 || r > 4)) {
        cv::circle(m, {60 + c * cell, 50 + r * cell}, cell * 2 / 5,
                   r < 3 ? cv::Scalar(30, 30, 30) : cv::Scalar(220, 230, 235), -1, cv::LINE_AA);
      }
    }
  }
}

void line_grid(cv::Mat& m, Rng& rng, const cv::Scalar& ink) {
  const int cell = pick(rng, 30, 60);
  const int width = pick(rng, 1, 7);
  for (int c = 0; c <= 7; ++c) {
    cv::line(m, {50 + c * cell, 40}, {50 + c * cell, 40 + 6 * cell}, ink, width, cv::LINE_AA);
  }
  for (int r = 0; r <= 6; ++r) {
    cv::line(m, {50, 40 + r * cell}, {50 + 7 * cell, 40 + r * cell}, ink, width, cv::LINE_AA);
  }
}

void squares(cv::Mat& m, Rng& rng, const cv::Scalar& ink) {
  const int cell = pick(rng, 36, 62);
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 7; ++c) {
      cv::rectangle(m, cv::Rect(50 + c * cell, 40 + r * cell, cell * 3 / 4, cell * 3 / 4), ink, -1);
    }
  }
}

// Dots in a lattice that is clearly larger or smaller than 7x6.
void dots(cv::Mat& m, Rng& rng, const cv::Scalar& ink) {
  const std::array<cv::Size, 5> sizes = {{{10, 8}, {5, 6}, {12, 4}, {8, 8}, {4, 4}}};
  const cv::Size n = sizes[rng.below(sizes.size())];
  const int cell = std::min(560 / n.width, 420 / n.height);
  for (int r = 0; r < n.height; ++r) {
    for (int c = 0; c < n.width; ++c) {
      cv::circle(m, {45 + c * cell, 40 + r * cell}, cell * 37 / 100, ink, -1, cv::LINE_AA);
    }
  }
}

// Bumps with soft shading, five by six.
void egg_carton(cv::Mat& m, Rng& rng, const cv::Scalar& /*ink*/) {
  m.setTo(cv::Scalar(110, 130, 150));
  const int cell = pick(rng, 55, 75);
  for (int r = 0; r < 5; ++r) {
    for (int c = 0; c < 6; ++c) {
      const cv::Point at(80 + c * cell, 60 + r * cell);
      for (int k = cell * 2 / 5; k > 0; k -= 2) {
        cv::circle(m, at, k, cv::Scalar(150 - 2 * k, 175 - 2 * k, 200 - 2 * k), -1, cv::LINE_AA);
      }
    }
  }
}

void windows(cv::Mat& m, Rng& rng, const cv::Scalar& ink) {
  const int w = pick(rng, 30, 50);
  const int h = pick(rng, 36, 60);
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 9; ++c) {
      cv::rectangle(m, cv::Rect(20 + c * (w + 18), 20 + r * (h + 16), w, h),
                    pick(rng, 0, 3) == 0 ? cv::Scalar(180, 220, 240) : ink, -1);
    }
  }
}

void letters(cv::Mat& m, Rng& rng, const cv::Scalar& ink) {
  for (int r = 0; r < 14; ++r) {
    std::string line;
    for (int c = 0; c < 30; ++c) line += static_cast<char>('a' + pick(rng, 0, 25));
    cv::putText(m, line, {15, 30 + r * 32}, cv::FONT_HERSHEY_SIMPLEX, 0.9, ink, 2, cv::LINE_AA);
  }
}

// Loose circles without order, as on a table full of discs.
void scattered(cv::Mat& m, Rng& rng, const cv::Scalar& ink) {
  for (int i = 0; i < 60; ++i) {
    cv::circle(m, {pick(rng, 20, 620), pick(rng, 20, 460)}, pick(rng, 14, 26),
               i % 2 == 0 ? ink : cv::Scalar(40, 200, 230), -1, cv::LINE_AA);
  }
}

// Every second hole missing: bricks, honeycombs.
void honeycomb(cv::Mat& m, Rng& rng, const cv::Scalar& ink) {
  const int cell = pick(rng, 44, 60);
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 9; ++c) {
      cv::circle(m, {40 + c * cell + (r % 2) * cell / 2, 40 + r * cell * 87 / 100}, cell * 2 / 5,
                 ink, -1, cv::LINE_AA);
    }
  }
}

void plain_noise(cv::Mat& m, Rng& rng, const cv::Scalar& /*ink*/) {
  for (int y = 0; y < m.rows; ++y) {
    for (int x = 0; x < m.cols; ++x) {
      for (int k = 0; k < 3; ++k) {
        m.at<cv::Vec3b>(y, x)[k] = static_cast<std::uint8_t>(rng.below(256));
      }
    }
  }
  cv::GaussianBlur(m, m, cv::Size(), pick(rng, 1, 6));
  cv::normalize(m, m, 0, 255, cv::NORM_MINMAX);
}

}  // namespace

Decoy render_decoy(std::uint64_t seed) {
  struct Kind {
    const char* name;
    Draw draw;
  };
  constexpr std::array<Kind, 11> kKinds = {{{"checkerboard", checkerboard},
                                            {"draughts", draughts},
                                            {"line grid", line_grid},
                                            {"squares", squares},
                                            {"dots", dots},
                                            {"egg carton", egg_carton},
                                            {"windows", windows},
                                            {"letters", letters},
                                            {"scattered", scattered},
                                            {"honeycomb", honeycomb},
                                            {"noise", plain_noise}}};
  Rng rng(seed);
  const Kind& kind = kKinds[seed % kKinds.size()];
  Decoy out;
  out.name = kind.name;
  const bool dark = rng.below(2) == 0;
  cv::Mat flat(480, 640, CV_8UC3, dark ? cv::Scalar(35, 32, 30) : cv::Scalar(215, 222, 225));
  const cv::Scalar ink = rng.below(2) == 0 ? cv::Scalar(160, 60, 25)
                         : dark            ? cv::Scalar(205, 210, 210)
                                           : cv::Scalar(45, 40, 40);
  kind.draw(flat, rng, ink);
  // Seen at a slant, a little soft and noisy.
  const auto jitter = [&rng](float x, float y) {
    return cv::Point2f(x + static_cast<float>(pick(rng, -50, 50)),
                       y + static_cast<float>(pick(rng, -40, 40)));
  };
  const std::array<cv::Point2f, 4> from = {{{0, 0}, {640, 0}, {640, 480}, {0, 480}}};
  const std::array<cv::Point2f, 4> to = {jitter(60, 50), jitter(580, 50), jitter(580, 430),
                                         jitter(60, 430)};
  cv::warpPerspective(flat, out.image, cv::getPerspectiveTransform(from.data(), to.data()),
                      flat.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  cv::GaussianBlur(out.image, out.image, cv::Size(), 0.5 + 1.5 * rng.uniform());
  for (int y = 0; y < out.image.rows; ++y) {
    for (int x = 0; x < out.image.cols; ++x) {
      auto& v = out.image.at<cv::Vec3b>(y, x);
      const int n = pick(rng, -5, 5);
      for (int k = 0; k < 3; ++k) v[k] = cv::saturate_cast<std::uint8_t>(v[k] + n);
    }
  }
  return out;
}

}  // namespace rowbot::vision
