#include "serve_table.h"

#include <utility>

#include "commands.h"
#include "engine/roster/agent_spec.h"
#include "robot/station/live_table.h"

namespace rowbot::app {

std::unique_ptr<table::TableFeed> make_table_feed(const ServeTableOptions& options) {
  const bool twin = options.config.empty();
  if (twin && options.robot == "none") return nullptr;
  station::StationConfig config =
      usage_value(station::configure({.driver = twin ? "sim" : "",
                                      .config = options.config,
                                      .robot = twin ? options.robot : "",
                                      .agent = options.agent}));
  if (config.simulated()) config.speed = options.speed;
  const char* usual = config.simulated() ? "mcts:sims=2000" : "mcts:preset=hybrid,time=1s";
  const std::string agent = config.agent.empty() ? usual : config.agent;
  if (const auto made = roster::make_agent(agent, options.resources); !made) {
    fail_usage(made.error());
  }
  auto opened = station::LiveTable::open({.station = std::move(config),
                                          .log = options.log,
                                          .agent = agent,
                                          .resources = options.resources});
  if (!opened) fail(opened.error());
  return *std::move(opened);
}

}  // namespace rowbot::app
