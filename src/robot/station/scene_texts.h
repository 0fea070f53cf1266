// A cell and its poses in the words of the website.
// Thread safety: none.
#pragma once

#include <memory>
#include <string>

#include "robot/sim/scene_export.h"

namespace rowbot::station {

class SceneTexts {
 public:
  void set_scene(const sim::SceneExport& scene);
  /// Poses in which nothing moved leave the text, and its pointer, as they are.
  void set_poses(const sim::ScenePoses& poses);

  /// Null until set.
  [[nodiscard]] const std::shared_ptr<const std::string>& scene() const { return scene_; }
  [[nodiscard]] const std::shared_ptr<const std::string>& poses() const { return poses_; }

 private:
  std::shared_ptr<const std::string> scene_;
  std::shared_ptr<const std::string> poses_;
  std::string places_;
};

}  // namespace rowbot::station
