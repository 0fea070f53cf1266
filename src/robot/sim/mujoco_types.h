// MuJoCo's types, so that its header stays in the .cc files. They are aliases of tagged structs.
#pragma once

struct mjModel_;  // NOLINT(readability-identifier-naming)
struct mjData_;   // NOLINT(readability-identifier-naming)
