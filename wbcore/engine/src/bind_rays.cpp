// Bindings of ray sets.
#include "bind.h"

namespace wb {
namespace {

using namespace nb::literals;

void set_schedule(const RaysHandle &h, uint64_t every, std::optional<uint64_t> first) {
  RaySet &set = h.get();
  set.every = every;
  set.next = h.world->steps + first.value_or(every);
}

void set_lengths(const RaysHandle &h, const std::vector<double> &lengths) {
  RaySet &set = h.get();
  require(lengths.size() == set.lengths.size(), "number of lengths", "that of the rays",
          static_cast<double>(lengths.size()));
  for (double v : lengths) require_positive("length", v);
  set.lengths = lengths;
  set.measure_reach();
}

void set_directions(const RaysHandle &h, const std::vector<Vec3> &directions) {
  RaySet &set = h.get();
  require(directions.size() == set.directions.size(), "number of directions", "that of the rays",
          static_cast<double>(directions.size()));
  std::vector<Vec3> unit;
  for (const Vec3 &d : directions) unit.push_back(require_direction("direction", d));
  set.directions = std::move(unit);
  set.measure_reach();
}

}  // namespace

void bind_rays(nb::module_ &m) {
  auto c = bind_handle<RaysHandle>(m, "Rays", "Rays of one sensor, all with one schedule.");
  c.def_prop_ro(
       "distances",
       [](const RaysHandle &h) {
         const auto &r = h.get().results;
         return results(r, r->distances, 1);
       },
       nb::rv_policy::automatic, "(n,) m; the ray's length where nothing was hit. A view: fetch it once.")
      .def_prop_ro(
          "geoms",
          [](const RaysHandle &h) {
            const auto &r = h.get().results;
            return results(r, r->geoms, 1);
          },
          nb::rv_policy::automatic, "(n,) int32 ids of the geoms hit, -1: none. A view.")
      .def_prop_ro(
          "normals",
          [](const RaysHandle &h) {
            const auto &r = h.get().results;
            return results(r, r->normals, 3);
          },
          nb::rv_policy::automatic, "(n, 3) surface normals at the hits, 0 without. A view.")
      .def("schedule", &set_schedule, "every"_a, "first"_a = nb::none(),
           "Cast at the end of the step `first` steps from now (default: `every`), then every `every` steps; "
           "0: never.")
      .def_prop_ro(
          "next", [](const RaysHandle &h) { return h.get().next; },
          "Number of the step that casts them next.")
      .def_prop_ro("every", [](const RaysHandle &h) { return h.get().every; })
      .def(
          "cast", [](const RaysHandle &h) { (h.get(), h.world->cast(h.slot)); },
          "Cast now, at the current poses.")
      .def(
          "set_offset",
          [](const RaysHandle &h, const Vec3 &p, const Quat &q) { h.get().offset = pose_of(p, q); },
          "position"_a, "orientation"_a = kUnitQuat, "Pose of the rays' frame in the body, or in the world.")
      .def("set_lengths", &set_lengths, "lengths"_a)
      .def("set_directions", &set_directions, "directions"_a)
      .def_prop_rw(
          "robot", [](const RaysHandle &h) { return h.get().robot; },
          [](const RaysHandle &h, int32_t r) { h.get().robot = r; },
          "Its geoms are not hit unless it collides with itself; -1: none.")
      .def_prop_rw(
          "mask", [](const RaysHandle &h) { return h.get().mask; },
          [](const RaysHandle &h, uint32_t v) { h.get().mask = v; }, "Only these categories are hit.")
      .def_prop_rw(
          "enabled", [](const RaysHandle &h) { return h.get().enabled; },
          [](const RaysHandle &h, bool on) { h.get().enabled = on; })
      .def_prop_rw(
          "front_only", [](const RaysHandle &h) { return h.get().front_only; },
          [](const RaysHandle &h, bool on) { h.get().front_only = on; },
          "Surfaces are hit only from outside: not from within a shape, nor on the back of a triangle.")
      .def("remove", [](const RaysHandle &h) { (h.get(), h.world->remove_rays(h.slot)); });
}

}  // namespace wb
