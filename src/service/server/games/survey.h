// The short survey of Carlo 2020, and what it found (Tables 7.1 and 7.2).
// Thread safety: constant data.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace rowbot::server {

struct SurveyChoice {
  std::string_view key;
  std::string_view label;
  int paper;  ///< answers of the paper's 72 players
};

inline constexpr int kPaperAnswers = 72;
inline constexpr std::array<SurveyChoice, 2> kFeelings{
    {{"normal", "Like playing a person", 62}, {"artificial", "Artificial", 10}}};
inline constexpr std::array<SurveyChoice, 5> kAges{{{"under-18", "Under 18", 1},
                                                    {"18-24", "18 to 24", 36},
                                                    {"25-39", "25 to 39", 27},
                                                    {"40-65", "40 to 65", 8},
                                                    {"over-65", "Over 65", 0}}};

/// Rates of the paper's games against people; the person always began.
struct PaperLevel {
  std::string_view level;
  int games;
  double human;
  double agent;
  double draw;
};
inline constexpr std::array<PaperLevel, 3> kPaperLevels{{{"easy", 505, 0.211, 0.789, 0.0},
                                                         {"moderate", 235, 0.109, 0.891, 0.0},
                                                         {"hard", 536, 0.052, 0.944, 0.004}}};

}  // namespace rowbot::server
