#include "robot/station/live_picture.h"

#include <opencv2/imgcodecs.hpp>
#include <vector>

#include "robot/vision/overlay.h"
#include "robot/vision/video_camera.h"

namespace rowbot::station {
namespace {

/// Empty when OpenCV cannot.
std::string jpeg_of(const cv::Mat& image) {
  try {
    std::vector<unsigned char> bytes;
    cv::imencode(".jpg", image, bytes, {cv::IMWRITE_JPEG_QUALITY, 82});
    return {bytes.begin(), bytes.end()};
  } catch (const cv::Exception&) {
    return {};
  }
}

}  // namespace

void take_picture(const vision::CameraSensor& eye, std::shared_ptr<const LivePicture>& picture) {
  const auto& frame = eye.frame();
  const auto& look = eye.last_look();
  if (!frame || !look || (picture && frame->time == picture->frame_s)) return;
  const auto image = vision::image_of(*frame);
  if (!image) return;
  LivePicture next{.number = picture ? picture->number + 1 : 1,
                   .frame_s = frame->time,
                   .jpeg = jpeg_of(vision::draw_overlay(*image, *look))};
  if (!next.jpeg.empty()) picture = std::make_shared<const LivePicture>(std::move(next));
}

}  // namespace rowbot::station
