#include "robot/vision/image_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace rowbot::vision {
namespace {

using Bytes = std::span<const std::uint8_t>;

bool starts_with(Bytes bytes, std::string_view magic, std::size_t at = 0) {
  if (bytes.size() < at + magic.size()) return false;
  return std::equal(magic.begin(), magic.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

// Unsigned integer of `count` bytes; requires that they are there.
std::int64_t big_endian(Bytes bytes, std::size_t at, std::size_t count) {
  std::int64_t v = 0;
  for (std::size_t i = 0; i < count; ++i) v = v * 256 + bytes[at + i];
  return v;
}

std::int64_t little_endian(Bytes bytes, std::size_t at, std::size_t count) {
  std::int64_t v = 0;
  for (std::size_t i = count; i > 0; --i) v = v * 256 + bytes[at + i - 1];
  return v;
}

// Walks JPEG's segments to the start of frame, which holds the size.
std::optional<ImageSize> jpeg_size(Bytes bytes) {
  std::size_t at = 2;
  while (at + 9 < bytes.size()) {
    if (bytes[at] != 0xff) return std::nullopt;
    const std::uint8_t marker = bytes[at + 1];
    if (marker == 0xff) {
      ++at;
      continue;
    }
    const bool frame =
        marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (frame) return ImageSize{big_endian(bytes, at + 7, 2), big_endian(bytes, at + 5, 2)};
    const bool bare = marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += 2;
    if (!bare) at += static_cast<std::size_t>(big_endian(bytes, at, 2));
  }
  return std::nullopt;
}

// "P6 width height max" with comments.
std::optional<ImageSize> pnm_size(Bytes bytes) {
  std::array<std::int64_t, 2> number{};
  std::size_t at = 2;
  for (std::int64_t& n : number) {
    while (at < bytes.size() && (bytes[at] <= ' ' || bytes[at] == '#')) {
      if (bytes[at] == '#') {
        while (at < bytes.size() && bytes[at] != '\n') ++at;
      } else {
        ++at;
      }
    }
    const std::size_t start = at;
    while (at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9' && n < 1'000'000'000) {
      n = n * 10 + (bytes[at++] - '0');
    }
    if (at == start) return std::nullopt;
  }
  return ImageSize{number[0], number[1]};
}

std::optional<ImageSize> webp_size(Bytes bytes) {
  if (bytes.size() < 30) return std::nullopt;
  if (starts_with(bytes, "VP8X", 12)) {
    return ImageSize{little_endian(bytes, 24, 3) + 1, little_endian(bytes, 27, 3) + 1};
  }
  if (starts_with(bytes, "VP8L", 12)) {
    const std::int64_t v = little_endian(bytes, 21, 4);
    return ImageSize{(v & 0x3fff) + 1, (v >> 14 & 0x3fff) + 1};
  }
  return ImageSize{little_endian(bytes, 26, 2) & 0x3fff, little_endian(bytes, 28, 2) & 0x3fff};
}

bool ends_early(Bytes bytes) {
  const auto has = [bytes](std::string_view mark) {
    return std::search(bytes.begin(), bytes.end(), mark.begin(), mark.end(),
                       [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }) !=
           bytes.end();
  };
  if (starts_with(bytes, "\x89PNG")) return !has("IEND");
  if (starts_with(bytes, "\xff\xd8\xff")) {
    // A thumbnail inside the header may carry its own end mark: look behind the middle.
    return std::search(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2), bytes.end(),
                       std::begin("\xff\xd9"), std::begin("\xff\xd9") + 2,
                       [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }) ==
           bytes.end();
  }
  return false;
}

}  // namespace

Result<ImageSize> image_size(Bytes bytes) {
  if (bytes.empty()) return Error{"the file is empty"};
  std::optional<ImageSize> size;
  if (starts_with(bytes, "\xff\xd8\xff")) {
    size = jpeg_size(bytes);
  } else if (starts_with(bytes, "\x89PNG\r\n\x1a\n")) {
    if (bytes.size() >= 24) size = {big_endian(bytes, 16, 4), big_endian(bytes, 20, 4)};
  } else if (starts_with(bytes, "BM")) {
    if (bytes.size() >= 26) {
      const auto height = static_cast<std::int32_t>(little_endian(bytes, 22, 4));
      size = {static_cast<std::int32_t>(little_endian(bytes, 18, 4)),
              std::abs(static_cast<std::int64_t>(height))};
    }
  } else if (starts_with(bytes, "RIFF") && starts_with(bytes, "WEBP", 8)) {
    size = webp_size(bytes);
  } else if (starts_with(bytes, "P6") || starts_with(bytes, "P5")) {
    size = pnm_size(bytes);
  } else {
    return Error{"this is not an image; JPEG, PNG, BMP, WebP, PPM and PGM can be read"};
  }
  if (!size) return Error{"the image is damaged: its header gives no size"};
  if (size->width <= 0 || size->height <= 0) {
    return Error{fmt::format("the image is damaged: its header says {} x {} pixels", size->width,
                             size->height)};
  }
  return *size;
}

Result<cv::Mat> decode_image(Bytes bytes) {
  const auto size = image_size(bytes);
  if (!size) return size.error();
  if (size->width > kMaxImagePixels / size->height) {
    return Error{fmt::format(
        "the image is too large: {} x {} pixels, more than {} million; scale it down first",
        size->width, size->height, kMaxImagePixels / 1'000'000)};
  }
  if (ends_early(bytes)) return Error{"the image is cut short; copy the file again"};
  try {
    const cv::Mat raw(1, static_cast<int>(bytes.size()), CV_8U,
                      const_cast<std::uint8_t*>(bytes.data()));  // NOLINT: only read
    cv::Mat image = cv::imdecode(raw, cv::IMREAD_COLOR);
    if (image.empty()) return Error{"the image is damaged and cannot be decoded"};
    return image;
  } catch (const cv::Exception& e) {
    return Error{fmt::format("the image is damaged and cannot be decoded ({})", e.err)};
  }
}

Result<cv::Mat> load_image(const std::filesystem::path& path) {
  std::error_code code;
  const auto fail = [&path](const std::string& why) {
    return Error{fmt::format("{}: {}", path.string(), why)};
  };
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) return fail("no such file");
  if (!std::filesystem::is_regular_file(status)) return fail("this is not a file");
  const std::uintmax_t bytes = std::filesystem::file_size(path, code);
  if (code) return fail(code.message());
  if (bytes == 0) return fail("the file is empty");
  if (bytes > kMaxImageBytes) {
    return fail(fmt::format("{} MB is too large for a photograph; the limit is {} MB", bytes >> 20U,
                            kMaxImageBytes >> 20U));
  }
  std::ifstream in(path, std::ios::binary);
  std::vector<std::uint8_t> data(bytes);
  in.read(reinterpret_cast<char*>(data.data()),  // NOLINT: bytes are bytes
          static_cast<std::streamsize>(bytes));
  if (in.gcount() != static_cast<std::streamsize>(bytes)) return fail("the file cannot be read");
  auto image = decode_image(data);
  if (!image) return fail(image.error().message);
  return image;
}

Result<cv::Mat> to_bgr(const cv::Mat& frame) {
  if (frame.empty() || frame.dims != 2) return Error{"the frame is empty"};
  cv::Mat bytes = frame;
  switch (frame.depth()) {
    case CV_8U:
      break;
    case CV_16U:
      frame.convertTo(bytes, CV_8U, 1.0 / 257);
      break;
    case CV_32F:
      frame.convertTo(bytes, CV_8U, 255);
      break;
    default:
      return Error{fmt::format("frames of 8-bit, 16-bit or float pixels can be read, not type {}",
                               cv::typeToString(frame.type()))};
  }
  cv::Mat out;
  switch (bytes.channels()) {
    case 1:
      cv::cvtColor(bytes, out, cv::COLOR_GRAY2BGR);
      return out;
    case 3:
      return bytes;
    case 4:
      cv::cvtColor(bytes, out, cv::COLOR_BGRA2BGR);
      return out;
    default:
      return Error{
          fmt::format("frames of 1, 3 or 4 channels can be read, not of {}", bytes.channels())};
  }
}

}  // namespace rowbot::vision
