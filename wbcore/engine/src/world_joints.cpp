// Joints of a world: creation, positions, removal. The ODE joints behind them are in joint_rows.cpp.
#include <algorithm>

#include "joint_math.h"
#include "world.h"

namespace wb {
namespace {

// Two vectors perpendicular to the axis in the parent, and the first one as the child has it at position 0.
HingeMeasure hinge_measure(const Joint &joint) {
  const Vec3 &axis = joint.axes[0].direction, across = any_perpendicular(axis);
  return {across, cross(axis, across), unrotate(joint.rest.rotation, across)};
}

// Sets unit axes; a ball joint gets an orthogonal triple from its first and third axis.
void set_axes(Joint &joint, const JointSpec &spec) {
  const int n = joint.axis_count();
  for (int i = 0; i < n; ++i)
    if (joint.kind != JointKind::ball || i != 1)
      joint.axes[i].direction = require_direction("axis", spec.axes[i]);
  if (n < 2) return;
  // Parallel axes would leave the angles undefined.
  const Vec3 &first = joint.axes[0].direction;
  Vec3 &last = joint.axes[n - 1].direction;
  const double sine = norm(cross(first, last));
  require(sine > 1e-3, "sine of the angle between the axes", "above 0.001 (the axes must not be parallel)",
          sine);
  if (n < 3) return;
  // Gram-Schmidt: the third axis perpendicular to the first, the second perpendicular to both.
  last = normalized(last - first * dot(first, last));
  joint.axes[1].direction = cross(last, first);
}

}  // namespace

void World::check_joint(const JointSpec &spec) const {
  require_finite("anchor", spec.anchor);
  require_finite("position", spec.positions);
  require_not_negative("suspension spring constant", spec.suspension.spring);
  require_not_negative("suspension damping constant", spec.suspension.damper);
  require(spec.stop_erp == -1 || (spec.stop_erp >= 0 && spec.stop_erp <= 1), "stop ERP", "-1 or in 0 to 1",
          spec.stop_erp);
  require(spec.stop_cfm == -1 || spec.stop_cfm >= 0, "stop CFM", "-1 or not negative", spec.stop_cfm);
  const bool frame = bodies[spec.child].kind == BodyKind::frame;
  if (spec.kinematic && !frame) throw std::invalid_argument("the child of a kinematic joint must be a frame");
  if (!spec.kinematic && frame) throw std::invalid_argument("the child of a joint must be a body with mass");
  if (spec.parent == spec.child) throw std::invalid_argument("a joint cannot connect a body to itself");
  const bool suspendable = spec.kind == JointKind::hinge || spec.kind == JointKind::hinge2;
  if (spec.suspension.active() && (!suspendable || spec.kinematic))
    throw std::invalid_argument("only hinge and hinge2 joints with physics have a suspension");
}

uint32_t World::add_joint(const JointSpec &spec) {
  check_change();
  check_joint(spec);
  Joint joint;
  joint.kind = spec.kind;
  joint.kinematic = spec.kinematic;
  joint.parent = spec.parent;
  joint.child = spec.child;
  joint.anchor_in_parent = spec.anchor;
  joint.suspension = spec.suspension;
  if (spec.suspension.active())
    joint.suspension.axis = require_direction("suspension axis", spec.suspension.axis);
  joint.stop_erp = spec.stop_erp;
  joint.stop_cfm = spec.stop_cfm;
  set_axes(joint, spec);
  for (int i = 0; i < joint.axis_count(); ++i) joint.axes[i].position = spec.positions[i];
  const Pose parent = parent_pose(joint), child = body_pose(spec.child);
  joint.rest = inverse(joint_motion(joint, spec.positions)) * (inverse(parent) * child);
  joint.anchor_in_child = local_point(child, parent * spec.anchor);
  if (joint.kind == JointKind::hinge) joint.measure = hinge_measure(joint);
  if (spec.kinematic) follow(spec.child, spec.parent, inverse(parent) * child);
  joint.row = take_rows(joint.axis_count());
  const uint32_t slot = joints.add(joint);
  Joint &j = joints[slot];
  bodies[spec.child].joints.push_back(slot);
  if (spec.parent != kNone) bodies[spec.parent].joints.push_back(slot);
  if (!spec.kinematic) build_joint(j);
  configure_joint(slot);
  wake_joint(slot);
  store_positions(j);
  rules_changed();
  return slot;
}

void World::remove_joint(uint32_t slot) {
  check_change();
  Joint &j = joints[slot];
  wake_joint(slot);
  destroy_ode_joints(j);
  std::erase(bodies[j.child].joints, slot);
  if (j.parent != kNone) std::erase(bodies[j.parent].joints, slot);
  if (j.axis_count() > 0) free_rows_[j.axis_count()].push_back(j.row);
  joints.remove(slot);
  rules_changed();
}

uint32_t World::take_rows(int count) {
  if (count == 0) return kNone;
  auto &free = free_rows_[count];
  if (!free.empty()) {
    const uint32_t row = free.back();
    free.pop_back();
    return row;
  }
  if (joint_rows + count > settings_.capacity) throw EngineError("no room for another joint in this world");
  joint_rows += count;
  return joint_rows - count;
}

Pose World::parent_pose(const Joint &joint) const {
  return joint.parent == kNone ? Pose{} : body_pose(joint.parent);
}

Pose World::joint_frame(const Joint &joint) const {
  const double positions[3] = {joint.axes[0].position, joint.axes[1].position, joint.axes[2].position};
  // Parent in the world, motion of the axes, child at position 0.
  return parent_pose(joint) * joint_motion(joint, positions) * joint.rest;
}

// Sets the pose at position 0 so that the child has this pose in the parent at the current positions.
void World::rest_at(Joint &j, const Pose &in_parent) const {
  const double positions[3] = {j.axes[0].position, j.axes[1].position, j.axes[2].position};
  j.rest = inverse(joint_motion(j, positions)) * in_parent;
}

void World::set_joint_enabled(uint32_t slot, bool enabled) {
  Joint &j = joints[slot];
  j.enabled = enabled;
  for (dJointID ode : {j.main, j.rods[0], j.rods[1], j.rods[2], j.control, j.springs}) {
    if (!ode) continue;
    if (enabled)
      dJointEnable(ode);
    else
      dJointDisable(ode);
  }
  wake_joint(slot);
}

void World::set_joint_feedback(uint32_t slot, bool on) {
  Joint &j = joints[slot];
  j.feedback_on = on;
  j.feedback = {};
  if (j.main) dJointSetFeedback(j.main, on ? &j.feedback.main : nullptr);
  for (int i = 0; i < 3; ++i)
    if (j.rods[i]) dJointSetFeedback(j.rods[i], on ? &j.feedback.rods[i] : nullptr);
  if (j.control) dJointSetFeedback(j.control, on ? &j.feedback.control : nullptr);
}

void World::wake_joint(uint32_t slot) {
  const Joint &j = joints[slot];
  if (j.kinematic) return;
  set_awake(j.child, true);
  if (j.parent != kNone) set_awake(j.parent, true);
}

void World::resync_joint(uint32_t slot, const double *positions) {
  Joint &j = joints[slot];
  for (int i = 0; i < j.axis_count(); ++i) {
    require_finite("position", positions[i]);
    j.axes[i].position = positions[i];
    j.axes[i].velocity = 0;
  }
  store_positions(j);
  if (!j.kinematic) return;
  place_kinematic_child(j);
  place_frame(j.child);
}

void World::store_positions(const Joint &j) {
  for (int i = 0; i < j.axis_count(); ++i) {
    *columns.joint_positions.row(j.row + i) = j.axes[i].position;
    *columns.joint_velocities.row(j.row + i) = j.axes[i].velocity;
  }
}

// Spin of the child relative to the parent, in the parent's frame.
Vec3 World::relative_spin(const Joint &j) const {
  Vec3 w = vec(dBodyGetAngularVel(bodies[j.child].ode));
  if (stands(j.parent)) return unrotate(parent_pose(j).rotation, w);
  return unrotate(parent_pose(j).rotation, w - vec(dBodyGetAngularVel(bodies[j.parent].ode)));
}

void World::measure_joint(Joint &j) {
  if (!bodies[j.child].stepped && (j.parent == kNone || !bodies[j.parent].stepped)) return;
  JointAxis &axis = j.axes[0];
  if (j.kind == JointKind::slider) {
    axis.velocity = dJointGetSliderPositionRate(j.main);
    axis.position = dJointGetSliderPosition(j.main) + axis.offset;
  } else if (j.kind == JointKind::hinge && j.main) {
    measure_hinge(j);
  } else if (j.kind != JointKind::fixed) {
    measure_by_poses(j);
  }
  store_positions(j);
}

// Most joints are hinges, so this reads ODE's own numbers: rate about the axis and angle from position 0.
void World::measure_hinge(Joint &j) {
  const Body &child = bodies[j.child];
  // The direction that turns with the child and the relative spin, both in the parent's frame.
  Vec3 turning = turned(child.rotation, j.measure.turning), spin = vec(child.spin);
  if (!stands(j.parent)) {
    const Body &parent = bodies[j.parent];
    turning = turned_back(parent.rotation, turning);
    spin = turned_back(parent.rotation, spin - vec(parent.spin));
  } else if (j.parent != kNone) {
    const Mat3 &frame = bodies[j.parent].pose.rotation;
    turning = unrotate(frame, turning);
    spin = unrotate(frame, spin);
  }
  // The angle is measured within one turn; the rate says which turn it is in.
  JointAxis &axis = j.axes[0];
  axis.velocity = dot(axis.direction, spin);
  const double angle = std::atan2(dot(j.measure.third, turning), dot(j.measure.across, turning));
  axis.position = unwrapped(angle, axis.position + axis.velocity * settings_.dt);
}

void World::measure_by_poses(Joint &j) {
  const Mat3 turn = (inverse(parent_pose(j)) * body_pose(j.child)).rotation * transposed(j.rest.rotation);
  // Euler angles of the relative rotation, and the rates as components of the spin along the axes.
  const Vec3 angles = joint_angles(j, turn);
  const auto directions =
      j.kind == JointKind::hinge2 ? hinge2_directions(j, turn) : joint_directions(j, angles);
  const Vec3 rates = joint_rates(j, directions, relative_spin(j));
  for (int i = 0; i < j.axis_count(); ++i) {
    JointAxis &axis = j.axes[i];
    axis.velocity = rates[i];
    axis.position = unwrapped(angles[i], axis.position + rates[i] * settings_.dt);
  }
}

Vec3 World::axis_in_world(const Joint &j, int i) const {
  const Vec3 positions{j.axes[0].position, j.axes[1].position, j.axes[2].position};
  return parent_pose(j).rotation * joint_directions(j, positions)[i];
}

void World::add_joint_force(uint32_t slot, int i, double force) {
  const Joint &j = joints[slot];
  if (j.kinematic) throw std::invalid_argument("forces cannot act on a kinematic joint");
  require_finite("force", force);
  if (j.kind == JointKind::slider) {
    dJointAddSliderForce(j.main, force);
    return;
  }
  const Vec3 t = axis_in_world(j, i) * force;
  dBodyAddTorque(bodies[j.child].ode, t[0], t[1], t[2]);
  if (!stands(j.parent)) dBodyAddTorque(bodies[j.parent].ode, -t[0], -t[1], -t[2]);
}

// Force of motor and stops about the axis in the last step. For a hinge, the torque of all constraints about
// the anchor has only this component along the axis.
double World::motor_feedback(uint32_t slot, int i) const {
  const Joint &j = joints[slot];
  if (!j.feedback_on || j.kinematic) return 0;
  if (j.kind == JointKind::slider) return dot(vec(j.feedback.main.f1), axis_in_world(j, 0));
  if (j.control) return dot(vec(j.feedback.control.t1), axis_in_world(j, i));
  if (j.kind != JointKind::hinge) return 0;
  // ODE reports the torque about the center of mass; f x arm moves it to the anchor.
  const Vec3 arm = body_pose(j.child) * j.anchor_in_child - vec(dBodyGetPosition(bodies[j.child].ode));
  return dot(vec(j.feedback.main.t1) + cross(vec(j.feedback.main.f1), arm), axis_in_world(j, 0));
}

}  // namespace wb
