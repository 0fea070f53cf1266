// A real table on the website. Its arm and discs are shown in a model of the cell that stands as
// the arm says it stands; the picture is the camera's.
#pragma once

#include <memory>
#include <string>

#include "service/server/table/table_feed.h"
#include "table_parts.h"

namespace rowbot::app {

/// Ends the program with an error when a part of the table cannot be opened.
[[nodiscard]] std::unique_ptr<server::TableFeed> open_real_table(const TableParts& parts,
                                                                 const std::string& log);

}  // namespace rowbot::app
