// The desk before the robot's table: shows everybody what happens there, keeps the queue, and
// passes on the moves of the one visitor who may play.
// Thread safety: the loop's thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "game/column.h"
#include "server/loop.h"
#include "server/options.h"
#include "server/refusal.h"
#include "server/table_feed.h"
#include "server/table_queue.h"

namespace rowbot::server {

class TableDesk {
 public:
  /// Without a feed there is no robot, and everything is refused. Loop and feed must outlive the
  /// desk, and the loop must not run its work after it.
  TableDesk(Loop& loop, TableFeed* feed, const TableDeskOptions& options);

  // Answers are JSON, as docs/openapi.json describes them. A token is a visitor's, or empty.
  [[nodiscard]] Granted<std::string> look(std::string_view token);
  [[nodiscard]] Granted<std::string> scene();
  /// JPEG.
  [[nodiscard]] Granted<std::string> camera();
  [[nodiscard]] Granted<std::string> join(const std::string& client);
  [[nodiscard]] Granted<std::string> leave(std::string_view token);
  [[nodiscard]] Granted<std::string> play(std::string_view token, game::Column column,
                                          std::optional<int> ply);
  [[nodiscard]] Granted<std::string> stop();
  [[nodiscard]] Granted<std::string> resume();

  /// Calls `tell` with a message at once and whenever something changed, until unwatch() with the
  /// number given. The visitor with this token counts as present meanwhile.
  [[nodiscard]] Granted<std::uint64_t> watch(std::string token,
                                             std::function<void(std::string)> tell);
  void unwatch(std::uint64_t number);

  [[nodiscard]] std::size_t watchers() const { return watchers_.size(); }

 private:
  using Clock = TableQueue::Clock;

  struct Watcher {
    std::string token;
    std::function<void(std::string)> tell;
    std::string told;  // the last state
    std::shared_ptr<const std::string> poses;
  };

  void wake();
  void tick();
  /// Looks at the table and lets the queue move on.
  [[nodiscard]] TableView update();
  void tell(Watcher& watcher, const TableView& view, const std::string& common);
  /// The state without what differs from visitor to visitor, and with it.
  [[nodiscard]] std::string common_state(const TableView& view);
  [[nodiscard]] std::string state_for(std::string_view token, const std::string& common) const;
  [[nodiscard]] std::string state_now(std::string_view token);

  Loop& loop_;
  TableFeed* feed_;
  TableDeskOptions options_;
  TableQueue queue_;
  std::map<std::uint64_t, Watcher> watchers_;
  std::uint64_t next_number_ = 1;
  bool ticking_ = false;
  std::optional<std::uint64_t> given_up_;  // the game that a new visitor does not go on with
  std::shared_ptr<const std::string> named_scene_;  // whose name is scene_name_
  std::string scene_name_;
};

}  // namespace rowbot::server
