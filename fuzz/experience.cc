// An experience whose bytes somebody has changed: opened, read from end to end, asked and learned
// into, it may be refused but never goes wrong. The input is a list of changes to a valid file,
// three bytes of place and one of value each, so that the fuzzer begins behind the header's checks.
#include "engine/learn/experience.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include "fuzz.h"

namespace {

using rowbot::game::Position;
using rowbot::learn::Experience;

const std::string& folder() {
  static const std::string kFolder = [] {
    // In memory where there is such a folder: every save waits for the disk.
    const std::filesystem::path memory("/dev/shm");
    const auto place =
        std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    std::string name = (place / "rowbot-fuzz-XXXXXX").string();
    rowbot::fuzz::require(::mkdtemp(name.data()) != nullptr, "there is a folder to work in");
    return name;
  }();
  return kFolder;
}

/// A small valid experience.
const std::string& valid_bytes() {
  static const std::string kBytes = [] {
    const std::string path = folder() + "/valid.db";
    {
      auto experience = Experience::open(path, Experience::Access::kTrain);
      rowbot::fuzz::require(experience.has_value(), "a new experience can be made");
      Position position;
      for (const rowbot::game::Column column : rowbot::game::kAllColumns) {
        experience->learn(experience->state_of(position), 3, [](double old) { return old + 1.5; });
        position = position.after(column);
      }
      experience->end_episode(Experience::kWon);
      rowbot::fuzz::require(experience->save().has_value(), "it can be saved");
    }
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }();
  return kBytes;
}

void use(const std::string& path, Experience::Access access) {
  auto experience = Experience::open(path, access);
  if (!experience) {
    rowbot::fuzz::require(!experience.error().message.empty(), "an error says what is wrong");
    return;
  }
  Position position;
  for (const rowbot::game::Column column : rowbot::game::kAllColumns) {
    (void)experience->look_up(experience->state_of(position));
    if (access != Experience::Access::kPlay) {
      const auto state = experience->state_of(position);
      (void)experience->recall(state);
      experience->learn(state, 2, [](double old) { return old / 2; });
    }
    position = position.after(column);
  }
  if (access != Experience::Access::kPlay) (void)experience->save();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes = valid_bytes();
  for (std::size_t i = 0; i + 3 < size; i += 4) {
    const std::size_t place =
        (std::size_t{data[i]} << 16) | (std::size_t{data[i + 1]} << 8) | data[i + 2];
    bytes[place % bytes.size()] = static_cast<char>(data[i + 3]);
  }
  const std::string path = folder() + "/changed.db";
  for (const auto access :
       {Experience::Access::kPlay, Experience::Access::kLearn, Experience::Access::kTrain}) {
    for (const char* end : {"-wal", "-shm", "-journal"}) std::filesystem::remove(path + end);
    std::ofstream(path, std::ios::binary) << bytes;
    use(path, access);
  }
  return 0;
}
