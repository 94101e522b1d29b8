// Steps of robots in many worlds in one call: numbers for motors in, numbers of sensors out.
#include "batch_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb {

BatchStepper::BatchStepper(size_t copies, size_t steps, const Bounds &bounds, size_t threads)
    : copies_(copies), steps_(steps), crew_(copies, threads) {
  require(bounds.shape(0) == 2, "rows of bounds", "2", static_cast<double>(bounds.shape(0)));
  const float *low = bounds.data(), *high = low + bounds.shape(1);
  low_.assign(low, high);
  high_.assign(high, high + bounds.shape(1));
}

void BatchStepper::set(size_t index, const nb::typed<nb::object, PyWorld> &world,
                       const std::vector<MotorHandle> &motors, const std::vector<int> &drives,
                       const nb::typed<nb::object, SamplePass> &pass, double before, uint64_t since,
                       double dt) {
  require(index < copies_.size(), "index", "below the number of copies", static_cast<double>(index));
  require(motors.size() == drives.size(), "number of drives", "that of the motors",
          static_cast<double>(drives.size()));
  Copy made;
  made.world_owner = world;
  made.pass_owner = pass;
  made.world = nb::cast<PyWorld *>(world)->world;
  made.pass = nb::cast<SamplePass *>(pass);
  for (size_t i = 0; i < motors.size(); ++i) {
    require(drives[i] >= 0 && drives[i] <= 2, "drive", "0 to 2", drives[i]);
    motors[i].get();
    made.motors.push_back({motors[i], static_cast<Drive>(drives[i])});
  }
  made.timing = {before, since, dt};
  made.is_in = true;
  copies_[index] = std::move(made);
}

void BatchStepper::step(const Numbers &actions, const Readings &readings, const Endings &endings) {
  const size_t rows = copies_.size();
  require(actions.shape(0) == rows && readings.shape(0) == rows && endings.shape(0) == rows, "number of rows",
          "that of the copies", static_cast<double>(actions.shape(0)));
  for (const Copy &one : copies_)
    if (one.is_in) {
      require(one.motors.size() == actions.shape(1), "number of columns", "that of the motors",
              static_cast<double>(actions.shape(1)));
      require(one.pass->count() == readings.shape(1), "number of columns", "that of the sensors",
              static_cast<double>(readings.shape(1)));
    }
  require(readings.shape(1) == low_.size(), "number of columns", "that of the bounds",
          static_cast<double>(readings.shape(1)));
  const float *given = actions.data();
  float *found = readings.data();
  uint8_t *ended = endings.data();
  const size_t wide = actions.shape(1), size = readings.shape(1);
  nb::gil_scoped_release free;
  crew_.share([&](size_t i) {
    if (copies_[i].is_in)
      ended[i] = static_cast<uint8_t>(step_copy(copies_[i], given + i * wide, found + i * size));
  });
}

Ending BatchStepper::step_copy(Copy &copy, const float *actions, float *readings) {
  for (const Driven &one : copy.motors) {
    const double value = *actions++;
    Motor &motor = one.motor.get();
    if (one.drive == Drive::kPosition)
      motor.set_position(value);
    else if (one.drive == Drive::kVelocity)
      motor.set_velocity(value);
    else
      motor.set_force(value);
    one.motor.wake();
  }
  try {
    copy.world->step(steps_);
  } catch (const PhysicsError &) {
    return Ending::kBroken;
  }
  if (!copy.pass->sample(copy.timing.at(copy.world->steps))) return Ending::kNotReady;
  constexpr double kLargest = std::numeric_limits<float>::max();
  const double *numbers = copy.pass->numbers();
  for (size_t i = 0; i < low_.size(); ++i) {
    const double number = std::isnan(numbers[i]) ? 0.0 : std::clamp(numbers[i], -kLargest, kLargest);
    readings[i] = std::min(std::max(static_cast<float>(number), low_[i]), high_[i]);
  }
  return Ending::kDone;
}

}  // namespace wb
