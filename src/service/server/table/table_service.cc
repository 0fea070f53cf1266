#include "service/server/table/table_service.h"

#include <functional>
#include <utility>

#include "fmt/core.h"
#include "service/server/table/table_json.h"

namespace rowbot::server {
namespace {

ApiError no_robot() {
  return {.status = 404, .code = "no_robot", .message = "There is no robot at this website."};
}

ApiError not_yet(std::string_view what) {
  return {.status = 503,
          .code = "not_ready",
          .message = fmt::format("The {} is not there yet. Please try again in a moment.", what),
          .retry_after = 1};
}

/// The table's verdict on a move that it does not take, in words.
ApiError refusal(table::Verdict verdict, game::Column column) {
  if (verdict == table::Verdict::kColumnFull) {
    return {.status = 409,
            .code = "column_full",
            .message = fmt::format("Column {} is full. Choose another.", column.number())};
  }
  return {.status = 409, .code = "not_your_turn", .message = "It is not your turn."};
}

TableQueue::Moment moment_of(const table::TableSnapshot& table) {
  return {.awaits_move = table.request == table::Request::kPlay,
          .over = table.record && table.record->over(),
          .game = table.game,
          .ply = table.record ? table.record->game.moves().size() : 0};
}

}  // namespace

TableService::TableService(Loop& loop, table::TableFeed* feed, const TableServiceOptions& options)
    : loop_(loop), feed_(feed), options_(options), queue_(options.queue) {}

// --- What is shown ---

std::string TableService::common_state(const table::TableView& view) {
  if (view.scene != named_scene_) {
    named_scene_ = view.scene;
    scene_name_ = view.scene ? fmt::format("{:016x}", std::hash<std::string>()(*view.scene)) : "";
  }
  return table_json({.robot = feed_->robot(),
                     .view = view,
                     .scene = scene_name_,
                     .visitor = !queue_.empty(),
                     .waiting = queue_.waiting(),
                     .watchers = watchers_.size(),
                     .left = queue_.left(Clock::now())});
}

std::string TableService::state_for(std::string_view token, const std::string& common) const {
  const auto place = queue_.place(token);
  return fmt::format("{},\"place\":{}}}", std::string_view(common).substr(0, common.size() - 1),
                     place ? std::to_string(*place) : "null");
}

std::string TableService::state_now(std::string_view token) {
  return state_for(token, common_state(update()));
}

table::TableView TableService::update() {
  table::TableView view = feed_->look();
  if (queue_.update(moment_of(*view.table), Clock::now())) {
    // A new visitor begins with an empty board.
    feed_->restart();
    view = feed_->look();
  }
  return view;
}

HttpResult<std::string> TableService::look(std::string_view token) {
  if (feed_ == nullptr) return no_robot();
  queue_.heard_of(token, Clock::now());
  return state_now(token);
}

HttpResult<std::string> TableService::scene() {
  if (feed_ == nullptr) return no_robot();
  const table::TableView view = feed_->look();
  if (!view.scene) return not_yet("scene");
  return *view.scene;
}

HttpResult<std::string> TableService::camera() {
  if (feed_ == nullptr) return no_robot();
  const table::TableView view = feed_->look();
  if (!view.camera) return not_yet("picture");
  return *view.camera;
}

// --- What visitors do ---

HttpResult<std::string> TableService::join(const std::string& client) {
  if (feed_ == nullptr) return no_robot();
  const auto token = queue_.join(client, Clock::now());
  if (!token) return token.error();
  wake();
  return table_ticket_json(*token, state_now(*token));
}

HttpResult<std::string> TableService::leave(std::string_view token) {
  if (feed_ == nullptr) return no_robot();
  queue_.leave(token);
  return state_now(token);
}

HttpResult<std::string> TableService::play(std::string_view token, game::Column column,
                                           std::optional<int> ply) {
  if (feed_ == nullptr) return no_robot();
  queue_.heard_of(token, Clock::now());
  const table::TableView view = update();
  if (queue_.place(token) != 0U) {
    return ApiError{.status = 403,
                    .code = "not_at_the_table",
                    .message = "Only the visitor at the table plays. Join the queue."};
  }
  const table::TableSnapshot& table = *view.table;
  const auto made = static_cast<int>(table.record ? table.record->game.moves().size() : 0);
  const table::Verdict verdict = feed_->play(
      {.column = column, .game = table.game, .ply = static_cast<std::size_t>(ply.value_or(made))});
  if (verdict != table::Verdict::kFine) return refusal(verdict, column);
  queue_.played(table.game);
  return state_now(token);
}

HttpResult<std::string> TableService::stop() {
  if (feed_ == nullptr) return no_robot();
  feed_->stop();
  return state_now("");
}

HttpResult<std::string> TableService::resume() {
  if (feed_ == nullptr) return no_robot();
  feed_->resume();
  return state_now("");
}

// --- Who watches ---

HttpResult<std::uint64_t> TableService::watch(std::string token,
                                              std::function<void(std::string)> tell) {
  if (feed_ == nullptr) return no_robot();
  if (watchers_.size() >= options_.watchers) {
    return ApiError{.status = 503,
                    .code = "busy",
                    .message = "Too many are watching. Please try again in a while.",
                    .retry_after = 30};
  }
  const std::uint64_t number = next_number_++;
  watchers_.emplace(number, Watcher{.token = std::move(token), .tell = std::move(tell)});
  wake();
  return number;
}

void TableService::unwatch(std::uint64_t number) { watchers_.erase(number); }

void TableService::wake() {
  if (std::exchange(ticking_, true)) return;
  loop_.post([this] { tick(); });
}

void TableService::tick() {
  if (watchers_.empty() && queue_.empty()) {
    ticking_ = false;
    return;
  }
  const auto now = Clock::now();
  for (const auto& [number, watcher] : watchers_) queue_.heard_of(watcher.token, now);
  const table::TableView view = update();
  const std::string common = common_state(view);
  for (auto& [number, watcher] : watchers_) tell(watcher, view, common);
  loop_.after(options_.look_every, [this] { tick(); });
}

void TableService::tell(Watcher& watcher, const table::TableView& view, const std::string& common) {
  std::string state = state_for(watcher.token, common);
  if (state == watcher.told && view.poses == watcher.poses) return;
  watcher.told = std::move(state);
  watcher.poses = view.poses;
  watcher.tell(table_live_json(watcher.told, view.poses.get()));
}

}  // namespace rowbot::server
