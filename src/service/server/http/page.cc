#include "service/server/http/page.h"

#include <algorithm>
#include <array>
#include <utility>
#include <zlib.h>

#include "fmt/core.h"

namespace rowbot::server {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kTypes{
    {{".html", "text/html; charset=utf-8"},
     {".js", "text/javascript; charset=utf-8"},
     {".css", "text/css; charset=utf-8"},
     {".svg", "image/svg+xml"},
     {".json", "application/json"},
     {".webmanifest", "application/manifest+json"},
     {".txt", "text/plain; charset=utf-8"},
     {".png", "image/png"},
     {".ico", "image/x-icon"},
     {".woff2", "font/woff2"},
     {".map", "application/json"},
     {".webp", "image/webp"}}};

/// Addresses that the page itself understands.
constexpr std::array<std::string_view, 4> kPlaces{"/g/", "/p/", "/review/", "/lab/"};
constexpr std::array<std::string_view, 10> kPages{"/",           "/statistics", "/about", "/survey",
                                                  "/watch",      "/edit",       "/lab",   "/play",
                                                  "/laboratory", "/table"};

std::string_view type_of(std::string_view path) {
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

bool is_page(std::string_view path) {
  return std::find(kPages.begin(), kPages.end(), path) != kPages.end() ||
         std::any_of(kPlaces.begin(), kPlaces.end(),
                     [path](std::string_view place) { return path.starts_with(place); });
}

const EmbeddedFile* find_file(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

/// FNV-1a: enough to notice that a file has changed.
std::string etag_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return fmt::format("\"{:016x}\"", hash);
}

}  // namespace

PageAnswer page_answer(std::string_view path) {
  PageAnswer answer;
  const EmbeddedFile* file = find_file(path);
  if (file == nullptr) {
    if (!is_page(path)) answer.status = 404;
    file = find_file("/index.html");
    if (file == nullptr) return {.status = 404, .type = "text/plain"};
  }
  answer.type = type_of(file->path);
  answer.gzip = {reinterpret_cast<const char*>(file->begin),
                 static_cast<std::size_t>(file->end - file->begin)};
  answer.immutable = file->path.starts_with("/assets/");
  answer.etag = etag_of(answer.gzip);
  return answer;
}

std::string unzipped(std::string_view gzip) {
  constexpr int kGzipWindow = 15 + 16;  // the largest window, and the gzip header
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  std::string text;
  int code = Z_OK;
  while (code == Z_OK) {
    std::array<char, 16'384> part{};
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    code = inflate(&stream, Z_NO_FLUSH);
    text.append(part.data(), part.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return text;
}

}  // namespace rowbot::server
