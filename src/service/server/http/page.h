// The page's files, compressed and kept inside the program.
// Thread safety: constant data and pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rowbot::server {

/// One file as the build embedded it.
struct EmbeddedFile {
  std::string_view path;  ///< "/index.html", "/assets/index-1a2b.js"
  const std::uint8_t* begin;
  const std::uint8_t* end;  ///< of the gzip bytes
};

/// Written by cmake/RowbotPage.cmake.
[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

struct PageAnswer {
  int status = 200;
  std::string_view type;
  std::string_view gzip;
  std::string etag;
  bool immutable = false;  ///< its name changes with its content
};

/// The file at this path; index.html for the page's own addresses, and with status 404 for what is
/// neither.
[[nodiscard]] PageAnswer page_answer(std::string_view path);

/// For the rare client that does not take gzip.
[[nodiscard]] std::string unzipped(std::string_view gzip);

}  // namespace rowbot::server
