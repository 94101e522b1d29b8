// Steps of robots in many worlds in one call: numbers for motors in, numbers of sensors out.
#include "batch_stepper.h"

#include <algorithm>

namespace wb {

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
  const float *given = actions.data();
  double *found = readings.data();
  uint8_t *ended = endings.data();
  const size_t wide = actions.shape(1), size = readings.shape(1);
  nb::gil_scoped_release free;
  crew_.share([&](size_t i) {
    if (copies_[i].is_in)
      ended[i] = static_cast<uint8_t>(step_copy(copies_[i], given + i * wide, found + i * size, size));
  });
}

Ending BatchStepper::step_copy(Copy &copy, const float *actions, double *readings, size_t size) {
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
  std::copy_n(copy.pass->numbers(), size, readings);
  return Ending::kDone;
}

}  // namespace wb
