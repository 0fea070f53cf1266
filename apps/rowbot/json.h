// The JSON that commands print: keys stay in the order in which they are written.
#pragma once

#include "nlohmann/json.hpp"

namespace rowbot::app {

using Json = nlohmann::ordered_json;

}  // namespace rowbot::app
