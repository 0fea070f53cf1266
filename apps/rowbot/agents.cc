#include <memory>

#include "commands.h"
#include "engine/roster/agent_spec.h"
#include "fmt/core.h"
#include "nlohmann/json.hpp"

namespace rowbot::app {
namespace {

void print_json() {
  auto list = nlohmann::ordered_json::array();
  for (const roster::AgentInfo& agent : roster::list_agents()) {
    auto options = nlohmann::ordered_json::array();
    for (const roster::OptionInfo& option : agent.options) {
      options.push_back({{"name", option.name},
                         {"values", option.values},
                         {"default", option.default_value},
                         {"help", option.help}});
    }
    list.push_back({{"name", agent.name}, {"help", agent.help}, {"options", options}});
  }
  fmt::print("{}\n", list.dump(2));
}

void print_table() {
  for (const roster::AgentInfo& agent : roster::list_agents()) {
    fmt::print("{}\n    {}\n", agent.name, agent.help);
    for (const roster::OptionInfo& option : agent.options) {
      const std::string setting = option.default_value.empty()
                                      ? fmt::format("{} (off)", option.name)
                                      : fmt::format("{}={}", option.name, option.default_value);
      fmt::print("      {:<22} {} [{}]\n", setting, option.help, option.values);
    }
    fmt::print("\n");
  }
  fmt::print("Write an agent as its name, or with options as name:key=value,key=value\n");
}

}  // namespace

void add_agents_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("agents", "List every game AI with its options");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print an array of objects with name, help and options");
  command->callback([json] { *json ? print_json() : print_table(); });
}

}  // namespace rowbot::app
