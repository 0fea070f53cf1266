#include "roster/entries.h"

#include <array>
#include <memory>

#include "agents/random_agent.h"

namespace rowbot::roster {
namespace {

/// The two functions of an Entry, made from an options struct and the function that binds it.
template <class Agent, class Options, void (*kBind)(OptionTable&, Options&)>
constexpr Entry entry(std::string_view name, std::string_view help) {
  return {.name = name,
          .help = help,
          .describe =
              [] {
                Options options;
                OptionTable table;
                kBind(table, options);
                return table.describe();
              },
          .make = [](std::span<const OptionValue> values) -> MadeAgent {
            Options options;
            OptionTable table;
            kBind(table, options);
            if (auto assigned = table.assign(values); !assigned) return assigned.error();
            return MadeAgent(std::make_unique<Agent>(options));
          }};
}

void bind_random(OptionTable& table, agents::RandomOptions& options) {
  table.count("seed", options.seed, "where its randomness begins");
}

constexpr std::array kEntries{
    entry<agents::RandomAgent, agents::RandomOptions, bind_random>(
        "random", "plays any legal move, each as likely as the others"),
    entry<agents::ForwardAgent, agents::RandomOptions, bind_random>(
        "forward",
        "looks one move ahead: wins, else blocks, else avoids giving a win, else random"),
};

}  // namespace

std::span<const Entry> entries() { return kEntries; }

}  // namespace rowbot::roster
