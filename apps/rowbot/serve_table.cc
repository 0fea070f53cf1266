// The robot's table on the website: the live table of the twin, in the words of the server.
#include "serve_table.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/memory.h"
#include "commands.h"
#include "engine/roster/agent_spec.h"
#include "robot/station/live_table.h"
#include "scene_texts.h"
#include "serve_real_table.h"
#include "table_parts.h"

namespace rowbot::app {
namespace {

class TwinTable final : public server::TableFeed {
 public:
  TwinTable(std::string robot, station::LiveTableOptions options)
      : robot_(std::move(robot)), live_(std::move(options)) {}

  [[nodiscard]] std::string robot() const override { return robot_; }

  [[nodiscard]] server::TableView look() override {
    const auto view = live_.latest();
    if (view->scene && !texts_.scene()) texts_.set_scene(*view->scene);
    if (view->scene && view->number != number_) {
      number_ = view->number;
      texts_.set_poses(view->poses);
    }
    if (view->picture && view->picture->number != picture_) {
      picture_ = view->picture->number;
      camera_ = std::shared_ptr<const std::string>(view->picture, &view->picture->jpeg);
    }
    return {.table = view->table,
            .trouble = view->trouble,
            .scene = texts_.scene(),
            .poses = texts_.poses(),
            .camera = camera_,
            .camera_number = picture_};
  }

  void play(game::Column column, std::uint64_t game, std::size_t ply) override {
    live_.play({.column = column, .game = game, .ply = ply});
  }
  void restart() override { live_.restart(); }
  void stop() override { live_.stop(); }
  void resume() override { live_.resume(); }

 private:
  std::string robot_;
  std::uint64_t number_ = 0;
  std::uint64_t picture_ = 0;
  SceneTexts texts_;
  std::shared_ptr<const std::string> camera_;
  station::LiveTable live_;
};

}  // namespace

std::unique_ptr<server::TableFeed> make_table_feed(const ServeTableOptions& options) {
  if (options.robot == "none" && options.config.empty()) return nullptr;
  const TableParts parts = table_parts({.driver = options.config.empty() ? "sim" : "",
                                        .config = options.config,
                                        .robot = options.config.empty() ? options.robot : "",
                                        .layout = {},
                                        .senses = {},
                                        .agent = options.agent});
  const std::string agent = parts.agent.empty() ? "mcts:sims=2000" : parts.agent;
  if (const auto made = roster::make_agent(agent, options.resources); !made)
    fail_usage(made.error());
  if (!parts.simulated()) return open_real_table(parts, options.log);
  return std::make_unique<TwinTable>(parts.layout.robot,
                                     station::LiveTableOptions{.layout = parts.layout,
                                                               .wire = parts.wire,
                                                               .agent = agent,
                                                               .resources = options.resources,
                                                               .speed = options.speed});
}

}  // namespace rowbot::app
