// Steps of a world whose robots a script drives: physics, and the samples of their sensors.
#include "stepper.h"

#include <algorithm>

namespace wb {

void ScriptStepper::add(const nb::typed<nb::object, SamplePass> &pass, const Numbers &numbers,
                        const std::vector<size_t> &places) {
  Robot made{pass, nb::cast<SamplePass *>(pass), numbers, places};
  const std::vector<SamplePass::Entry> &entries = made.pass->entries();
  require(entries.size() == places.size(), "number of places", "that of the sensors",
          static_cast<double>(places.size()));
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t end = i + 1 < entries.size() ? entries[i + 1].first : made.pass->count();
    require(places[i] + (end - entries[i].first) <= numbers.shape(0), "place", "inside of the numbers",
            static_cast<double>(places[i]));
  }
  robots_.push_back(std::move(made));
}

// Makes a step; false if Python has to take samples.
bool ScriptStepper::advance() {
  world_->step(1);
  const double now = timing_.at(world_->steps);
  bool is_done = true;
  for (Robot &one : robots_) is_done = is_done && one.pass->sample(now);
  return is_done;
}

void ScriptStepper::copy_numbers() {
  for (Robot &one : robots_) {
    const std::vector<SamplePass::Entry> &entries = one.pass->entries();
    const double *from = one.pass->numbers();
    double *to = one.numbers.data();
    for (size_t i = 0; i < entries.size(); ++i) {
      if (!entries[i].has_values) continue;
      const size_t first = entries[i].first;
      const size_t end = i + 1 < entries.size() ? entries[i + 1].first : one.pass->count();
      std::copy(from + first, from + end, to + one.places[i]);
    }
  }
}

int64_t ScriptStepper::run(int64_t count) noexcept {
  try {
    int64_t made = 0;
    bool is_done = true;
    while (made < count && is_done) {
      is_done = advance();
      ++made;
    }
    copy_numbers();
    return is_done ? made : -made;
  } catch (...) {
    failure_ = std::current_exception();
    return 0;
  }
}

int64_t ScriptStepper::step(int64_t count) {
  int64_t made = 0;
  if (count == 1 && world_->small()) {
    made = run(count);
  } else {
    nb::gil_scoped_release release;
    made = run(count);
  }
  raise_failure();
  return made;
}

}  // namespace wb
