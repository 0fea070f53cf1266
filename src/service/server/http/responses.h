// The JSON of every answer; docs/openapi.json describes it.
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "service/server/api_error.h"
#include "service/server/games/advice.h"
#include "service/server/games/live_game.h"
#include "service/store/store.h"

namespace rowbot::server {

[[nodiscard]] std::string game_json(const GameView& view);
/// As the WebSocket sends it.
[[nodiscard]] std::string live_json(const GameView& view);
[[nodiscard]] std::string refusal_json(const ApiError& error);
[[nodiscard]] std::string levels_json();
[[nodiscard]] std::string analysis_json(const Analysis& analysis, std::string_view moves);
[[nodiscard]] std::string hint_json(const Hint& hint);
[[nodiscard]] std::string review_json(const Review& review);
[[nodiscard]] std::string statistics_json(const store::Statistics& statistics);
[[nodiscard]] std::string survey_questions_json();
[[nodiscard]] std::string announcement_json(std::string_view text);
/// One field, for small answers such as {"status":"ok"}.
[[nodiscard]] std::string single_json(std::string_view key, std::string_view value);

}  // namespace rowbot::server
