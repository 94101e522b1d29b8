// Bindings of bodies and frames.
#include "bind.h"

namespace wb {
namespace {

using namespace nb::literals;

const char *body_kind(const BodyHandle &h) {
  constexpr const char *names[] = {"dynamic", "kinematic", "frame"};
  return names[static_cast<int>(h.get().kind)];
}

dBodyID with_mass(const BodyHandle &h) {
  const dBodyID ode = h.get().ode;
  if (!ode) throw std::invalid_argument("a frame has no mass");
  return ode;
}

Vec3 row3(const double *p) { return {p[0], p[1], p[2]}; }

void set_auto_disable(const BodyHandle &h, double time, double linear, double angular) {
  h.get();
  h.world->set_auto_disable(h.slot, time, linear, angular);
}

void set_max_spin(const BodyHandle &h, double value) {
  require_not_negative("max angular speed", value);
  h.get().max_angular_speed = value;
  dBodySetMaxAngularSpeed(with_mass(h), value > 0 ? value : dInfinity);
}

void add_force(const BodyHandle &h, const Vec3 &force, const std::optional<Vec3> &point, bool relative,
               bool relative_point) {
  h.get();
  h.world->add_force(h.slot, force, point ? &*point : nullptr, relative, relative_point);
}

void set_velocities(const BodyHandle &h, const Vec3 *linear, const Vec3 *angular) {
  h.get();
  h.world->set_body_velocity(h.slot, linear, angular);
}

nb::bytes save_body(const BodyHandle &h) {
  h.get();
  const std::vector<char> bytes = h.world->save_body(h.slot);
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_body(nb::module_ &m) {
  auto c = bind_handle<BodyHandle>(
      m, "Body",
      "A body with mass, or a frame: a pose without mass. The origin of its own frame is where the "
      "caller put it; the center of mass may be elsewhere. Orientations are quaternions (w, x, y, z).");
  c.def_prop_ro("kind", &body_kind,
                "'dynamic', 'kinematic' (moves by its velocity, cannot be pushed) or 'frame'")
      .def_prop_ro(
          "position", [](const BodyHandle &h) { return (h.get(), h.world->body_pose(h.slot).position); },
          "Origin of its own frame in the world (m).")
      .def_prop_ro("orientation",
                   [](const BodyHandle &h) {
                     const Body &b = h.get();
                     if (!b.ode) return to_quat(b.pose.rotation);
                     const dReal *q = dBodyGetQuaternion(b.ode);
                     return Quat{q[0], q[1], q[2], q[3]};
                   })
      .def_prop_ro(
          "continuous_orientation",
          [](const BodyHandle &h) {
            const Body &b = h.get();
            const Quat q = b.ode ? Quat{b.quaternion[0], b.quaternion[1], b.quaternion[2], b.quaternion[3]}
                                 : to_quat(b.pose.rotation);
            return b.reversed ? Quat{-q[0], -q[1], -q[2], -q[3]} : q;
          },
          "The orientation, as the one of two equal quaternions that follows from the pose where the body "
          "was last "
          "put, without a jump.")
      .def_prop_ro(
          "rotation", [](const BodyHandle &h) { return (h.get(), h.world->body_pose(h.slot).rotation); },
          "Rotation matrix, row-major, nine numbers.")
      .def(
          "set_pose",
          [](const BodyHandle &h, const Vec3 &p, const Quat &q) {
            h.get();
            h.world->set_body_pose(h.slot, p, q);
          },
          "position"_a, "orientation"_a, "Moves it without changing its velocity, and wakes it.")
      .def_prop_rw(
          "linear_velocity",
          [](const BodyHandle &h) { return (h.get(), row3(h.world->columns.linear_velocities.row(h.slot))); },
          [](const BodyHandle &h, const Vec3 &v) { set_velocities(h, &v, nullptr); },
          "Of the center of mass (of the origin for frames), m/s, world. It also moves frames.")
      .def_prop_rw(
          "angular_velocity",
          [](const BodyHandle &h) {
            return (h.get(), row3(h.world->columns.angular_velocities.row(h.slot)));
          },
          [](const BodyHandle &h, const Vec3 &w) { set_velocities(h, nullptr, &w); }, "rad/s, world")
      .def(
          "point_velocity",
          [](const BodyHandle &h, const Vec3 &p) { return (h.get(), h.world->point_velocity(h.slot, p)); },
          "point"_a, "Velocity (m/s) of the body's material at a world point.")
      .def_prop_rw(
          "mass", [](const BodyHandle &h) { return (with_mass(h), h.get().mass); },
          [](const BodyHandle &h, const Mass &mass) { (h.get(), h.world->set_body_mass(h.slot, mass)); },
          "In its own frame. The body's frame stays where it is when this is set.")
      .def_prop_ro(
          "center_of_mass", [](const BodyHandle &h) { return vec(dBodyGetPosition(with_mass(h))); },
          "m, world")
      .def("add_force", &add_force, "force"_a, "point"_a = nb::none(), "relative"_a = false,
           "relative_point"_a = false,
           "Force (N) for the next step, at the center of mass or at a point (m). `relative`, "
           "`relative_point`: "
           "given in the body's own frame. Wakes the body.")
      .def(
          "add_torque",
          [](const BodyHandle &h, const Vec3 &t, bool relative) {
            h.get();
            h.world->add_torque(h.slot, t, relative);
          },
          "torque"_a, "relative"_a = false, "Torque (N m) for the next step. Wakes the body.")
      .def_prop_ro(
          "force", [](const BodyHandle &h) { return vec(dBodyGetForce(with_mass(h))); },
          "Sum of the forces added for the next step (N).")
      .def_prop_ro("torque", [](const BodyHandle &h) { return vec(dBodyGetTorque(with_mass(h))); })
      .def(
          "reset", [](const BodyHandle &h) { (h.get(), h.world->reset_body(h.slot)); },
          "Set velocities and forces to 0.")
      .def(
          "set_damping",
          [](const BodyHandle &h, double l, double a) {
            h.get();
            h.world->set_body_damping(h.slot, l, a);
          },
          "linear"_a, "angular"_a, "Share of the velocity lost per second, 0 to 1 (node Damping).")
      .def_prop_ro(
          "damping",
          [](const BodyHandle &h) {
            const Body &b = h.get();
            return std::array<double, 2>{b.linear_damping, b.angular_damping};
          },
          "(linear, angular)")
      .def("set_auto_disable", &set_auto_disable, "time"_a, "linear_threshold"_a = 0.01,
           "angular_threshold"_a = 0.01,
           "Sleeps after `time` seconds below both thresholds (m/s, rad/s); negative: never.")
      .def_prop_rw(
          "max_angular_speed", [](const BodyHandle &h) { return h.get().max_angular_speed; }, &set_max_spin,
          "rad/s; 0: no limit")
      .def_prop_rw(
          "gravity", [](const BodyHandle &h) { return dBodyGetGravityMode(with_mass(h)) != 0; },
          [](const BodyHandle &h, bool on) { dBodySetGravityMode(with_mass(h), on); })
      .def_prop_rw(
          "finite_rotation",
          [](const BodyHandle &h) { return dBodyGetFiniteRotationMode(with_mass(h)) != 0; },
          [](const BodyHandle &h, bool on) { dBodySetFiniteRotationMode(with_mass(h), on); },
          "Integrate rotations exactly for a constant spin (off by default, as in ODE).")
      .def_prop_rw(
          "awake", [](const BodyHandle &h) { return h.get().awake(); },
          [](const BodyHandle &h, bool on) { (h.get(), h.world->set_awake(h.slot, on)); },
          "Whether it takes part in the next step; always False for frames.")
      .def(
          "follow",
          [](const BodyHandle &h, std::optional<BodyHandle> parent, const Vec3 &p, const Quat &q) {
            h.get();
            h.world->follow(h.slot, slot_in(h.world, parent, "body"), pose_of(p, q));
          },
          "parent"_a.none(), "position"_a = kZero, "orientation"_a = kUnitQuat,
          "Frames only: keeps this pose in `parent` from now on; None ends it.")
      .def("state", &save_body, "Pose, velocities, forces and sleep as bytes.")
      .def(
          "restore",
          [](const BodyHandle &h, nb::bytes b) {
            h.get();
            h.world->restore_body(h.slot, b.c_str(), b.size());
          },
          "state"_a)
      .def(
          "remove", [](const BodyHandle &h) { (h.get(), h.world->remove_body(h.slot)); },
          "With its geoms, joints, rays and drives. All their handles raise HandleError from then on.");
}

}  // namespace wb
