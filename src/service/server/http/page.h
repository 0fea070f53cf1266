// The page's files as the build put them into the program: plain, with gzip and with Brotli. They
// are sent from where they stand; nothing is packed, unpacked or copied while the server runs.
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
  std::string_view plain;
  std::string_view gzip;
  std::string_view brotli;
};

/// Written by cmake/RowbotPage.cmake.
[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

struct PageAnswer {
  int status = 200;
  std::string_view type;
  std::string_view body;
  std::string_view coding;  ///< "br" or "gzip"; empty: plain
  std::string_view etag;    ///< of this body: each coding has its own
  bool immutable = false;   ///< its name changes with its content
};

/// The file at this path in the form that the client likes best; index.html for the page's own
/// addresses, and with status 404 for what is neither. All views are constant data.
[[nodiscard]] PageAnswer page_answer(std::string_view path, std::string_view accept_encoding);

/// How much a client wants a coding, from 0 (not at all) to 1000, by its Accept-Encoding (RFC 9110,
/// 12.5.3). "identity" stands for no coding.
[[nodiscard]] int coding_quality(std::string_view accept_encoding, std::string_view coding);

/// Whether the client has this body already, by its If-None-Match (RFC 9110, 13.1.2).
[[nodiscard]] bool matches_etag(std::string_view if_none_match, std::string_view etag);

/// Computes what is known of every file, once; else the first request does.
void prepare_page();

}  // namespace rowbot::server
