// Values that the API of an inline controller shares with native code: readings and targets of motors.
//
// Controllers call these objects in each step, so they are plain Python types with vectorcall: a call costs
// about 20 ns. What is not common goes to the method of the device in Python (`slow`), with all its checks.
#pragma once

#include <nanobind/nanobind.h>

namespace wb {

// The value of a sensor. Calling it returns the value, as the method `get_value` of its device.
struct Reading {
  PyObject_HEAD vectorcallfunc call;
  PyObject *slow;
  double value;
  char is_enabled;

  // The reading whose method `take` this is, or null.
  static Reading *of_listener(PyObject *listener);
};

// The targets of a motor. Those that were set wait for the next step.
struct MotorTargets {
  PyObject_HEAD double position, velocity;  // targets
  double last_position, last_velocity;      // that the controller has set; NaN: none
  PyObject *keys[2];                        // of the commands for position and velocity
  char is_coupled;                          // commands affect other motors, too
  char waits[2];                            // position, velocity

  double target(bool of_velocity) const { return of_velocity ? velocity : position; }
  int count_waiting() const { return waits[0] + waits[1]; }
  static MotorTargets *of(PyObject *object);  // null for other objects
};

void bind_cells(nanobind::module_ &m);

}  // namespace wb
