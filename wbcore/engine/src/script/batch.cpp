// The same steps in many worlds, on several threads.
#include "batch.h"

namespace wb {

void ScriptBatch::set(size_t index, const nb::object &stepper) {
  require(index < worlds_.size(), "index", "below the number of worlds", static_cast<double>(index));
  World made{stepper, nullptr};
  if (!stepper.is_none()) made.stepper = nb::cast<ScriptStepper *>(stepper);
  worlds_[index] = std::move(made);
}

std::vector<int64_t> ScriptBatch::step(int64_t count) {
  std::vector<int64_t> made(worlds_.size(), count);
  nb::gil_scoped_release release;
  crew_.share([&](size_t i) {
    if (worlds_[i].stepper) made[i] = worlds_[i].stepper->run(count);
  });
  return made;
}

}  // namespace wb
