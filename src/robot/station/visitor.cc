#include "robot/station/visitor.h"

#include <algorithm>
#include <utility>

#include "game/bits.h"

namespace rowbot::station {
namespace {

using game::Column;
using table::Command;
using table::Request;
using table::TableSnapshot;
using table::TableState;

bool happens_while_moving(Mishap mishap) {
  switch (mishap) {
    case Mishap::kSlippedPiece:
    case Mishap::kEmptyMagazine:
    case Mishap::kJammedColumn:
    case Mishap::kDeadJoint:
    case Mishap::kDriftedJoint:
    case Mishap::kLateMessages:
    case Mishap::kSilentDriver:
    case Mishap::kStrayDrop:
    case Mishap::kOutOfTurn:
    case Mishap::kStop:
    case Mishap::kRestart:
      return true;
    case Mishap::kPieceOnRim:
    case Mishap::kMovedBoard:
    case Mishap::kCoveredCamera:
    case Mishap::kTwoDiscs:
    case Mishap::kTakenDisc:
    case Mishap::kFullColumn:
    case Mishap::kLeaves:
    case Mishap::kPhantomPress:
      return false;
  }
  return false;
}

int humans_in(const sim::BoardTruth& truth) {
  int count = 0;
  for (const auto& column : truth) {
    count += static_cast<int>(std::count(column.begin(), column.end(), sim::Side::kHuman));
  }
  return count;
}

}  // namespace

Visitor::Visitor(Station& station, table::RobotTable& table, std::unique_ptr<agents::Agent> player,
                 std::uint64_t seed)
    : station_(station),
      cell_(*station.twin()),
      twin_(cell_.twin()),
      table_(table),
      player_(std::move(player)),
      rng_(seed) {
  if (player_) player_->start_game(seed);
  cell_.on_step([this](const sim::World& world) { step(world); });
}

void Visitor::begin_game(std::vector<PlannedMishap> planned) {
  planned_ = std::move(planned);
  played_ply_.reset();
  sudden_.reset();
  untold_.reset();
  gone_ = false;
  if (player_) player_->start_game(rng_());
}

std::optional<Mishap> Visitor::due(const TableSnapshot& now, bool while_moving) {
  const auto moves = static_cast<int>(now.record->game.moves().size());
  const auto found = std::find_if(planned_.begin(), planned_.end(), [&](const PlannedMishap& m) {
    return moves >= m.ply && happens_while_moving(m.what) == while_moving;
  });
  if (found == planned_.end()) return std::nullopt;
  const Mishap what = found->what;
  planned_.erase(found);
  ++mishaps_;
  return what;
}

void Visitor::act() {
  if (gone_ || station_.now_s() < ready_s_) return;
  // By now it has fallen.
  if (const auto column = std::exchange(untold_, std::nullopt)) {
    table_.post({.kind = Command::Kind::kTyped, .column = *column, .text = {}});
  }
  const auto now = table_.snapshot();
  const auto resume = [this] {
    table_.post({.kind = Command::Kind::kResume, .column = {}, .text = {}});
    busy_for(1);
  };
  switch (now->request) {
    case Request::kNothing:
      return;
    case Request::kPlay:
      return play(*now);
    case Request::kMendBoard:
      return put_board_right(*now);
    case Request::kClearBoard:
      twin_.new_game();
      return;
    case Request::kFreeView:
      twin_.uncover_camera();
      twin_.world().tidy();
      busy_for(1);
      return;
    case Request::kNameColumn:
      return name_column(*now);
    case Request::kPlaceDisc:
      return;  // the twin has an arm
    case Request::kRefillMagazine:
    case Request::kCheckArm:
    case Request::kCalibrateArm:
    case Request::kCheckColumn:
      cell_.repair();
      return resume();
    case Request::kResume:
      return resume();
  }
}

std::optional<Column> Visitor::choose(const game::Position& position) {
  if (!player_) return std::exchange(wish_, std::nullopt);
  const auto decision = player_->choose(position, player_->budget(), {});
  if (!decision) return std::nullopt;
  return decision->column;
}

void Visitor::drop(Column column) {
  if (!twin_.human_drop(column)) {
    twin_.world().tidy();  // the last disc lies somewhere on the table
    twin_.human_drop(column);
  }
}

void Visitor::play(const TableSnapshot& now) {
  if (!now.record || now.record->over()) return;
  if (const auto mishap = due(now, false)) return blunder(*mishap, now);
  const std::size_t ply = now.record->game.moves().size();
  if (played_ply_ == ply) {
    // Played already. If the disc did not arrive in the board, play again.
    const int recorded = game::count(now.record->game.position().discs_of(now.human));
    const bool arrived = humans_in(twin_.world().board.truth()) > recorded;
    if (arrived || station_.now_s() - played_s_ < 4) return;
  }
  const auto column = choose(now.record->game.position());
  if (!column || !now.record->game.position().can_play(*column)) return;
  drop(*column);
  if (tells_) untold_ = column;
  played_ply_ = ply;
  played_s_ = station_.now_s();
  busy_for(0.8);
}

void Visitor::blunder(Mishap mishap, const TableSnapshot& now) {
  const game::Position& position = now.record->game.position();
  const auto some_column = [this](auto&& fits) -> std::optional<Column> {
    std::vector<Column> all;
    for (const Column c : game::kAllColumns) {
      if (fits(c)) all.push_back(c);
    }
    if (all.empty()) return std::nullopt;
    return all[rng_.below(static_cast<std::uint32_t>(all.size()))];
  };
  const auto height = [&position](Column c) {
    return game::count(position.filled() & game::column_mask(c.index()));
  };
  busy_for(1.5);
  switch (mishap) {
    case Mishap::kTwoDiscs:
      for (int i = 0; i < 2; ++i) {
        if (const auto c = some_column([&](Column x) { return height(x) < 5; })) {
          drop(*c);
          twin_.settle(1);
        }
      }
      played_ply_ = now.record->game.moves().size();
      played_s_ = station_.now_s();
      return;
    case Mishap::kTakenDisc:
      if (const auto c = some_column([&](Column x) { return height(x) > 0; })) {
        twin_.world().board.take_top(*c);
      }
      return;
    case Mishap::kFullColumn:
      if (const auto c = some_column([&](Column x) { return height(x) == 6; })) {
        drop(*c);
        return;
      }
      [[fallthrough]];  // no column is full yet: the disc goes beside
    case Mishap::kPieceOnRim:
      twin_.inject(sim::Fault::kPieceOnRim, static_cast<int>(rng_.below(6)));
      return;
    case Mishap::kMovedBoard:
      twin_.inject(sim::Fault::kMovedBoard);
      return;
    case Mishap::kCoveredCamera:
      twin_.inject(sim::Fault::kCoveredCamera);
      busy_for(6);
      return;
    case Mishap::kLeaves:
      gone_ = true;
      return;
    case Mishap::kPhantomPress:
      if (const auto c = some_column([&](Column x) { return height(x) < 6; })) {
        if (TwinSwitches* switches = cell_.switches()) switches->spark(*c);
      }
      busy_for(5);
      return;
    default:
      return;
  }
}

void Visitor::notice(const TableSnapshot& now) {
  if (astray_ && now.state != TableState::kMoving) {
    astray_ = false;
    station_.arm_hand()->set_layout(station_.layout());
  }
  if (now.state != TableState::kMoving || !now.target) return;
  if (const auto mishap = due(now, true)) disturb(*mishap, now);
}

/// What happens to the arm, or while it moves.
void Visitor::disturb(Mishap mishap, const TableSnapshot& now) {
  switch (mishap) {
    case Mishap::kSlippedPiece:
      return twin_.inject(sim::Fault::kSlippedPiece);
    case Mishap::kEmptyMagazine:
      return twin_.inject(sim::Fault::kEmptyMagazine);
    case Mishap::kJammedColumn:
      return twin_.inject(sim::Fault::kJammedColumn, now.target->index());
    case Mishap::kLateMessages:
      return twin_.inject(sim::Fault::kLateMessages);
    case Mishap::kSilentDriver:
      return twin_.inject(sim::Fault::kLostMessages);
    case Mishap::kStrayDrop: {
      cell::CellLayout aside = station_.layout();
      const Eigen::Vector3d pitch =
          (aside.board.last_slot_m - aside.board.first_slot_m) / (game::kColumns - 1);
      const Eigen::Vector3d by = now.target->index() < 3 ? pitch : Eigen::Vector3d(-pitch);
      aside.board.first_slot_m += by;
      aside.board.last_slot_m += by;
      station_.arm_hand()->set_layout(aside);
      astray_ = true;
      return;
    }
    case Mishap::kDeadJoint:
    case Mishap::kDriftedJoint:
    case Mishap::kOutOfTurn:
    case Mishap::kStop:
    case Mishap::kRestart:
      sudden_ = mishap;
      sudden_s_ = station_.now_s() + 0.2 + 6 * rng_.uniform();
      return;
    default:
      return;
  }
}

void Visitor::step(const sim::World& world) {
  if (!sudden_ || world.state.time_s() < sudden_s_) return;
  const Mishap mishap = *std::exchange(sudden_, std::nullopt);
  const auto now = table_.snapshot();
  switch (mishap) {
    case Mishap::kDeadJoint:
      return twin_.inject(sim::Fault::kDeadJoint, static_cast<int>(rng_.below(2)));
    case Mishap::kDriftedJoint:
      return twin_.inject(sim::Fault::kDriftedJoint, static_cast<int>(rng_.below(3)));
    case Mishap::kOutOfTurn: {
      const auto column = static_cast<int>(rng_.below(7));
      if (now->record && now->record->game.position().can_play(Column(column)))
        drop(Column(column));
      return;
    }
    case Mishap::kStop:
      return table_.stop();
    case Mishap::kRestart:
      return table_.post({.kind = Command::Kind::kRestart, .column = {}, .text = {}});
    default:
      return;
  }
}

void Visitor::put_board_right(const TableSnapshot& now) {
  twin_.world().tidy();
  twin_.world().set_board(truth_of(now.record->game.position(), now.human));
  played_ply_.reset();
  busy_for(1);
}

void Visitor::name_column(const TableSnapshot& now) {
  const sim::BoardTruth truth = twin_.world().board.truth();
  for (const Column c : game::kAllColumns) {
    if (now.record->game.position().can_play(c) &&
        shows(truth, now.record->game.position().after(c), now.human)) {
      table_.post({.kind = Command::Kind::kTyped, .column = c, .text = {}});
      return busy_for(1);
    }
  }
}

}  // namespace rowbot::station
