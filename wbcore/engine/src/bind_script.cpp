// Bindings of what scripts use in each step, and of the dynamics of their robots.
#include "collected.h"
#include "script/batch.h"

namespace wb {

using namespace nb::literals;

void bind_script(nb::module_ &m) {
  nb::class_<ScriptStepper>(m, "ScriptStepper", "Steps of a world whose robots a script drives.",
                            nb::type_slots(Collected<ScriptStepper>::slots))
      .def(nb::init<nb::typed<nb::object, PyWorld>>(), "world"_a)
      .def("add", &ScriptStepper::add, "sensors"_a, "numbers"_a, "places"_a,
           "Adds the pass over the sensors of a robot, the array to which their numbers are copied, and the "
           "place of each sensor's first number in it.")
      .def("set_clock", &ScriptStepper::set_clock, "before"_a, "since"_a, "dt"_a,
           "The clock is at `before` (s) at step `since`.")
      .def("step", &ScriptStepper::step, "count"_a,
           "Makes steps and takes the samples that are due. Returns the number of steps; it is negative if "
           "Python has to take the samples of the last one. PhysicsError as for `World.step`.")
      .def("raise_failure", &ScriptStepper::raise_failure,
           "Raises the error of the last step of a batch, if "
           "it failed.");
  nb::class_<ScriptBatch>(m, "ScriptBatch", "The same steps in many worlds, on several threads.",
                          nb::type_slots(Collected<ScriptBatch>::slots))
      .def(nb::init<size_t, size_t>(), "worlds"_a, "threads"_a = 1)
      .def("set", &ScriptBatch::set, "index"_a, "stepper"_a.none(),
           "Sets the ScriptStepper of a world; None: the next calls leave it out.")
      .def("step", &ScriptBatch::step, "count"_a,
           "Makes steps in all worlds, without the interpreter's lock. Returns for each what "
           "`ScriptStepper.step` returns; 0 if it failed (`raise_failure`).");
}

}  // namespace wb
