#include "service/server/table/table_json.h"

#include "fmt/core.h"
#include "game/moves_text.h"
#include "nlohmann/json.hpp"

namespace rowbot::server {
namespace {

std::string_view request_text(table::Request request) {
  switch (request) {
    case table::Request::kNothing:
      return "nothing";
    case table::Request::kPlay:
      return "play";
    case table::Request::kMendBoard:
      return "mend_board";
    case table::Request::kClearBoard:
      return "clear_board";
    case table::Request::kFreeView:
      return "free_view";
    case table::Request::kPlaceDisc:
      return "place_disc";
    case table::Request::kNameColumn:
      return "name_column";
    case table::Request::kRefillMagazine:
      return "refill_magazine";
    case table::Request::kCheckArm:
      return "check_arm";
    case table::Request::kCalibrateArm:
      return "calibrate_arm";
    case table::Request::kCheckColumn:
      return "check_column";
    case table::Request::kResume:
      return "resume";
  }
  return "nothing";
}

std::string_view name_of_side(game::Side side) {
  return side == game::Side::kFirst ? "first" : "second";
}

}  // namespace

std::string table_json(const TableReport& state) {
  using Object = nlohmann::ordered_json;
  const table::TableSnapshot& table = *state.view.table;
  const table::Snapshot* record = table.record.get();
  const bool decided = record != nullptr && record->game.result() != game::GameResult::kOngoing;
  const auto turn = record != nullptr ? record->turn() : std::nullopt;
  const bool broken = !state.view.trouble.empty();
  const Object json{
      {"robot", state.robot},
      {"agent", table.agent},
      {"state", broken ? "broken" : table::state_text(table.state)},
      {"message", broken ? state.view.trouble : table.message},
      {"request", request_text(broken ? table::Request::kNothing : table.request)},
      {"game", table.game},
      {"moves", record != nullptr ? game::moves_text(record->game.moves()) : ""},
      {"human", name_of_side(table.human)},
      {"turn", turn ? Object(name_of_side(*turn)) : Object(nullptr)},
      {"result", decided ? Object(game::result_text(record->game.result())) : Object(nullptr)},
      {"target", table.target ? Object(table.target->number()) : Object(nullptr)},
      {"scene", state.scene.empty() ? Object(nullptr) : Object(state.scene)},
      {"camera", state.view.camera_number},
      {"visitor", state.visitor},
      {"waiting", state.waiting},
      {"watchers", state.watchers},
      {"seconds_left", state.left ? Object(state.left->count()) : Object(nullptr)}};
  return json.dump(-1, ' ', false, Object::error_handler_t::replace);
}

std::string table_ticket_json(std::string_view token, std::string_view state) {
  return fmt::format(R"({{"token":"{}","table":{}}})", token, state);
}

std::string table_live_json(std::string_view state, const std::string* poses) {
  return fmt::format(R"({{"type":"table","data":{{"table":{},"poses":{}}}}})", state,
                     poses != nullptr ? std::string_view(*poses) : "null");
}

}  // namespace rowbot::server
