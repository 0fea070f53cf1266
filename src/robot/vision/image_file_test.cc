#include "robot/vision/image_file.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <opencv2/imgcodecs.hpp>
#include <string>
#include <vector>

#include "base/rng.h"

namespace rowbot::vision {
namespace {

namespace fs = std::filesystem;

class ImageFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("rowbot-images-" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::vector<std::uint8_t>& bytes) const {
    const fs::path path = folder_ / name;
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    return path;
  }

  static std::string why(const fs::path& path) {
    const auto image = load_image(path);
    return image ? "" : image.error().message;
  }

  fs::path folder_;
};

std::vector<std::uint8_t> encoded(const std::string& type) {
  cv::Mat image(60, 90, CV_8UC3);
  Rng rng(2);
  for (int y = 0; y < image.rows; ++y) {
    for (int x = 0; x < image.cols; ++x) {
      image.at<cv::Vec3b>(y, x) = cv::Vec3b::all(static_cast<std::uint8_t>(rng.below(256)));
    }
  }
  std::vector<std::uint8_t> bytes;
  cv::imencode(type, image, bytes);
  return bytes;
}

TEST_F(ImageFile, OfEveryKnownTypeIsReadAndMeasured) {
  for (const std::string type : {".jpg", ".png", ".bmp", ".webp", ".ppm"}) {
    const auto bytes = encoded(type);
    const auto size = image_size(bytes);
    ASSERT_TRUE(size.has_value()) << type << ": " << size.error().message;
    EXPECT_EQ(size->width, 90) << type;
    EXPECT_EQ(size->height, 60) << type;
    const auto image = load_image(write("image" + type, bytes));
    ASSERT_TRUE(image.has_value()) << type << ": " << image.error().message;
    EXPECT_EQ(image->size(), cv::Size(90, 60)) << type;
  }
}

TEST_F(ImageFile, ThatIsMissingEmptyOrAFolderIsNamedInTheError) {
  EXPECT_NE(why(folder_ / "nothing.jpg").find("no such file"), std::string::npos);
  EXPECT_NE(why(write("empty.jpg", {})).find("empty"), std::string::npos);
  EXPECT_NE(why(folder_).find("not a file"), std::string::npos);
}

TEST_F(ImageFile, ThatIsTextIsNotAnImage) {
  const std::string text = "Dear diary, today I won in 41 moves.";
  EXPECT_NE(why(write("text.jpg", {text.begin(), text.end()})).find("not an image"),
            std::string::npos);
}

TEST_F(ImageFile, ThatIsCutShortIsSaidToBe) {
  for (const std::string type : {".jpg", ".png"}) {
    auto bytes = encoded(type);
    bytes.resize(bytes.size() * 2 / 3);
    EXPECT_NE(why(write("cut" + type, bytes)).find("cut short"), std::string::npos) << type;
  }
}

TEST_F(ImageFile, ThatClaimsAGiantSizeIsRefusedBeforeItIsDecoded) {
  auto bytes = encoded(".png");
  for (const std::size_t at : {16U, 17U, 20U, 21U}) bytes[at] = 0;
  for (const std::size_t at : {18U, 22U}) bytes[at] = 0xff;
  const std::string message = why(write("giant.png", bytes));
  EXPECT_NE(message.find("too large"), std::string::npos) << message;
}

TEST_F(ImageFile, ThatIsDamagedGivesAnErrorOrAnImageButNeverACrash) {
  Rng rng(8);
  for (const std::string type : {".jpg", ".png", ".bmp", ".webp", ".ppm"}) {
    const auto whole = encoded(type);
    for (int round = 0; round < 40; ++round) {
      auto bytes = whole;
      for (int k = 0; k < 6; ++k) {
        bytes[rng.below(static_cast<std::uint32_t>(bytes.size()))] =
            static_cast<std::uint8_t>(rng.below(256));
      }
      const auto image = decode_image(bytes);
      EXPECT_TRUE(image.has_value() || !image.error().message.empty());
    }
  }
}

TEST(ToBgr, TakesGreyAlphaDeepAndFloatFrames) {
  for (const int type : {CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3, CV_32FC1, CV_32FC3}) {
    const auto bgr = to_bgr(cv::Mat(5, 7, type, cv::Scalar::all(0)));
    ASSERT_TRUE(bgr.has_value()) << type;
    EXPECT_EQ(bgr->type(), CV_8UC3);
    EXPECT_EQ(bgr->size(), cv::Size(7, 5));
  }
}

TEST(ToBgr, RefusesWhatItCannotKnow) {
  EXPECT_FALSE(to_bgr(cv::Mat()).has_value());
  EXPECT_NE(to_bgr(cv::Mat(5, 5, CV_8UC2)).error().message.find("not of 2"), std::string::npos);
  EXPECT_FALSE(to_bgr(cv::Mat(5, 5, CV_64FC3)).has_value());
}

}  // namespace
}  // namespace rowbot::vision
