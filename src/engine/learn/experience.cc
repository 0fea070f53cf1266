#include "engine/learn/experience.h"

#include <utility>
#include <vector>

#include "fmt/core.h"

namespace rowbot::learn {

Result<Experience> Experience::open(const std::string& path, Access access,
                                    std::optional<bool> mirror) {
  using Use = ExperienceFile::Use;
  auto file = ExperienceFile::open(path, access == Access::kPlay    ? Use::kPlay
                                         : access == Access::kLearn ? Use::kExtend
                                                                    : Use::kCreate);
  if (!file) return file.error();
  auto fact = file->fact("mirror");
  if (!fact) return fact.error();
  if (!*fact) {  // a new file
    *fact = mirror.value_or(false) ? "on" : "off";
    if (auto done = file->set_fact("mirror", **fact); !done) return done.error();
  }
  Experience experience(**fact == "on");
  if (mirror && *mirror != experience.mirror()) {
    return Error{fmt::format(
        "experience {} was made with mirror symmetry {}; go on with that, or name another file",
        path, **fact)};
  }
  experience.file_.emplace(*std::move(file));
  experience.fetches_ = access != Access::kTrain;
  if (access == Access::kPlay) return experience;
  auto outcomes = experience.file_->outcomes();
  if (!outcomes) return outcomes.error();
  experience.outcomes_ = *std::move(outcomes);
  experience.saved_episodes_ = experience.outcomes_.size();
  auto training = experience.file_->fact("training");
  if (!training) return training.error();
  experience.training_ = (*training).value_or("");
  if (access == Access::kTrain) {
    if (auto done = experience.load_all(); !done) return done.error();
  }
  return experience;
}

Result<void> Experience::load_all() {
  const auto states = file_->count_states();
  if (!states) return states.error();
  table_.reserve(*states);
  return file_->for_each([this](StateKey key, const ActionValues& values) -> Result<void> {
    table_.get_or_add(key) = values;
    return {};
  });
}

Result<std::optional<ActionValues>> Experience::look_up(const State& state) {
  if (const ActionValues* values = table_.find(state.key)) return std::optional(*values);
  if (!file_ || !fetches_) return std::optional<ActionValues>();
  return file_->find(state.key);
}

void Experience::fetch(StateKey key) {
  auto found = file_->find(key);
  if (!found) {
    trouble_ = found.error();
  } else if (*found) {
    table_.get_or_add(key) = **found;
  }
}

Result<void> Experience::merge(ExperienceFile& other) {
  const auto mirror = other.fact("mirror");
  if (!mirror) return mirror.error();
  if ((mirror->value_or("off") == "on") != mirror_) {
    return Error{
        fmt::format("experience {} has mirror symmetry and another has not; only like "
                    "can be merged with like",
                    mirror_ ? "merged into" : other.path())};
  }
  const auto outcomes = other.outcomes();
  if (!outcomes) return outcomes.error();
  outcomes_ += *outcomes;
  return other.for_each([this](StateKey key, const ActionValues& theirs) -> Result<void> {
    ActionValues& ours = table_.change(key);
    for (std::size_t i = 0; i < ours.value.size(); ++i) {
      const double a = ours.visits[i];
      const double b = theirs.visits[i];
      if (b == 0) continue;
      ours.value[i] = static_cast<float>(
          (a * static_cast<double>(ours.value[i]) + b * static_cast<double>(theirs.value[i])) /
          (a + b));
      ours.visits[i] = static_cast<std::uint32_t>(std::min(a + b, double{UINT32_MAX}));
    }
    return {};
  });
}

Result<void> Experience::save_as(const std::string& path) {
  auto file = ExperienceFile::open(path, ExperienceFile::Use::kCreate);
  if (!file) return file.error();
  if (auto done = file->set_fact("mirror", mirror_ ? "on" : "off"); !done) return done;
  file_.emplace(*std::move(file));
  saved_episodes_ = 0;
  return save();
}

double Experience::win_rate(std::uint64_t last) const {
  const std::uint64_t count = std::min<std::uint64_t>(last, outcomes_.size());
  if (count == 0) return 0;
  const auto wins =
      std::count(outcomes_.end() - static_cast<std::ptrdiff_t>(count), outcomes_.end(), kWon);
  return static_cast<double>(wins) / static_cast<double>(count);
}

Result<void> Experience::save() {
  if (trouble_) return *std::exchange(trouble_, std::nullopt);
  if (!file_) return {};
  std::vector<StateKey> keys = table_.take_changed();
  auto written = file_->write(
      {.keys = keys,
       .values = [this](StateKey key) -> const ActionValues& { return *table_.find(key); },
       .first_episode = saved_episodes_,
       .outcomes = std::string_view(outcomes_).substr(saved_episodes_),
       .training = training_});
  if (!written) {
    table_.mark_changed(keys);
    return written;
  }
  saved_episodes_ = outcomes_.size();
  return {};
}

}  // namespace rowbot::learn
