#include "robot/sim/renderer.h"

#include <GL/osmesa.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <png.h>

#include "robot/arm/angles.h"
#include "robot/arm/forward.h"

namespace rowbot::sim {
namespace {

constexpr int kLargest = 1920;

double top_of_arm_m(const arm::ArmModel& model) {
  const arm::Frames frames = arm::link_frames(model, arm::neutral(model));
  double top = 0;
  for (int i = 0; i < frames.count; ++i) top = std::max(top, frames[i].translation().z());
  return top;
}

mjvCamera eye_of(const World& world, View view) {
  mjvCamera eye;
  mjv_defaultCamera(&eye);
  const cell::CellLayout& layout = world.state.layout();
  const Eigen::Vector3d board = cell::board_pose(layout).translation();
  const double size = layout.table.half_m.maxCoeff();
  const Eigen::Vector3d centre(
      0.5 * board.x(), 0.5 * (board.y() + layout.magazine.pick_m.y()) * 0.5, 0.5 * board.z());
  switch (view) {
    case View::kCamera:
      eye.type = mjCAMERA_FIXED;
      eye.fixedcamid = mj_name2id(&world.state.model(), mjOBJ_CAMERA, "camera");
      return eye;
    case View::kBoard: {
      const Eigen::Vector3d from = layout.camera.position_m - board;
      std::copy_n(board.data(), 3, eye.lookat);
      eye.lookat[2] *= 0.6;
      eye.distance = 0.75 * from.norm();
      eye.azimuth = arm::degrees(std::atan2(-from.y(), -from.x())) + 25;
      eye.elevation = -22;
      return eye;
    }
    case View::kOverview: {
      const Eigen::Vector3d from = layout.camera.position_m - board;
      std::copy_n(centre.data(), 3, eye.lookat);
      // Far enough away for the whole arm when it stands upright.
      const double top = top_of_arm_m(world.state.scene().arm);
      eye.lookat[2] = std::max(centre.z() + 0.10 * size, 0.45 * top);
      eye.distance = std::max(1.8 * size, 1.7 * top);
      eye.azimuth = arm::degrees(std::atan2(-from.y(), -from.x())) - 48;
      eye.elevation = -22;
      return eye;
    }
  }
  return eye;
}

}  // namespace

struct Renderer::Parts {
  OSMesaContext context = nullptr;
  std::vector<std::uint8_t> frame_buffer;
  mjvScene scene{};
  mjvOption option{};
  mjrContext drawing{};
  int width = 0;
  int height = 0;

  /// OpenGL draws with whatever context was made current last, and there may be several renderers.
  [[nodiscard]] bool make_current() {
    return OSMesaMakeCurrent(context, frame_buffer.data(), GL_UNSIGNED_BYTE, width, height) ==
           GL_TRUE;
  }
};

Result<View> view_by_name(const std::string& name) {
  if (name == "overview") return View::kOverview;
  if (name == "board") return View::kBoard;
  if (name == "camera") return View::kCamera;
  return Error{fmt::format("there is no view '{}'; there are overview, board and camera", name)};
}

Renderer::Renderer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Renderer::~Renderer() {
  static_cast<void>(parts_->make_current());
  mjr_freeContext(&parts_->drawing);
  mjv_freeScene(&parts_->scene);
  OSMesaDestroyContext(parts_->context);
}

Result<std::unique_ptr<Renderer>> Renderer::create(const World& world, int width, int height,
                                                   Finish finish) {
  if (width < 16 || height < 16 || width > kLargest || height > 1080) {
    return Error{fmt::format("a picture of {} x {} cannot be drawn; from 16 x 16 to 1920 x 1080",
                             width, height)};
  }
  auto parts = std::make_unique<Parts>();
  parts->width = width;
  parts->height = height;
  parts->frame_buffer.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                             4);
  parts->context = OSMesaCreateContextExt(GL_RGBA, 24, 8, 8, nullptr);
  if (parts->context == nullptr || !parts->make_current()) {
    if (parts->context != nullptr) OSMesaDestroyContext(parts->context);
    return Error{"OSMesa gives no drawing context; is libosmesa6 installed?"};
  }
  mjv_defaultScene(&parts->scene);
  mjv_makeScene(&world.state.model(), &parts->scene, 2000);
  mjv_defaultOption(&parts->option);
  mjr_defaultContext(&parts->drawing);
  parts->scene.flags[mjRND_SHADOW] = finish == Finish::kFine ? 1 : 0;
  parts->scene.flags[mjRND_REFLECTION] = finish == Finish::kFine ? 1 : 0;
  // MuJoCo reads this from the model while it makes the context.
  const OwnedModel model(mj_copyModel(nullptr, &world.state.model()));
  model->vis.quality.offsamples = finish == Finish::kFine ? 4 : 0;
  mjr_makeContext(model.get(), &parts->drawing, mjFONTSCALE_100);
  mjr_setBuffer(mjFB_OFFSCREEN, &parts->drawing);
  return std::unique_ptr<Renderer>(new Renderer(std::move(parts)));
}

Image Renderer::draw(const World& world, View view) {
  mjvCamera eye = eye_of(world, view);
  Parts& p = *parts_;
  static_cast<void>(p.make_current());
  // MuJoCo takes its own data by mutable pointer here but only reads it.
  auto* data =
      const_cast<mjData*>(&world.state.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  mjv_updateScene(&world.state.model(), data, &p.option, nullptr, &eye, mjCAT_ALL, &p.scene);
  const mjrRect frame{0, 0, p.width, p.height};
  mjr_render(frame, &p.scene, &p.drawing);
  Image image{.width = p.width, .height = p.height, .rgb = {}};
  const std::size_t row = static_cast<std::size_t>(p.width) * 3;
  image.rgb.resize(row * static_cast<std::size_t>(p.height));
  mjr_readPixels(image.rgb.data(), nullptr, frame, &p.drawing);
  for (int top = 0, bottom = p.height - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(image.rgb.begin() + static_cast<std::ptrdiff_t>(row) * top,
                     image.rgb.begin() + static_cast<std::ptrdiff_t>(row) * (top + 1),
                     image.rgb.begin() + static_cast<std::ptrdiff_t>(row) * bottom);
  }
  return image;
}

Result<void> write_png(const Image& image, const std::string& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&png, file.c_str(), 0, image.rgb.data(), 0, nullptr) == 0) {
    return Error{fmt::format("cannot write {}: {}", file, png.message)};
  }
  return {};
}

}  // namespace rowbot::sim
