#include "robot/station/live_table.h"

#include <utility>

#include "engine/roster/agent_spec.h"
#include "robot/station/stage.h"
#include "robot/station/visitor.h"
#include "robot/table/journal.h"

namespace rowbot::station {
namespace {

using std::chrono::duration;
using std::chrono::duration_cast;
using std::chrono::milliseconds;
using table::Command;

constexpr milliseconds kPictureEvery{400};
constexpr milliseconds kLate{100};     // a machine this late gives up catching up
constexpr milliseconds kNap{4};        // shorter ones are not worth a switch of threads
constexpr double kForever = 1e12;      // others decide when a visitor has left
constexpr double kResultSlice = 0.25;  // seconds of the pause between games

}  // namespace

LiveTable::LiveTable(LiveTableOptions options)
    : options_(std::move(options)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

LiveTable::~LiveTable() = default;

// --- From any thread ---

std::shared_ptr<const LiveTableView> LiveTable::latest() {
  const std::scoped_lock lock(mutex_);
  last_look_ = Clock::now();
  if (asleep_) looked_.notify_one();
  return now_;
}

bool LiveTable::awake() const {
  const std::scoped_lock lock(mutex_);
  return !asleep_;
}

void LiveTable::post(Command::Kind kind) {
  if (table_ != nullptr) table_->post({.kind = kind, .column = {}, .text = {}});
}

void LiveTable::play(const Wish& wish) {
  const std::scoped_lock lock(mutex_);
  wish_ = wish;
}

void LiveTable::restart() {
  const std::scoped_lock lock(mutex_);
  wish_.reset();
  if (stopped_) {
    restart_later_ = true;
  } else {
    post(Command::Kind::kRestart);
  }
}

void LiveTable::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  post(Command::Kind::kStop);
}

void LiveTable::resume() {
  const std::scoped_lock lock(mutex_);
  if (!std::exchange(stopped_, false)) return;
  post(Command::Kind::kResume);
  if (std::exchange(restart_later_, false)) post(Command::Kind::kRestart);
}

// --- Of the thread that plays ---

void LiveTable::run(const std::stop_token& stop) {
  sleep_unwatched(stop);
  if (stop.stop_requested()) return;
  const auto played = play_games(stop);
  if (played) return;
  const std::scoped_lock lock(mutex_);
  auto last = std::make_shared<LiveTableView>(*now_);
  ++last->number;
  last->trouble = played.error().message;
  now_ = std::move(last);
}

Result<void> LiveTable::play_games(const std::stop_token& stop) {
  auto stage =
      Stage::create({.layout = options_.layout, .seed = options_.seed, .wire = options_.wire});
  if (!stage) return stage.error();
  auto journal = table::Journal::open("");
  if (!journal) return journal.error();
  auto table = table::RobotTable::create(
      {.hand = (*stage)->hand(),
       .camera = &(*stage)->eye(),
       .pace = **stage,
       .journal = **journal,
       .realign = [&stage](const auto& before,
                           const auto& now) { return (*stage)->realign(before, now); }},
      {.robot = options_.layout.robot,
       .human = options_.human,
       .agent = options_.agent,
       .make_agent = roster::agent_maker(options_.resources),
       .seed = options_.seed,
       .keys = true,
       .leave_s = kForever});
  if (!table) return table.error();
  Visitor visitor(**stage, **table, nullptr, options_.seed + 1);
  (*stage)->on_wait([this, &visitor] { people_act(visitor); });
  (*stage)->on_step([this, &stage, &stop](const sim::World&) { step(**stage, stop); });
  (*table)->on_change([this, &visitor, &stage](const table::TableSnapshot& now) {
    visitor.notice(now);
    publish(**stage);
  });
  scene_ = std::make_shared<const sim::SceneExport>(sim::export_scene((*stage)->twin().world()));
  anchor_ = next_view_ = next_picture_ = Clock::now();
  anchor_s_ = (*stage)->now_s();
  {
    const std::scoped_lock lock(mutex_);
    table_ = table->get();
    if (stopped_) post(Command::Kind::kStop);
  }
  Result<void> result;
  {
    const std::stop_callback quit(stop, [&table] {
      (*table)->post({.kind = Command::Kind::kQuit, .column = {}, .text = {}});
    });
    while (!stop.stop_requested()) {
      visitor.begin_game({});
      const auto end = (*table)->play_game();
      if (!end) {
        result = end.error();
        break;
      }
      if (*end != table::GameEnd::kFinished) continue;
      const double until_s = (*stage)->now_s() + options_.result_shown_s;
      while (!stop.stop_requested() && (*stage)->now_s() < until_s) (*stage)->wait(kResultSlice);
    }
  }
  const std::scoped_lock lock(mutex_);
  table_ = nullptr;
  return result;
}

void LiveTable::step(Stage& stage, const std::stop_token& stop) {
  if (stop.stop_requested()) return;  // the rest in a hurry
  const auto now = Clock::now();
  if (now >= next_view_) {
    next_view_ = now + duration_cast<Clock::duration>(duration<double>(1 / options_.views_per_s));
    look_through_camera(stage);
    publish(stage);
  }
  sleep_unwatched(stop);
  keep_pace(stage.now_s(), stop);
}

/// A machine that is too slow, or was asleep, goes on from where it is.
void LiveTable::keep_pace(double now_s, const std::stop_token& stop) {
  const auto now = Clock::now();
  const auto due = anchor_ + duration_cast<Clock::duration>(
                                 duration<double>((now_s - anchor_s_) / options_.speed));
  if (now > due + kLate) {
    anchor_ = now;
    anchor_s_ = now_s;
  } else if (due > now + kNap) {
    std::unique_lock lock(mutex_);
    static_cast<void>(looked_.wait_until(lock, stop, due, [] { return false; }));
  }
}

void LiveTable::sleep_unwatched(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto watched = [this] {
    return last_look_ && Clock::now() - *last_look_ < options_.linger;
  };
  if (watched()) {
    asleep_ = false;
    return;
  }
  asleep_ = true;
  static_cast<void>(looked_.wait(lock, stop, watched));
  asleep_ = false;
}

void LiveTable::people_act(Visitor& visitor) {
  std::optional<Wish> wish;
  std::shared_ptr<const table::TableSnapshot> now;
  {
    const std::scoped_lock lock(mutex_);
    if (stopped_) return;  // nobody but the operator resumes
    now = table_->snapshot();
    const auto ply = now->record ? now->record->moves.size() : 0;
    if (wish_ && (wish_->game != now->game || wish_->ply != ply)) wish_.reset();
    wish = wish_;
  }
  visitor.wish(wish ? std::optional(wish->column) : std::nullopt);
  visitor.act();
  if (wish && !visitor.wishes()) {
    const std::scoped_lock lock(mutex_);
    wish_.reset();
  }
}

void LiveTable::look_through_camera(Stage& stage) {
  const auto now = Clock::now();
  if (now < next_picture_) return;
  const auto before = picture_;
  take_picture(stage.eye(), picture_);
  if (picture_ != before) next_picture_ = now + kPictureEvery;
}

void LiveTable::publish(Stage& stage) {
  LiveTableView view{.number = ++views_, .scene = scene_, .picture = picture_};
  view.poses = sim::scene_poses(stage.twin().world());
  const std::scoped_lock lock(mutex_);
  if (table_ != nullptr) view.table = table_->snapshot();
  now_ = std::make_shared<const LiveTableView>(std::move(view));
}

}  // namespace rowbot::station
