// Bindings of measurements of contacts and of the forces that hold a sensor.
#include "bind.h"
#include "bind_world.h"
#include "sense/touch_sources.h"

namespace wb {

using namespace nb::literals;

void bind_touch(nb::module_ &m) {
  nb::class_<Touching, Source>(m, "Touching",
                               "Whether geoms have touched anything since the last measurement, as 1 or 0.")
      .def(
          "__init__",
          [](Touching *made, const PyWorld &world, const std::vector<uint32_t> &geoms, bool touched) {
            new (made) Touching(world.world, geoms, touched);
          },
          "world"_a, "geoms"_a, "touched"_a, "geoms: their ids.")
      .def("watch", &Touching::watch, "Notes the contacts of a step; a pass of sensors does so by itself.")
      .def_rw("touched", &Touching::touched, "What the next measurement returns.");
  nb::class_<HoldingForce, Source>(
      m, "HoldingForce", "The force (N) of a body on its parent through a joint, in the axes of a mount.")
      .def(nb::init<JointHandle, Mount, Response, std::optional<Vec3>>(), "joint"_a, "mount"_a, "response"_a,
           "axis"_a.none(),
           "The joint must have feedback on. axis: the direction against which the force counts, None for a "
           "vector.");
}

}  // namespace wb
