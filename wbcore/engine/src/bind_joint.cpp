// Bindings of joints and their axes.
#include "bind.h"

namespace wb {
namespace {

using namespace nb::literals;

constexpr const char *kKinds[] = {"fixed", "hinge", "hinge2", "slider", "ball"};

template <auto Member>
void bind_constant(nb::class_<AxisHandle> &c, const char *name, const char *doc) {
  c.def_prop_rw(
      name, [](const AxisHandle &h) { return h.get().*Member; },
      [name](const AxisHandle &h, double v) {
        require_not_negative(name, v);
        h.get().*Member = v;
        h.joint.world->configure_joint(h.joint.slot);
        h.joint.world->wake_joint(h.joint.slot);
      },
      doc);
}

void set_stops(const AxisHandle &h, double low, double high) {
  require(!std::isnan(low), "min stop", "a number", low);
  require(!std::isnan(high), "max stop", "a number", high);
  require(low <= high, "min stop", "not above max stop", low);
  h.get().min_stop = low;
  h.get().max_stop = high;
  h.joint.world->configure_joint(h.joint.slot);
  h.joint.world->wake_joint(h.joint.slot);
}

MotorHandle add_motor(const AxisHandle &h, double max_velocity, double max_force) {
  JointAxis &axis = h.get();
  if (h.joint.get().kind == JointKind::fixed) throw std::invalid_argument("a fixed joint takes no motor");
  require_not_negative("max velocity", max_velocity);
  require_not_negative("max force", max_force);
  axis.motor = Motor{};
  axis.motor.max_velocity = max_velocity;
  axis.motor.max_force = max_force;
  axis.motor.reset(axis.position);
  axis.motorized = true;
  h.joint.world->configure_joint(h.joint.slot);
  return MotorHandle(h.joint, h.index);
}

void remove_motor(const AxisHandle &h) {
  h.get().motorized = false;
  h.joint.world->configure_joint(h.joint.slot);
  h.joint.world->wake_joint(h.joint.slot);
}

std::optional<MotorHandle> motor_of(const AxisHandle &h) {
  if (!h.get().motorized) return std::nullopt;
  return MotorHandle(h.joint, h.index);
}

std::vector<AxisHandle> axes_of(const JointHandle &h) {
  std::vector<AxisHandle> axes;
  for (int i = 0; i < h.get().axis_count(); ++i) axes.push_back({h, i});
  return axes;
}

std::optional<BodyHandle> body_of(const JointHandle &h, uint32_t slot) {
  if (slot == kNone) return std::nullopt;
  return BodyHandle(h.world, slot);
}

void set_positions(const JointHandle &h, const std::vector<double> &values) {
  const size_t n = h.get().axis_count();
  require(values.size() == n, "number of positions", "that of the axes", static_cast<double>(values.size()));
  double positions[3] = {0, 0, 0};
  std::copy(values.begin(), values.end(), positions);
  h.world->resync_joint(h.slot, positions);
}

}  // namespace

void bind_joint(nb::module_ &m) {
  nb::class_<AxisHandle> a(m, "JointAxis", "One axis of a joint; angles in rad, lengths in m.");
  a.def_prop_ro(
       "row", [](const AxisHandle &h) { return h.joint.get().row + h.index; },
       "Row in the arrays of joint positions and velocities.")
      .def_prop_ro(
          "position", [](const AxisHandle &h) { return h.get().position; }, "Turns are counted.")
      .def_prop_ro("velocity", [](const AxisHandle &h) { return h.get().velocity; })
      .def_prop_ro(
          "direction", [](const AxisHandle &h) { return h.get().direction; },
          "Unit vector in the parent's frame at position 0.")
      .def_prop_ro("stops",
                   [](const AxisHandle &h) { return std::make_tuple(h.get().min_stop, h.get().max_stop); })
      .def("set_stops", &set_stops, "low"_a, "high"_a, "Mechanical limits; equal values: none.")
      .def("add_motor", &add_motor, "max_velocity"_a = 10.0, "max_force"_a = 10.0,
           "Add a motor, at rest at the current position.")
      .def("remove_motor", &remove_motor)
      .def_prop_ro("motor", &motor_of, "The motor or None.")
      .def(
          "add_force",
          [](const AxisHandle &h, double f) {
            h.get();
            h.joint.world->wake_joint(h.joint.slot);
            h.joint.world->add_joint_force(h.joint.slot, h.index, f);
          },
          "force"_a, "Force or torque along the axis for the next step.");
  bind_constant<&JointAxis::spring>(a, "spring_constant", "N/m or N m/rad, towards position 0");
  bind_constant<&JointAxis::damper>(a, "damping_constant", "N s/m or N m s/rad");
  bind_constant<&JointAxis::brake>(a, "brake", "Damping constant of a brake; adds to damping_constant.");
  a.def_prop_rw(
      "has_brake", [](const AxisHandle &h) { return h.get().has_brake; },
      [](const AxisHandle &h, bool on) {
        h.get().has_brake = on;
        h.joint.world->configure_joint(h.joint.slot);
      },
      "True if `brake` may be set while the world runs.");
  bind_constant<&JointAxis::friction>(a, "static_friction", "Greatest friction force or torque.");

  auto c = bind_handle<JointHandle>(m, "Joint", "A joint between a child body and its parent, or the world.");
  c.def_prop_ro("kind", [](const JointHandle &h) { return kKinds[static_cast<int>(h.get().kind)]; })
      .def_prop_ro(
          "kinematic", [](const JointHandle &h) { return h.get().kinematic; },
          "True if the child is a frame, which is placed by the positions.")
      .def_prop_ro("child", [](const JointHandle &h) { return body_of(h, h.get().child); })
      .def_prop_ro("parent", [](const JointHandle &h) { return body_of(h, h.get().parent); })
      .def_prop_ro("axes", &axes_of)
      .def("__getitem__",
           [](const JointHandle &h, int i) {
             if (i < 0 || i >= h.get().axis_count()) throw nb::index_error("this joint has no such axis");
             return AxisHandle{h, i};
           })
      .def_prop_rw(
          "positions",
          [](const JointHandle &h) {
            const Joint &j = h.get();
            std::vector<double> values;
            for (int i = 0; i < j.axis_count(); ++i) values.push_back(j.axes[i].position);
            return values;
          },
          &set_positions,
          "Setting moves the child of a kinematic joint. With physics move the bodies first (child_pose says "
          "where "
          "to), then set the positions: turns are counted from there.")
      .def(
          "child_pose",
          [](const JointHandle &h) {
            const Pose p = h.world->joint_frame(h.get());
            return std::make_tuple(p.position, to_quat(p.rotation));
          },
          "Pose of the child for the current positions: position and orientation.")
      .def_prop_rw(
          "enabled", [](const JointHandle &h) { return h.get().enabled; },
          [](const JointHandle &h, bool on) { (h.get(), h.world->set_joint_enabled(h.slot, on)); })
      .def_prop_rw(
          "feedback", [](const JointHandle &h) { return h.get().feedback_on; },
          [](const JointHandle &h, bool on) { (h.get(), h.world->set_joint_feedback(h.slot, on)); },
          "Whether its forces are measured.")
      .def_prop_ro(
          "force_on_child", [](const JointHandle &h) { return h.get().feedback.sum(&dJointFeedback::f1); },
          "N, world, last step; without springs and force control")
      .def_prop_ro(
          "torque_on_child", [](const JointHandle &h) { return h.get().feedback.sum(&dJointFeedback::t1); },
          "N m, world, about the child's center of mass")
      .def_prop_ro("force_on_parent",
                   [](const JointHandle &h) { return h.get().feedback.sum(&dJointFeedback::f2); })
      .def_prop_ro("torque_on_parent",
                   [](const JointHandle &h) { return h.get().feedback.sum(&dJointFeedback::t2); })
      .def("remove", [](const JointHandle &h) { (h.get(), h.world->remove_joint(h.slot)); });
}

}  // namespace wb
