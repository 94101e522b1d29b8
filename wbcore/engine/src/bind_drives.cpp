// Bindings of fluids, immersion, propellers and tracks.
#include "bind.h"

namespace wb {
namespace {

using namespace nb::literals;

}  // namespace

void bind_drives(nb::module_ &m) {
  auto f = bind_handle<FluidHandle>(m, "Fluid", "A half space of fluid below the highest face of its geom.");
  f.def_prop_rw(
       "density", [](const FluidHandle &h) { return h.get().density; },
       [](const FluidHandle &h, double v) {
         require_not_negative("density", v);
         h.get().density = v;
         h.world->wake_immersed(h.slot);
       },
       "kg/m^3")
      .def_prop_rw(
          "viscosity", [](const FluidHandle &h) { return h.get().viscosity; },
          [](const FluidHandle &h, double v) {
            require_not_negative("viscosity", v);
            h.get().viscosity = v;
            h.world->wake_immersed(h.slot);
          },
          "kg/(m s)")
      .def_prop_rw(
          "stream_velocity", [](const FluidHandle &h) { return h.get().stream_velocity; },
          [](const FluidHandle &h, const Vec3 &v) {
            require_finite("stream velocity", v);
            h.get().stream_velocity = v;
            h.world->wake_immersed(h.slot);
          },
          "m/s, world")
      .def(
          "remove", [](const FluidHandle &h) { (h.get(), h.world->remove_fluid(h.slot)); },
          "Its geom stays, disabled.");

  auto i = bind_handle<ImmersionHandle>(m, "Immersion", "ImmersionProperties of a body for one fluid.");
  i.def("remove", [](const ImmersionHandle &h) {
    h.get();
    h.world->remove_immersion(h.slot);
  });

  auto p = bind_handle<PropellerHandle>(m, "Propeller", "Thrust and torque of a turning motor on a body.");
  p.def_prop_ro("motor", [](const PropellerHandle &h) { return MotorHandle((h.get(), h)); })
      .def_prop_ro(
          "thrust", [](const PropellerHandle &h) { return h.get().thrust; }, "N in the last step")
      .def_prop_ro(
          "torque", [](const PropellerHandle &h) { return h.get().torque; }, "N m in the last step")
      .def("remove", [](const PropellerHandle &h) {
        h.get();
        h.world->propellers.remove(h.slot);
      });

  auto t =
      bind_handle<TrackHandle>(m, "Track", "A belt that moves the surface of its geoms (Geom.set_track).");
  t.def_prop_ro("motor", [](const TrackHandle &h) { return MotorHandle((h.get(), h)); })
      .def_prop_ro(
          "speed", [](const TrackHandle &h) { return h.get().speed; }, "m/s of the belt")
      .def_prop_rw(
          "position", [](const TrackHandle &h) { return h.get().position; },
          [](const TrackHandle &h, double v) {
            require_finite("position", v);
            h.get().position = v;
          },
          "Travel of the belt, m")
      .def_prop_rw(
          "brake", [](const TrackHandle &h) { return h.get().brake; },
          [](const TrackHandle &h, double v) {
            require_not_negative("brake", v);
            h.get().brake = v;
          },
          "Damping constant; acts in force control only.")
      .def_prop_rw(
          "motorized", [](const TrackHandle &h) { return h.get().motorized; },
          [](const TrackHandle &h, bool on) { h.get().motorized = on; }, "False: the belt does not move.")
      .def("remove", [](const TrackHandle &h) { (h.get(), h.world->remove_track(h.slot)); });
}

}  // namespace wb
