#include "service/server/http/page.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
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

struct Body {
  std::string_view coding;  // empty: plain
  std::string_view bytes;
  std::string etag;
};

struct PageFile {
  std::string_view path;
  std::string_view type;
  bool immutable = false;
  std::vector<Body> bodies;  // the smallest first, the plain one always there
};

/// FNV-1a: enough to notice that a file has changed.
std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

PageFile page_file(const EmbeddedFile& file) {
  PageFile result{.path = file.path,
                  .type = type_of(file.path),
                  .immutable = file.path.starts_with("/assets/")};
  const std::uint64_t hash = hash_of(file.plain);
  result.bodies.push_back({.bytes = file.plain, .etag = fmt::format("\"{:016x}\"", hash)});
  for (const auto& [coding, bytes] :
       {std::pair<std::string_view, std::string_view>{"gzip", file.gzip}, {"br", file.brotli}}) {
    // A picture that is packed already only grows.
    if (bytes.empty() || bytes.size() >= file.plain.size()) continue;
    result.bodies.push_back(
        {.coding = coding, .bytes = bytes, .etag = fmt::format("\"{:016x}-{}\"", hash, coding)});
  }
  std::sort(result.bodies.begin(), result.bodies.end(),
            [](const Body& a, const Body& b) { return a.bytes.size() < b.bytes.size(); });
  return result;
}

const std::vector<PageFile>& page_files() {
  static const std::vector<PageFile> kFiles = [] {
    std::vector<PageFile> files;
    for (const EmbeddedFile& file : embedded_files()) files.push_back(page_file(file));
    return files;
  }();
  return kFiles;
}

const PageFile* find_file(std::string_view path) {
  for (const PageFile& file : page_files()) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

const Body& best_body(const PageFile& file, std::string_view accept_encoding) {
  const Body* best = nullptr;
  int best_quality = 0;
  for (const Body& body : file.bodies) {
    const int quality =
        coding_quality(accept_encoding, body.coding.empty() ? "identity" : body.coding);
    if (quality > best_quality) {
      best = &body;
      best_quality = quality;
    }
  }
  if (best != nullptr) return *best;
  // A client that refuses every form gets the plain one, as RFC 9110 allows.
  return *std::find_if(file.bodies.begin(), file.bodies.end(),
                       [](const Body& body) { return body.coding.empty(); });
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [lower](char x, char y) { return lower(x) == lower(y); });
}

/// "0.25" as 250; nothing for what is no quality.
std::optional<int> parse_quality(std::string_view text) {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return std::nullopt;
  int value = (text[0] - '0') * 1000;
  if (text.size() > 1 && text[1] != '.') return std::nullopt;
  int unit = 100;
  for (const char c : text.substr(std::min<std::size_t>(2, text.size()))) {
    if (c < '0' || c > '9') return std::nullopt;
    value += (c - '0') * unit;
    unit /= 10;
  }
  return value <= 1000 ? std::optional(value) : std::nullopt;
}

}  // namespace

void prepare_page() { static_cast<void>(page_files()); }

int coding_quality(std::string_view accept_encoding, std::string_view coding) {
  std::optional<int> others;
  for (const std::string_view element : split(accept_encoding, ',')) {
    const std::size_t semicolon = std::min(element.find(';'), element.size());
    const std::string_view name = trimmed(element.substr(0, semicolon));
    int quality = 1000;
    for (const std::string_view part : split(element.substr(semicolon), ';')) {
      const std::string_view parameter = trimmed(part);
      if (parameter.starts_with("q=") || parameter.starts_with("Q=")) {
        quality = parse_quality(parameter.substr(2)).value_or(0);
      }
    }
    if (same_word(name, coding) || (coding == "gzip" && same_word(name, "x-gzip"))) return quality;
    if (name == "*") others = quality;
  }
  // The plain form is welcome unless it is refused, but after all that was asked for.
  if (coding == "identity") return others == 0 ? 0 : 1;
  return others.value_or(0);
}

bool matches_etag(std::string_view if_none_match, std::string_view etag) {
  const auto elements = split(if_none_match, ',');
  return std::any_of(elements.begin(), elements.end(), [etag](std::string_view element) {
    std::string_view tag = trimmed(element);
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    return tag == etag || tag == "*";
  });
}

PageAnswer page_answer(std::string_view path, std::string_view accept_encoding) {
  PageAnswer answer;
  const PageFile* file = find_file(path);
  if (file == nullptr) {
    if (!is_page(path)) answer.status = 404;
    file = find_file("/index.html");
    if (file == nullptr) return {.status = 404, .type = "text/plain"};
  }
  const Body& body = best_body(*file, accept_encoding);
  answer.type = file->type;
  answer.immutable = file->immutable;
  answer.body = body.bytes;
  answer.coding = body.coding;
  answer.etag = body.etag;
  return answer;
}

}  // namespace rowbot::server
