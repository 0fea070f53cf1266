// The robot's table for the website: shows everybody what happens there, keeps the queue, and
// passes on the moves of the one visitor who may play.
// Thread safety: the loop's thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "robot/table/table_feed.h"
#include "service/server/api_error.h"
#include "service/server/loop.h"
#include "service/server/options.h"
#include "service/server/table/table_queue.h"

namespace rowbot::server {

class TableService {
 public:
  /// Without a feed there is no robot, and everything is refused. Loop and feed must outlive the
  /// service, and the loop must not run its work after it.
  TableService(Loop& loop, table::TableFeed* feed, const TableServiceOptions& options);

  // Answers are JSON, as docs/openapi.json describes them. A token is a visitor's, or empty.
  [[nodiscard]] HttpResult<std::string> look(std::string_view token);
  [[nodiscard]] HttpResult<std::string> scene();
  /// JPEG.
  [[nodiscard]] HttpResult<std::string> camera();
  [[nodiscard]] HttpResult<std::string> join(const std::string& client);
  [[nodiscard]] HttpResult<std::string> leave(std::string_view token);
  [[nodiscard]] HttpResult<std::string> play(std::string_view token, game::Column column,
                                             std::optional<int> ply);
  [[nodiscard]] HttpResult<std::string> stop();
  [[nodiscard]] HttpResult<std::string> resume();

  /// Calls `tell` with a message at once and whenever something changed, until unwatch() with the
  /// number given. The visitor with this token counts as present meanwhile.
  [[nodiscard]] HttpResult<std::uint64_t> watch(std::string token,
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
  [[nodiscard]] table::TableView update();
  void tell(Watcher& watcher, const table::TableView& view, const std::string& common);
  /// The state without what differs from visitor to visitor, and with it.
  [[nodiscard]] std::string common_state(const table::TableView& view);
  [[nodiscard]] std::string state_for(std::string_view token, const std::string& common) const;
  [[nodiscard]] std::string state_now(std::string_view token);

  Loop& loop_;
  table::TableFeed* feed_;
  TableServiceOptions options_;
  TableQueue queue_;
  std::map<std::uint64_t, Watcher> watchers_;
  std::uint64_t next_number_ = 1;
  bool ticking_ = false;
  std::shared_ptr<const std::string> named_scene_;  // whose name is scene_name_
  std::string scene_name_;
};

}  // namespace rowbot::server
