// A robot's table for people who are elsewhere: something that is looked at and asked for moves.
// What kind of robot it is, simulated or real, is known elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "robot/table/table_snapshot.h"

namespace rowbot::table {

/// The table at one moment. Shared parts never change.
struct TableView {
  std::shared_ptr<const TableSnapshot> table;  ///< never null
  std::string trouble;                         ///< why there is no table any more; empty: there is
  std::shared_ptr<const std::string> scene;   ///< JSON of what can be drawn; null until it is known
  std::shared_ptr<const std::string> poses;   ///< JSON of where everything is; the same pointer as
                                              ///< before when nothing moved; null until known
  std::shared_ptr<const std::string> camera;  ///< JPEG; null before the first picture
  std::uint64_t camera_number = 0;            ///< grows with each picture
};

/// Thread safety: from any thread. Nothing here may block.
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
  /// The visitor's disc. What is not fine has no effect.
  [[nodiscard]] virtual Verdict play(const MoveWish& wish) = 0;
  /// An empty board for somebody new: gives up the game that another has begun. From then on the
  /// table asks nobody for a move in it. Without effect when there is none.
  virtual void restart() = 0;
  /// Emergency stop; holds until resume().
  virtual void stop() = 0;
  virtual void resume() = 0;
};

}  // namespace rowbot::table
