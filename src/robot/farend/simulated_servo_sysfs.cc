// A folder that behaves as the kernel's PWM class does: export makes a channel's files, a pulse is
// never longer than the period, nothing is enabled without a period.
#include <cerrno>
#include <fmt/format.h>
#include <fstream>

#include "robot/drivers/servo/sysfs_wire.h"
#include "robot/farend/simulated_servo_wire.h"

namespace rowbot::farend {
namespace {

namespace fs = std::filesystem;

class PwmFolder final : public drivers::TextFiles {
 public:
  static constexpr int kChannelCount = 4;
  enum Fault : std::size_t { kWriteFails, kGone, kUnexported, kDoubled, kGarbledRead, kSlow };
  static constexpr std::array<std::string_view, 6> kFaults = {
      "write-fails", "device-gone", "unexported", "doubled", "garbled-read", "slow-write"};

  explicit PwmFolder(fs::path chip) : chip_(std::move(chip)) { power_up(); }

  void power_up() {
    fs::remove_all(chip_);
    fs::create_directories(chip_);
    put(chip_ / "npwm", std::to_string(kChannelCount));
    put(chip_ / "export", "");
    put(chip_ / "unexport", "");
  }

  [[nodiscard]] bool exists(const std::string& path) const override { return disk_.exists(path); }
  [[nodiscard]] bool writable(const std::string& path) const override {
    return disk_.writable(path);
  }
  [[nodiscard]] Result<std::string> read(const std::string& path) const override {
    if (garbled_reads_ > 0) {
      --garbled_reads_;
      struck_ = true;
      return std::string("\x7f#?\n");
    }
    return disk_.read(path);
  }
  Result<void> write(const std::string& path, std::string_view text) override {
    stale_ = true;
    if (failing_writes_ > 0) {
      --failing_writes_;
      struck_ = true;
      return drivers::device_error("write", path, EIO);
    }
    if (gone_ || touched_) struck_ = true;
    if (doubled_writes_ > 0) {
      --doubled_writes_;
      struck_ = true;
      (void)write_once(path, text);
    }
    return write_once(path, text);
  }
  void pause() override {}

  /// From the files, which are looked at again only after a write.
  [[nodiscard]] std::optional<double> pulse_us(int channel) const {
    if (stale_) {
      for (int i = 0; i < kChannelCount; ++i)
        shown_.at(static_cast<std::size_t>(i)) = read_pulse(i);
      stale_ = false;
    }
    return shown_.at(static_cast<std::size_t>(channel));
  }

  void inject(std::size_t fault, Rng& rng) {
    struck_ = false;
    stale_ = true;
    switch (static_cast<Fault>(fault)) {
      case kWriteFails:
        failing_writes_ = 1 + static_cast<int>(rng.below(3));
        return;
      case kGone:
        gone_ = true;
        fs::remove_all(chip_);
        return;
      case kUnexported:
        touched_ = true;
        fs::remove_all(chip_ / fmt::format("pwm{}", rng.below(kChannelCount)));
        return;
      case kDoubled:
        doubled_writes_ = 1 + static_cast<int>(rng.below(8));
        return;
      case kGarbledRead:  // the files are read only when a channel is opened
        failing_writes_ = 1;
        garbled_reads_ = 1 + static_cast<int>(rng.below(2));
        return;
      case kSlow:  // the pacer's part; see ServoFarEnd
        struck_ = true;
        return;
    }
  }
  [[nodiscard]] bool struck() const { return struck_; }
  void heal() {
    stale_ = true;
    failing_writes_ = doubled_writes_ = 0;
    if (gone_) power_up();
    gone_ = touched_ = false;
  }

 private:
  Result<void> write_once(const std::string& path, std::string_view text) {
    const fs::path file = path;
    if (file == chip_ / "export") return export_channel(path, text);
    if (!disk_.exists(path)) return drivers::device_error("open", path, ENOENT);
    const auto value = drivers::parse_sysfs_count(text);
    if (!value) return drivers::device_error("write", path, EINVAL);
    const std::string folder = file.parent_path().string();
    const bool refused =
        (file.filename() == "duty_cycle" && *value > count_in(folder + "/period")) ||
        (file.filename() == "period" && *value < count_in(folder + "/duty_cycle")) ||
        (file.filename() == "enable" && *value == 1 && count_in(folder + "/period") == 0);
    if (refused) return drivers::device_error("write", path, EINVAL);
    return disk_.write(path, text);
  }
  Result<void> export_channel(const std::string& path, std::string_view text) {
    if (!disk_.exists(path)) return drivers::device_error("open", path, ENOENT);
    const auto channel = drivers::parse_sysfs_count(text);
    if (!channel || *channel >= kChannelCount) return drivers::device_error("write", path, EINVAL);
    const fs::path folder = chip_ / fmt::format("pwm{}", *channel);
    if (fs::exists(folder)) return drivers::device_error("write", path, EBUSY);
    fs::create_directory(folder);
    for (const char* name : {"period", "duty_cycle", "enable"}) put(folder / name, "0");
    return {};
  }
  [[nodiscard]] std::optional<double> read_pulse(int channel) const {
    const std::string folder = (chip_ / fmt::format("pwm{}", channel)).string();
    if (count_in(folder + "/enable") != 1) return std::nullopt;
    return static_cast<double>(count_in(folder + "/duty_cycle")) / 1000;
  }
  [[nodiscard]] std::int64_t count_in(const std::string& path) const {
    const auto text = disk_.read(path);
    return text ? drivers::parse_sysfs_count(*text).value_or(0) : 0;
  }
  static void put(const fs::path& file, const std::string& text) {
    std::ofstream(file) << text << '\n';
  }

  fs::path chip_;
  drivers::DiskFiles disk_;
  mutable std::array<std::optional<double>, kChannelCount> shown_;
  mutable bool stale_ = true;
  int failing_writes_ = 0;
  int doubled_writes_ = 0;
  mutable int garbled_reads_ = 0;
  mutable bool struck_ = false;
  bool gone_ = false;
  bool touched_ = false;
};

class SimulatedSysfsWire final : public SimulatedServoWire {
 public:
  SimulatedSysfsWire(const fs::path& folder, double frequency_hz)
      : chip_((folder / "pwmchip0").string()),
        files_(std::make_shared<PwmFolder>(chip_)),
        frequency_hz_(frequency_hz) {}
  std::unique_ptr<drivers::ServoWire> wire(const std::vector<int>& channels) override {
    return std::make_unique<drivers::SysfsWire>(
        files_, drivers::SysfsWireOptions{
                    .chip = chip_, .channels = channels, .frequency_hz = frequency_hz_});
  }
  [[nodiscard]] std::optional<double> pulse_us(int channel) const override {
    return files_->pulse_us(channel);
  }
  void next_period() override {}
  [[nodiscard]] double step_us() const override { return 0.001; }
  [[nodiscard]] std::span<const std::string_view> faults() const override {
    return PwmFolder::kFaults;
  }
  void inject(std::size_t fault, Rng& rng) override { files_->inject(fault, rng); }
  [[nodiscard]] bool struck() const override { return files_->struck(); }
  void heal() override { files_->heal(); }

 private:
  std::string chip_;
  std::shared_ptr<PwmFolder> files_;
  double frequency_hz_;
};

}  // namespace

std::unique_ptr<SimulatedServoWire> simulated_sysfs_wire(const fs::path& folder,
                                                         double frequency_hz) {
  return std::make_unique<SimulatedSysfsWire>(folder, frequency_hz);
}

}  // namespace rowbot::farend
