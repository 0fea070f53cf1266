// A robot's table as the server sees it: something that is looked at and asked for moves. What
// kind of robot it is, simulated or real, is known elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "game/column.h"
#include "robot/table/robot_table.h"

namespace rowbot::server {

/// The table at one moment. Shared parts never change.
struct TableView {
  std::shared_ptr<const table::TableSnapshot> table;  ///< never null
  std::string trouble;                        ///< why there is no table any more; empty: there is
  std::shared_ptr<const std::string> scene;   ///< JSON of what can be drawn; null until it is known
  std::shared_ptr<const std::string> poses;   ///< JSON of where everything is; the same pointer as
                                              ///< before when nothing moved; null until known
  std::shared_ptr<const std::string> camera;  ///< JPEG; null before the first picture
  std::uint64_t camera_number = 0;            ///< grows with each picture
};

/// Thread safety: called by the server's loop only. Nothing here may block.
class TableFeed {
 public:
  TableFeed() = default;
  TableFeed(const TableFeed&) = delete;
  TableFeed& operator=(const TableFeed&) = delete;
  TableFeed(TableFeed&&) = delete;
  TableFeed& operator=(TableFeed&&) = delete;
  virtual ~TableFeed() = default;

  [[nodiscard]] virtual std::string robot() const = 0;
  /// A feed may rest while nobody looks.
  [[nodiscard]] virtual TableView look() = 0;
  /// The visitor's disc, for exactly this move; without effect when the game has moved on.
  virtual void play(game::Column column, std::uint64_t game, std::size_t ply) = 0;
  virtual void restart() = 0;
  /// Emergency stop; holds until resume().
  virtual void stop() = 0;
  virtual void resume() = 0;
};

}  // namespace rowbot::server
