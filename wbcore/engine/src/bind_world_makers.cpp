// Bindings of the world: adding bodies, geoms, joints and rays.
#include "bind_world.h"

namespace wb {
namespace {

using namespace nb::literals;

using OptionalBody = std::optional<BodyHandle>;

BodyHandle add_body(const PyWorld &w, const Mass &mass, const Vec3 &p, const Quat &q, bool kinematic) {
  const BodyKind kind = kinematic ? BodyKind::kinematic : BodyKind::dynamic;
  return {w.world, checked(w).add_body(kind, pose_of(p, q), mass)};
}

BodyHandle add_frame(const PyWorld &w, const Vec3 &p, const Quat &q) {
  return {w.world, checked(w).add_body(BodyKind::frame, pose_of(p, q), Mass{})};
}

GeomHandle add_geom(const PyWorld &w, const Shape &shape, const OptionalBody &body, const Vec3 &p,
                    const Quat &q, int32_t robot, int32_t solid, uint32_t material, const std::string &role) {
  World &world = checked(w);
  if (role != "solid" && role != "sensor")
    throw std::invalid_argument("role must be 'solid' or 'sensor', not '" + role +
                                "' (add_fluid makes fluids)");
  const uint32_t slot = world.add_geom(shape, slot_in(w.world, body, "body"), pose_of(p, q));
  Geom &g = world.geoms[slot];
  g.robot = robot;
  g.solid = solid;
  g.material = material;
  g.role = role == "solid" ? GeomRole::solid : GeomRole::sensor;
  return {w.world, slot};
}

// The settings that all joints share.
JointSpec spec_of(const PyWorld &w, JointKind kind, const BodyHandle &child, const OptionalBody &parent) {
  JointSpec spec{};
  spec.kind = kind;
  spec.child = slot_in(w.world, std::optional(child), "child");
  spec.parent = slot_in(w.world, parent, "parent");
  spec.kinematic = child.get().kind == BodyKind::frame;
  spec.stop_erp = spec.stop_cfm = -1;
  return spec;
}

JointHandle add(const PyWorld &w, const JointSpec &spec) { return {w.world, checked(w).add_joint(spec)}; }

JointHandle add_fixed(const PyWorld &w, const BodyHandle &child, const OptionalBody &parent) {
  return add(w, spec_of(w, JointKind::fixed, child, parent));
}

JointHandle add_hinge(const PyWorld &w, const BodyHandle &child, const OptionalBody &parent,
                      const Vec3 &anchor, const Vec3 &axis, double position, double spring, double damper,
                      const Vec3 &suspension_axis, double erp, double cfm) {
  JointSpec spec = spec_of(w, JointKind::hinge, child, parent);
  spec.anchor = anchor;
  spec.axes[0] = axis;
  spec.positions[0] = position;
  spec.suspension = {suspension_axis, spring, damper};
  spec.stop_erp = erp, spec.stop_cfm = cfm;
  return add(w, spec);
}

JointHandle add_hinge2(const PyWorld &w, const BodyHandle &child, const OptionalBody &parent,
                       const Vec3 &anchor, const Vec3 &axis, const Vec3 &axis2, double position,
                       double position2, double spring, double damper,
                       const std::optional<Vec3> &suspension_axis, double erp, double cfm) {
  JointSpec spec = spec_of(w, JointKind::hinge2, child, parent);
  spec.anchor = anchor;
  spec.axes[0] = axis, spec.axes[1] = axis2;
  spec.positions[0] = position, spec.positions[1] = position2;
  spec.suspension = {suspension_axis.value_or(axis), spring, damper};
  spec.stop_erp = erp, spec.stop_cfm = cfm;
  return add(w, spec);
}

JointHandle add_slider(const PyWorld &w, const BodyHandle &child, const OptionalBody &parent,
                       const Vec3 &axis, double position, double erp, double cfm) {
  JointSpec spec = spec_of(w, JointKind::slider, child, parent);
  spec.axes[0] = axis;
  spec.positions[0] = position;
  spec.stop_erp = erp, spec.stop_cfm = cfm;
  return add(w, spec);
}

JointHandle add_ball(const PyWorld &w, const BodyHandle &child, const OptionalBody &parent,
                     const Vec3 &anchor, const Vec3 &axis, const Vec3 &axis3, const Vec3 &positions) {
  JointSpec spec = spec_of(w, JointKind::ball, child, parent);
  spec.anchor = anchor;
  spec.axes[0] = axis, spec.axes[2] = axis3;
  std::copy(positions.begin(), positions.end(), spec.positions);
  return add(w, spec);
}

RaysHandle add_rays(const PyWorld &w, const std::vector<Vec3> &origins, const std::vector<Vec3> &directions,
                    const std::vector<double> &lengths, const OptionalBody &body, const Vec3 &p,
                    const Quat &q, int32_t robot, uint32_t mask) {
  RaySet set;
  set.body = slot_in(w.world, body, "body");
  set.offset = pose_of(p, q);
  set.robot = robot;
  set.mask = mask;
  const size_t n = directions.size();
  require(n > 0, "number of rays", "1 or more", 0);
  require(origins.size() == n && lengths.size() == n, "number of origins and lengths",
          "that of the directions", static_cast<double>(origins.size()));
  for (size_t i = 0; i < n; ++i) {
    require_finite("origin", origins[i]);
    require_positive("length", lengths[i]);
    set.directions.push_back(require_direction("direction", directions[i]));
  }
  set.origins = origins;
  set.lengths = lengths;
  return {w.world, checked(w).add_rays(std::move(set))};
}

}  // namespace

void bind_world_makers(nb::class_<PyWorld> &c) {
  c.def("add_body", &add_body, "mass"_a, "position"_a = kZero, "orientation"_a = kUnitQuat,
        "kinematic"_a = false,
        "A body with mass; its pose is that of its own frame, in which `mass` is given.")
      .def("add_frame", &add_frame, "position"_a = kZero, "orientation"_a = kUnitQuat,
           "A pose without mass: it carries geoms, rays and kinematic joints, and moves by its velocity or "
           "another "
           "body's (Body.follow).")
      .def("add_geom", &add_geom, "shape"_a, "body"_a = nb::none(), "position"_a = kZero,
           "orientation"_a = kUnitQuat, nb::kw_only(), "robot"_a = -1, "solid"_a = -1, "material"_a = 0,
           "role"_a = "solid",
           "Pose in the body's frame, or in the world without a body. Material 0 is the default.")
      .def("add_fixed", &add_fixed, "child"_a, "parent"_a = nb::none(), "Fix the child at its current pose.")
      .def("add_hinge", &add_hinge, "child"_a, "parent"_a = nb::none(), nb::kw_only(), "anchor"_a = kZero,
           "axis"_a = Vec3{1, 0, 0}, "position"_a = 0.0, "suspension_spring"_a = 0.0,
           "suspension_damping"_a = 0.0, "suspension_axis"_a = Vec3{1, 0, 0}, "stop_erp"_a = -1.0,
           "stop_cfm"_a = -1.0,
           "Anchor, axis and suspension axis in the parent's frame (the world's without a parent). The "
           "present poses "
           "belong to `position`. With a frame as child the joint is kinematic.")
      .def("add_hinge2", &add_hinge2, "child"_a, "parent"_a = nb::none(), nb::kw_only(), "anchor"_a = kZero,
           "axis"_a = Vec3{1, 0, 0}, "axis2"_a = Vec3{0, 0, 1}, "position"_a = 0.0, "position2"_a = 0.0,
           "suspension_spring"_a = 0.0, "suspension_damping"_a = 0.0, "suspension_axis"_a = nb::none(),
           "stop_erp"_a = -1.0, "stop_cfm"_a = -1.0,
           "axis2 is given at position 0 and turns with the first axis. The suspension acts along `axis` by "
           "default.")
      .def("add_slider", &add_slider, "child"_a, "parent"_a = nb::none(), nb::kw_only(),
           "axis"_a = Vec3{0, 0, 1}, "position"_a = 0.0, "stop_erp"_a = -1.0, "stop_cfm"_a = -1.0)
      .def("add_ball", &add_ball, "child"_a, "parent"_a = nb::none(), nb::kw_only(), "anchor"_a = kZero,
           "axis"_a = Vec3{1, 0, 0}, "axis3"_a = Vec3{0, 0, 1}, "positions"_a = kZero,
           "The child turns by R(axis) R(axis2) R(axis3) with axis2 = axis3 x axis; axis3 is made "
           "perpendicular.")
      .def("add_rays", &add_rays, "origins"_a, "directions"_a, "lengths"_a, "body"_a = nb::none(),
           "position"_a = kZero, "orientation"_a = kUnitQuat, nb::kw_only(), "robot"_a = -1,
           "mask"_a = 0xffffffffu,
           "Rays in a frame with this pose in the body or in the world. Nothing is cast until they are "
           "scheduled. They have no effect on the world and are not part of its state.")
      .def(
          "cast", [](const PyWorld &w) { checked(w).cast_all(); },
          "Cast all enabled rays now, at the current poses.");
}

}  // namespace wb
