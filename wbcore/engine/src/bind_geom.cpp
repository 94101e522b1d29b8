// Bindings of geoms.
#include "bind.h"

namespace wb {
namespace {

using namespace nb::literals;

constexpr const char *kRoles[] = {"solid", "sensor", "fluid"};

void set_role(const GeomHandle &h, const std::string &role) {
  Geom &g = h.get();
  if (role != "solid" && role != "sensor")
    throw std::invalid_argument("role must be 'solid' or 'sensor', not '" + role +
                                "' (add_fluid makes fluids)");
  g.role = role == "solid" ? GeomRole::solid : GeomRole::sensor;
  h.world->rules_changed();
  h.world->geom_changed(h.slot);
}

// A property whose change invalidates the verdicts on the geom's pairs.
template <auto Member>
void bind_rule(nb::class_<GeomHandle> &c, const char *name, const char *doc) {
  using Value = std::remove_reference_t<decltype(std::declval<Geom>().*Member)>;
  c.def_prop_rw(
      name, [](const GeomHandle &h) { return h.get().*Member; },
      [](const GeomHandle &h, Value v) {
        if (h.get().*Member == v) return;
        h.get().*Member = v;
        h.world->rules_changed();
        h.world->geom_changed(h.slot);
      },
      doc);
}

void set_track(const GeomHandle &h, const std::optional<TrackHandle> &track) {
  h.get().track = slot_in(h.world, track, "track");
  h.world->geom_changed(h.slot);
}

}  // namespace

void bind_geom(nb::module_ &m) {
  auto c = bind_handle<GeomHandle>(m, "Geom", "A collision geometry of a body, of a frame or of the world.");
  bind_rule<&Geom::robot>(c, "robot", "Number of the robot it belongs to; -1: none.");
  bind_rule<&Geom::solid>(c, "solid", "A number for the caller's use, returned nowhere else; -1: none.");
  bind_rule<&Geom::material>(c, "material", "Number of the contact material.");
  bind_rule<&Geom::category>(c, "category",
                             "Bits; a pair is tested if one's category meets the other's "
                             "`collides_with`. Rays look at it too.");
  bind_rule<&Geom::collides_with>(c, "collides_with", "Bits of the categories it touches.");
  bind_rule<&Geom::enabled>(c, "enabled", "Whether it touches anything or is seen by rays.");
  c.def_prop_rw(
       "role", [](const GeomHandle &h) { return kRoles[static_cast<int>(h.get().role)]; }, &set_role,
       "'solid'; 'sensor': also tested against geoms without a dynamic body; 'fluid'.")
      .def_prop_rw(
          "shape", [](const GeomHandle &h) { return h.get().shape; },
          [](const GeomHandle &h, const Shape &s) { (h.get(), h.world->replace_shape(h.slot, s)); },
          "A copy; set another shape to change it.")
      .def_prop_ro("body",
                   [](const GeomHandle &h) -> std::optional<BodyHandle> {
                     const uint32_t body = h.get().body;
                     if (body == kNone) return std::nullopt;
                     return BodyHandle(h.world, body);
                   })
      .def_prop_ro(
          "position", [](const GeomHandle &h) { return (h.get(), h.world->geom_pose(h.slot).position); },
          "m, world")
      .def_prop_ro(
          "orientation",
          [](const GeomHandle &h) { return (h.get(), to_quat(h.world->geom_pose(h.slot).rotation)); })
      .def_prop_ro(
          "bounds",
          [](const GeomHandle &h) {
            const Box b = bounds_of(h.get());
            return std::make_tuple(b.low, b.high);
          },
          "Lowest and highest corner of its bounding box (m, world).")
      .def(
          "set_offset",
          [](const GeomHandle &h, const Vec3 &p, const Quat &q) {
            h.get();
            h.world->set_geom_offset(h.slot, pose_of(p, q));
          },
          "position"_a, "orientation"_a = kUnitQuat,
          "Pose in its body's frame, or in the world without a body.")
      .def("set_track", &set_track, "track"_a.none(), "Makes it the belt of a track.")
      .def("remove", [](const GeomHandle &h) { (h.get(), h.world->remove_geom(h.slot)); });
}

}  // namespace wb
