// Bindings of the steps of robots in many worlds.
#include "batch_stepper.h"
#include "collected.h"

namespace wb {

using namespace nb::literals;

void bind_batch_stepper(nb::module_ &m) {
  nb::class_<BatchStepper>(m, "BatchStepper", "Steps of robots in many worlds, one row for each.",
                           nb::type_slots(Collected<BatchStepper>::slots))
      .def(nb::init<size_t, size_t, const BatchStepper::Bounds &, size_t>(), "copies"_a, "steps"_a,
           "bounds"_a, "threads"_a = 1,
           "copies: number of worlds; steps: basic time steps of each call; bounds: the lowest and the "
           "highest readings; threads: how many worlds are stepped at the same time.")
      .def("set", &BatchStepper::set, "index"_a, "world"_a, "motors"_a, "drives"_a, "sensors"_a, "before"_a,
           "since"_a, "dt"_a,
           "Sets a world with the motors that numbers drive (0: position, 1: velocity, 2: force) and the "
           "pass over its sensors. The clock is at `before` (s) at step `since`.")
      .def("leave_out", &BatchStepper::leave_out, "index"_a, "The next steps leave this world out.")
      .def(
          "step", &BatchStepper::step, "actions"_a, "readings"_a, "endings"_a,
          "Steps the worlds, without the interpreter's lock. endings: 0 if the readings are new, 1 if "
          "sensors need Python, 2 if a body is in an invalid state; unchanged for worlds that are left out.");
}

}  // namespace wb
