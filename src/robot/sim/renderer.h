// Pictures of the twin, drawn without a screen (OSMesa).
// Thread safety: none; make, use and destroy a Renderer on one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "robot/sim/world.h"

namespace rowbot::sim {

struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  // three bytes per pixel, from the top left
};

enum class View { kOverview, kBoard, kCamera };
[[nodiscard]] Result<View> view_by_name(const std::string& name);

/// Fast pictures have no cast shadows and no smoothed edges, and take a quarter of the time.
enum class Finish { kFine, kFast };

class Renderer {
 public:
  static Result<std::unique_ptr<Renderer>> create(const World& world, int width, int height,
                                                  Finish finish = Finish::kFine);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
  Renderer(Renderer&&) = delete;
  Renderer& operator=(Renderer&&) = delete;

  [[nodiscard]] Image draw(const World& world, View view);

 private:
  struct Parts;
  explicit Renderer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

[[nodiscard]] Result<void> write_png(const Image& image, const std::string& file);

}  // namespace rowbot::sim
