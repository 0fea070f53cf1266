#include "robot/station/live_table.h"

#include <utility>

#include "robot/station/station_table.h"
#include "robot/station/visitor.h"

namespace rowbot::station {
namespace {

using std::chrono::duration;
using std::chrono::duration_cast;
using std::chrono::milliseconds;
using table::Command;

constexpr milliseconds kPictureEvery{400};
constexpr double kForever = 1e12;      // others decide when a visitor has left
constexpr double kResultSlice = 0.25;  // seconds of the pause between games

}  // namespace

LiveTable::LiveTable(LiveTableOptions options) : options_(std::move(options)) {
  view_.table = std::make_shared<const table::TableSnapshot>();
}

LiveTable::~LiveTable() = default;

Result<std::unique_ptr<LiveTable>> LiveTable::open(LiveTableOptions options) {
  std::unique_ptr<LiveTable> made(new LiveTable(std::move(options)));
  std::promise<Result<void>> promise;
  auto opened = promise.get_future();
  made->thread_ =
      std::jthread([it = made.get(), promise = std::move(promise)](
                       const std::stop_token& stop) mutable { it->run(stop, std::move(promise)); });
  if (made->options_.station.simulated()) return made;
  if (const auto done = opened.get(); !done) return done.error();
  return made;
}

// --- From any thread ---

std::shared_ptr<const table::TableSnapshot> LiveTable::snapshot() const {
  return table_ != nullptr ? table_->snapshot() : view_.table;
}

table::TableView LiveTable::look() {
  const std::scoped_lock lock(mutex_);
  last_look_ = Clock::now();
  if (asleep_) looked_.notify_one();
  table::TableView view = view_;
  view.table = snapshot();
  return view;
}

sim::ScenePoses LiveTable::poses() const {
  const std::scoped_lock lock(mutex_);
  return poses_;
}

bool LiveTable::awake() const {
  const std::scoped_lock lock(mutex_);
  return !asleep_;
}

void LiveTable::post(Command::Kind kind, std::optional<game::Column> column) {
  if (table_ != nullptr) table_->post({.kind = kind, .column = column, .text = {}});
}

table::Verdict LiveTable::play(const table::MoveWish& wish) {
  const std::scoped_lock lock(mutex_);
  const table::Verdict verdict = judge_wish(*snapshot(), wish);
  if (verdict != table::Verdict::kFine) return verdict;
  if (options_.station.simulated()) {
    wish_ = wish;
  } else {
    post(Command::Kind::kTyped, wish.column);
  }
  return verdict;
}

void LiveTable::restart() {
  const std::scoped_lock lock(mutex_);
  wish_.reset();
  if (under_way(*snapshot())) post(Command::Kind::kRestart);
}

void LiveTable::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  post(Command::Kind::kStop);
}

void LiveTable::resume() {
  const std::scoped_lock lock(mutex_);
  stopped_ = false;
  post(Command::Kind::kResume);
}

// --- Of the thread that plays ---

void LiveTable::run(const std::stop_token& stop, std::promise<Result<void>> opened) {
  const bool simulated = options_.station.simulated();
  if (simulated) sleep_unwatched(stop);
  if (stop.stop_requested()) return;
  StationTableOptions options{.log = simulated ? "" : options_.log,
                              .resources = options_.resources};
  options.table.human = options_.human;
  options.table.agent = options_.agent;
  options.table.keys = simulated || options_.station.senses.keys;
  if (simulated) options.table.leave_s = kForever;
  auto parts = StationTable::open(options_.station, std::move(options));
  opened.set_value(parts ? Result<void>() : Result<void>(parts.error()));
  const auto played = parts ? play_games(**parts, stop) : Result<void>(parts.error());
  const std::scoped_lock lock(mutex_);
  view_.table = snapshot();
  table_ = nullptr;
  if (!played) view_.trouble = played.error().message;
}

Result<void> LiveTable::play_games(StationTable& parts, const std::stop_token& stop) {
  Station& station = parts.station();
  table::RobotTable& table = parts.table();
  texts_.set_scene(station.scene());
  next_view_ = next_picture_ = Clock::now();
  {
    const std::scoped_lock lock(mutex_);
    table_ = &table;
    if (stopped_) post(Command::Kind::kStop);
  }
  std::optional<Visitor> visitor;
  std::jthread watcher;  // ends before the visitor and the station
  if (options_.station.simulated()) {
    visitor.emplace(station, table, nullptr, options_.station.seed + 1);
    station.on_wait([this, &visitor] { people_act(*visitor); });
    table.on_change([this, &visitor, &station](const table::TableSnapshot& now) {
      visitor->notice(now);
      publish(station);
    });
  } else {
    station.on_wait([this, &station] { look_through_camera(station); });
  }
  if (SimulatedCell* twin = station.twin()) {
    twin->on_step([this, &station, stop](const sim::World&) { step(station, stop); });
  } else {
    watcher =
        std::jthread([this, &station](const std::stop_token& end) { watch_real(station, end); });
  }
  const std::stop_callback quit(
      stop, [&table] { table.post({.kind = Command::Kind::kQuit, .column = {}, .text = {}}); });
  while (!stop.stop_requested()) {
    if (visitor) visitor->begin_game({});
    const auto end = table.play_game();
    if (!end) return end.error();
    if (*end != table::GameEnd::kFinished) continue;
    // Everybody is to see how it ended.
    const double until_s = station.now_s() + options_.result_shown_s;
    while (!stop.stop_requested() && station.now_s() < until_s) station.wait(kResultSlice);
  }
  return {};
}

/// In the twin the world and its camera are looked at between two steps.
void LiveTable::step(Station& station, const std::stop_token& stop) {
  if (stop.stop_requested()) return;  // the rest in a hurry
  if (const auto now = Clock::now(); now >= next_view_) {
    next_view_ = now + duration_cast<Clock::duration>(duration<double>(1 / options_.views_per_s));
    look_through_camera(station);
    publish(station);
  }
  if (options_.station.simulated()) sleep_unwatched(stop);
}

/// A real arm is read beside the thread that plays, which waits while it moves.
void LiveTable::watch_real(Station& station, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    sleep_unwatched(stop);
    publish(station);
    std::this_thread::sleep_for(duration<double>(1 / options_.views_per_s));
  }
}

void LiveTable::sleep_unwatched(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto watched = [this] {
    return last_look_ && Clock::now() - *last_look_ < options_.linger;
  };
  if (!watched()) {
    asleep_ = true;
    static_cast<void>(looked_.wait(lock, stop, watched));
  }
  asleep_ = false;
}

void LiveTable::people_act(Visitor& visitor) {
  std::optional<table::MoveWish> wish;
  {
    const std::scoped_lock lock(mutex_);
    if (stopped_) return;  // nobody but the operator resumes
    if (wish_ && judge_wish(*snapshot(), *wish_) == table::Verdict::kStale) wish_.reset();
    wish = wish_;
  }
  visitor.wish(wish ? std::optional(wish->column) : std::nullopt);
  visitor.act();
  if (wish && !visitor.wishes()) {
    const std::scoped_lock lock(mutex_);
    wish_.reset();
  }
}

void LiveTable::look_through_camera(Station& station) {
  const auto now = Clock::now();
  if (station.sensor() == nullptr || now < next_picture_) return;
  const auto before = picture_;
  take_picture(*station.sensor(), picture_);
  if (picture_ == before) return;
  next_picture_ = now + kPictureEvery;
  const std::scoped_lock lock(mutex_);
  view_.camera = std::shared_ptr<const std::string>(picture_, &picture_->jpeg);
  view_.camera_number = picture_->number;
}

void LiveTable::publish(Station& station) {
  std::shared_ptr<const table::TableSnapshot> now;
  {
    const std::scoped_lock lock(mutex_);
    now = snapshot();
  }
  sim::ScenePoses poses = station.poses(*now);
  texts_.set_poses(poses);
  const std::scoped_lock lock(mutex_);
  view_.scene = texts_.scene();
  view_.poses = texts_.poses();
  poses_ = std::move(poses);
}

}  // namespace rowbot::station
