// Bindings of the world: fluids and drives, arrays, contacts and statistics of the last step.
#include "bind_world.h"

namespace wb {
namespace {

using namespace nb::literals;

FluidHandle add_fluid(const PyWorld &w, const GeomHandle &geom, double density, double viscosity,
                      const Vec3 &stream) {
  Fluid fluid{density, viscosity, stream, slot_in(w.world, std::optional(geom), "geom")};
  return {w.world, checked(w).add_fluid(fluid)};
}

ImmersionHandle add_immersion(const PyWorld &w, const BodyHandle &body, const FluidHandle &fluid,
                              const std::string &area, const Vec3 &drag_force, const Vec3 &drag_torque,
                              double viscous_force, double viscous_torque, int32_t solid) {
  Immersion i;
  i.body = slot_in(w.world, std::optional(body), "body");
  i.fluid = slot_in(w.world, std::optional(fluid), "fluid");
  if (area != "immersed area" && area != "xyz-projection")
    throw std::invalid_argument("reference_area must be 'immersed area' or 'xyz-projection', not '" + area +
                                "'");
  i.reference = area == "immersed area" ? ReferenceArea::immersed : ReferenceArea::projected;
  i.drag_force = drag_force, i.drag_torque = drag_torque;
  i.viscous_force = viscous_force, i.viscous_torque = viscous_torque;
  i.solid = solid;
  return {w.world, checked(w).add_immersion(i)};
}

PropellerHandle add_propeller(const PyWorld &w, const BodyHandle &body, const Vec3 &axis, const Vec3 &center,
                              const std::array<double, 2> &thrust, const std::array<double, 2> &torque) {
  Propeller p;
  p.body = slot_in(w.world, std::optional(body), "body");
  p.axis = axis, p.center = center;
  p.thrust_constants = thrust, p.torque_constants = torque;
  return {w.world, checked(w).add_propeller(p)};
}

TrackHandle add_track(const PyWorld &w, const std::optional<BodyHandle> &body, const Vec3 &p, const Quat &q) {
  Track t;
  t.body = slot_in(w.world, body, "body");
  t.offset = pose_of(p, q);
  t.motor.reset(0);
  return {w.world, checked(w).add_track(t)};
}

// A view of the first `rows` rows of a column. The memory never moves, so earlier views stay valid.
template <size_t Width>
nb::ndarray<nb::numpy, const double> rows_of(const Column<Width> &column, size_t rows) {
  auto *kept = new std::shared_ptr<Block>(column.block());
  nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::shared_ptr<Block> *>(p); });
  if constexpr (Width == 1)
    return view(column.row(0), {rows}, owner);
  else
    return view(column.row(0), {rows, Width}, owner);
}

template <size_t Width>
void bind_column(nb::class_<PyWorld> &c, const char *name, Column<Width> Columns::*column, bool of_joints,
                 const char *doc) {
  c.def_prop_ro(
      name,
      [column, of_joints](const PyWorld &w) {
        return rows_of(w.world->columns.*column, of_joints ? w.world->joint_rows : w.world->bodies.extent());
      },
      nb::rv_policy::automatic, doc);
}

nb::typed<nb::dict, nb::str, int> statistics_of(const PyWorld &w) {
  const StepStatistics &s = w.world->statistics;
  nb::typed<nb::dict, nb::str, int> d;
  d["rows"] = s.rows;
  d["islands"] = s.islands;
  d["largest_rows"] = s.largest_rows;
  d["quick_islands"] = s.quick_islands;
  d["fallbacks"] = s.fallbacks;
  d["yielded"] = s.yielded;
  d["contacts"] = s.contacts;
  d["awake"] = s.awake;
  return d;
}

void bind_readings(nb::class_<PyWorld> &c) {
  c.def_prop_ro(
       "time", [](const PyWorld &w) { return w.world->time; }, "Sum of the step lengths (s).")
      .def_prop_ro("steps", [](const PyWorld &w) { return w.world->steps; })
      .def(
          "contacts",
          [](const PyWorld &w, bool solved, bool sleepers) {
            World &world = checked(w);
            return solved ? list_of(world.solved_contacts) : list_of(world, sleepers);
          },
          "solved"_a = false, "sleepers"_a = true,
          "Contacts at the current poses: those that act in the next step, then, with sleepers=True, those "
          "of sleeping bodies. With solved=True, those that acted in the last step, with their forces if "
          "contact_feedback is on.")
      .def_prop_rw(
          "contact_feedback", [](const PyWorld &w) { return w.world->contact_feedback; },
          [](const PyWorld &w, bool on) { checked(w).contact_feedback = on; },
          "Whether forces of contacts are measured, from the next collision pass on.")
      .def_prop_ro(
          "fallbacks", [](const PyWorld &w) { return checked(w).fallbacks; },
          "Steps so far in which the exact solver failed for an island, so that another one was used; under "
          "the "
          "law \"precise\", those with forces that are only approximate.")
      .def_prop_ro(
          "yielded", [](const PyWorld &w) { return checked(w).yielded; },
          "Steps so far in which contacts under the law \"precise\" yielded, because no forces satisfied all "
          "of them.")
      .def_prop_ro("statistics", &statistics_of,
                   "Of the last step: rows of constraints (at most), contacts, awake bodies; and where not "
                   "all went to the "
                   "exact solver at once: islands, most rows of an island, islands solved iteratively.")
      .def(
          "messages", [](const PyWorld &w) { return std::exchange(checked(w).messages, {}); },
          "Messages of ODE since the last call, oldest first.")
      .def_prop_ro("body_count", [](const PyWorld &w) { return w.world->bodies.size(); })
      .def_prop_ro("geom_count", [](const PyWorld &w) { return w.world->geoms.size(); })
      .def_prop_ro("joint_count", [](const PyWorld &w) { return w.world->joints.size(); })
      .def_prop_ro("ray_set_count", [](const PyWorld &w) { return w.world->rays.size(); })
      .def(
          "body",
          [](const PyWorld &w, uint32_t id) {
            if (!checked(w).bodies.alive(id)) throw HandleError("no body has this id");
            return BodyHandle(w.world, id);
          },
          "id"_a, "The body with this id.")
      .def(
          "geom",
          [](const PyWorld &w, uint32_t id) {
            if (!checked(w).geoms.alive(id)) throw HandleError("no geom has this id");
            return GeomHandle(w.world, id);
          },
          "id"_a, "The geom with this id.");
}

}  // namespace

void bind_world_drives(nb::class_<PyWorld> &c) {
  c.def("add_fluid", &add_fluid, "geom"_a, "density"_a = 1000.0, "viscosity"_a = 0.001,
        "stream_velocity"_a = kZero,
        "Makes the geom a fluid: kg/m^3, kg/(m s), m/s. Its highest face along its up axis is the surface.")
      .def("add_immersion", &add_immersion, "body"_a, "fluid"_a, "reference_area"_a = "immersed area",
           "drag_force"_a = kZero, "drag_torque"_a = kZero, "viscous_force"_a = 0.0, "viscous_torque"_a = 0.0,
           "solid"_a = -1,
           "Lets the fluid act on the body, or on its geoms with the number `solid` only: reference_area is "
           "'immersed area' or 'xyz-projection'. If several apply to one geom, the last one is used.")
      .def("add_propeller", &add_propeller, "body"_a, "axis"_a = Vec3{1, 0, 0}, "center"_a = kZero,
           "thrust_constants"_a = std::array<double, 2>{1, 0},
           "torque_constants"_a = std::array<double, 2>{1, 0},
           "Shaft axis and center of thrust in the body's frame. Its `motor` drives it.")
      .def("add_track", &add_track, "body"_a = nb::none(), "position"_a = kZero, "orientation"_a = kUnitQuat,
           "A belt whose frame has this pose in the body: x along the motion, z out of its upper side.");
}

void bind_world_views(nb::class_<PyWorld> &c) {
  bind_column(c, "positions", &Columns::positions, false,
              "(bodies, 3) view: origins of the bodies' frames, m.");
  bind_column(c, "quaternions", &Columns::quaternions, false, "(bodies, 4) view: orientations (w, x, y, z).");
  bind_column(c, "linear_velocities", &Columns::linear_velocities, false,
              "(bodies, 3) view: of the centers of mass, m/s.");
  bind_column(c, "angular_velocities", &Columns::angular_velocities, false,
              "(bodies, 3) view: rad/s, world.");
  bind_column(c, "joint_positions", &Columns::joint_positions, true, "(joint axes,) view: rad or m.");
  bind_column(c, "joint_velocities", &Columns::joint_velocities, true, "(joint axes,) view: rad/s or m/s.");
  bind_readings(c);
}

}  // namespace wb
