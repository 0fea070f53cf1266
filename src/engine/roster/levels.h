// How strong an opponent to be: the one table of levels, for website, table, terminal and
// laboratory.
// Thread safety: constant data.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/roster/agent_spec.h"

namespace rowbot::roster {

struct Level {
  std::string_view name;
  std::string_view title;  ///< for people
  std::string_view help;
  std::string_view text;  ///< of the agent, with its weakness if it has one
  /// A person gets no answer sooner: nobody likes to play against a machine that does not think.
  std::chrono::milliseconds pause{0};
  /// The website of Carlo 2020 waited for the time AND the simulations (section 6.7). `level=` in
  /// an agent's text does so; on a machine faster than its Raspberry Pi 3 that is stronger than it
  /// was. The agent of this table makes the simulations alone, the strength of that machine on any
  /// machine, and whoever shows the answer waits.
  bool paper_waits = false;

  [[nodiscard]] const AgentSpec& agent() const;
};

/// For visitors, from the easiest to the hardest, then those of the rocker switch at the table.
[[nodiscard]] std::span<const Level> levels();
[[nodiscard]] std::span<const Level> visitor_levels();
/// Of Carlo 2020: 100, 1000 and 5000 ms.
[[nodiscard]] std::span<const Level, 3> rocker_levels();

/// Null if there is none of this name.
[[nodiscard]] const Level* find_level(std::string_view name);

/// What may follow `level=` in the text of an agent that searches: the levels' names, and
/// pi-NAME for the simulations alone of those that the paper waits for.
[[nodiscard]] std::vector<std::string> level_words();

/// Replaces `level=WORD` by the limits and blunders it stands for; options that are named
/// themselves count more.
[[nodiscard]] Result<void> spell_out_level(std::vector<OptionValue>& options);

}  // namespace rowbot::roster
