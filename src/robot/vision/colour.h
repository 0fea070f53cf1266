// Colours as the eye compares them: CIE Lab (D65) and the way to and from
// linear light and sRGB bytes.
//
// Thread safety: free functions over constant tables; call from any thread.
#pragma once

#include <opencv2/core.hpp>

namespace rowbot::vision {

using Lab = cv::Vec3f;     // L 0..100, a and b about -100..100
using Linear = cv::Vec3f;  // red, green, blue of linear light, 0..1

[[nodiscard]] Lab lab_of_linear(const Linear& rgb);
[[nodiscard]] Linear linear_of_lab(const Lab& lab);  // clamped to 0..1
[[nodiscard]] float linear_of_byte(unsigned char v);
[[nodiscard]] cv::Vec3b bgr_of_lab(const Lab& lab);

}  // namespace rowbot::vision
