#include "robot/station/mishap.h"

#include <array>
#include <fmt/format.h>

#include "base/text.h"

namespace rowbot::station {
namespace {

constexpr std::array kNames = {
    std::pair(Mishap::kSlippedPiece, "slipped-piece"),
    std::pair(Mishap::kEmptyMagazine, "empty-magazine"),
    std::pair(Mishap::kPieceOnRim, "piece-on-rim"),
    std::pair(Mishap::kJammedColumn, "jammed-column"),
    std::pair(Mishap::kDeadJoint, "dead-joint"),
    std::pair(Mishap::kDriftedJoint, "drifted-joint"),
    std::pair(Mishap::kLateMessages, "late-messages"),
    std::pair(Mishap::kSilentDriver, "silent-driver"),
    std::pair(Mishap::kMovedBoard, "moved-board"),
    std::pair(Mishap::kCoveredCamera, "covered-camera"),
    std::pair(Mishap::kStrayDrop, "stray-drop"),
    std::pair(Mishap::kOutOfTurn, "out-of-turn"),
    std::pair(Mishap::kTwoDiscs, "two-discs"),
    std::pair(Mishap::kTakenDisc, "taken-disc"),
    std::pair(Mishap::kFullColumn, "full-column"),
    std::pair(Mishap::kLeaves, "leaves"),
    std::pair(Mishap::kStop, "stop"),
    std::pair(Mishap::kRestart, "restart"),
    std::pair(Mishap::kPhantomPress, "phantom-press"),
};

}  // namespace

std::string_view mishap_name(Mishap mishap) {
  for (const auto& [known, name] : kNames) {
    if (known == mishap) return name;
  }
  return "?";
}

std::vector<Mishap> all_mishaps() {
  std::vector<Mishap> all;
  for (const auto& [mishap, name] : kNames) all.push_back(mishap);
  return all;
}

Result<PlannedMishap> parse_mishap(std::string_view text) {
  const std::size_t at = text.find('@');
  const std::string_view name = text.substr(0, at);
  const std::string_view ply_text = at == std::string_view::npos ? "" : text.substr(at + 1);
  const auto ply = parse_integer(ply_text);
  if (!ply || *ply < 0 || *ply > 41) {
    return Error{fmt::format("{} is not NAME@PLY with a ply of 0 to 41, for example two-discs@6",
                             in_quotes(text))};
  }
  std::string known;
  for (const auto& [mishap, word] : kNames) {
    if (name == word) return PlannedMishap{.what = mishap, .ply = static_cast<int>(*ply)};
    known += fmt::format("{}{}", known.empty() ? "" : ", ", word);
  }
  return Error{fmt::format("there is no fault {}; there are {}", in_quotes(name), known)};
}

std::vector<Mishap> possible_mishaps(const MishapSetting& setting) {
  std::vector<Mishap> possible = all_mishaps();
  std::erase_if(possible, [&](Mishap mishap) {
    const bool of_motors = mishap == Mishap::kSlippedPiece || mishap == Mishap::kDriftedJoint ||
                           mishap == Mishap::kLateMessages || mishap == Mishap::kSilentDriver;
    return (setting.on_wire && of_motors) || (!setting.switches && mishap == Mishap::kPhantomPress);
  });
  return possible;
}

std::vector<PlannedMishap> random_mishaps(Rng& rng, const std::vector<Mishap>& possible) {
  std::vector<PlannedMishap> planned;
  const int count = rng.below(3) == 0 ? 2 : 1;
  for (int i = 0; i < count; ++i) {
    const auto which = rng.below(static_cast<std::uint32_t>(possible.size()));
    planned.push_back({.what = possible.at(which), .ply = static_cast<int>(1 + rng.below(9))});
  }
  return planned;
}

}  // namespace rowbot::station
