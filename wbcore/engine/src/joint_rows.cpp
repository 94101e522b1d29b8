// The ODE joints behind a joint: building them, and setting motors, stops, locks and springs before each
// step.
#include "joint_rows.h"

#include <algorithm>
#include <numbers>

#include "joint_math.h"
#include "world.h"

namespace wb {

void set_row_param(const Joint &j, int axis, int parameter, double value) {
  if (j.kind == JointKind::slider)
    dJointSetSliderParam(j.main, parameter, value);
  else if (j.control)
    dJointSetAMotorParam(j.control, parameter + dParamGroup * (j.first_control_row + axis), value);
  else if (j.kind == JointKind::hinge)
    dJointSetHingeParam(j.main, parameter, value);
}

namespace {

// Length of the rods of a suspension. Longer rods guide the anchor straighter: at a travel of 10 cm the
// deviation is travel^2 / (2 length) = 0.5 micrometers.
constexpr double kRod = 1e4;

void set_row_axis(dJointID motor, int row, int relative_to, const Vec3 &axis) {
  dJointSetAMotorAxis(motor, row, relative_to, axis[0], axis[1], axis[2]);
}

// Rows for a brake exist from the start: rows created later would be at another place in ODE's equations and
// change the last bits of the result.
bool needs_spring(const JointAxis &axis) { return axis.has_brake || has_spring(axis); }
bool needs_row(const JointAxis &axis) { return axis.motorized || axis.friction > 0 || has_stops(axis); }

template <class Test>
bool any_axis(const Joint &j, Test test) {
  return std::any_of(j.axes, j.axes + j.axis_count(), test);
}

dJointID new_motor(dWorldID world, int rows) {
  const dJointID motor = dJointCreateAMotor(world, nullptr);
  dJointSetAMotorMode(motor, dAMotorUser);
  dJointSetAMotorNumAxes(motor, rows);
  return motor;
}

// Directions perpendicular to the hinge axis that a suspended hinge must lock.
std::array<Vec3, 2> locked_directions(const Vec3 &axis) {
  const Vec3 p = any_perpendicular(axis);
  return {p, cross(axis, p)};
}

double spring_rate(const JointAxis &axis, double dt) { return dt * axis.spring + axis.damper + axis.brake; }

}  // namespace

void World::attach(dJointID ode, const Joint &j) {
  dJointAttach(ode, bodies[j.child].ode, stands(j.parent) ? nullptr : bodies[j.parent].ode);
}

void World::build_joint(Joint &j) {
  const bool suspended = j.suspension.active();
  switch (j.kind) {
    case JointKind::fixed: j.main = dJointCreateFixed(ode_, nullptr); break;
    case JointKind::slider: j.main = dJointCreateSlider(ode_, nullptr); break;
    case JointKind::hinge: j.main = suspended ? nullptr : dJointCreateHinge(ode_, nullptr); break;
    default: j.main = suspended ? nullptr : dJointCreateBall(ode_, nullptr);
  }
  if (j.main) attach(j.main, j);
  if (suspended)
    for (dJointID &rod : j.rods) attach(rod = dJointCreateDBall(ode_, nullptr), j);
  if (j.kind == JointKind::hinge2) j.first_control_row = 1;
  if (j.kind == JointKind::hinge && suspended) j.first_control_row = 2;
  if (j.first_control_row > 0) attach(j.control = new_motor(ode_, 3), j);
  align_joint(j);
}

// Sets anchors and axes from the current poses, which match the current positions.
void World::align_joint(Joint &j) {
  if (j.kinematic) return;
  const Pose parent = parent_pose(j);
  const Vec3 anchor = parent * j.anchor_in_parent;
  if (j.main) align_main(j, anchor, parent.rotation);
  if (j.rods[0]) {
    // Three rods to far points hold the anchor, one per direction. ODE's double ball joint keeps
    // the distance; the one along the suspension axis is made soft (configure_suspension).
    const Vec3 s = j.suspension.axis, across = any_perpendicular(s), third = cross(s, across);
    const Vec3 directions[3] = {parent.rotation * s, parent.rotation * across, parent.rotation * third};
    for (int i = 0; i < 3; ++i) {
      const Vec3 far = anchor - directions[i] * kRod;
      dJointSetDBallAnchor1(j.rods[i], anchor[0], anchor[1], anchor[2]);
      dJointSetDBallAnchor2(j.rods[i], far[0], far[1], far[2]);
      dJointSetDBallDistance(j.rods[i], kRod);
    }
  }
  if (j.kind == JointKind::hinge2) {
    // Rows of a hinge2: 0 locks the angle between the axes, 1 is fixed in the parent, 2 in the child.
    set_row_axis(j.control, 1, 2, axis_in_world(j, 0));
    set_row_axis(j.control, 2, 1, axis_in_world(j, 1));
    j.lock_angle = std::acos(std::clamp(dot(j.axes[0].direction, j.axes[1].direction), -1.0, 1.0));
  } else if (j.kind == JointKind::hinge && j.control) {
    const auto locked = locked_directions(j.axes[0].direction);
    for (int i = 0; i < 2; ++i) set_row_axis(j.control, i, 2, parent.rotation * locked[i]);
    set_row_axis(j.control, 2, 2, axis_in_world(j, 0));
  }
  if (!j.springs) return;
  if (j.kind == JointKind::slider) {
    const Vec3 a = axis_in_world(j, 0);
    dJointSetLMotorAxis(j.springs, 0, 2, a[0], a[1], a[2]);
  } else if (j.kind != JointKind::ball) {
    for (int i = 0; i < j.axis_count(); ++i) set_row_axis(j.springs, i, i == 0 ? 2 : 1, axis_in_world(j, i));
  }
}

void World::align_main(Joint &j, const Vec3 &anchor, const Mat3 &parent_axes) {
  const Vec3 axis = parent_axes * j.axes[0].direction;
  switch (j.kind) {
    case JointKind::fixed: dJointSetFixed(j.main); break;
    case JointKind::hinge:
      dJointSetHingeAnchor(j.main, anchor[0], anchor[1], anchor[2]);
      dJointSetHingeAxis(j.main, axis[0], axis[1], axis[2]);
      j.axes[0].offset = j.axes[0].position;
      break;
    case JointKind::slider:
      dJointSetSliderAxis(j.main, axis[0], axis[1], axis[2]);
      j.axes[0].offset = j.axes[0].position - dJointGetSliderPosition(j.main);
      break;
    default: dJointSetBallAnchor(j.main, anchor[0], anchor[1], anchor[2]);
  }
}

void World::destroy_ode_joints(Joint &j) {
  for (dJointID *ode : {&j.main, &j.rods[0], &j.rods[1], &j.rods[2], &j.control, &j.springs}) {
    if (*ode) dJointDestroy(*ode);
    *ode = nullptr;
  }
}

void World::configure_joint(uint32_t slot) {
  Joint &j = joints[slot];
  if (j.kinematic) {
    j.driven = any_axis(j, [](const JointAxis &a) { return a.motorized; });
    return;
  }
  if (j.kind == JointKind::ball && !j.control && any_axis(j, needs_row)) {
    attach(j.control = new_motor(ode_, 3), j);
    if (j.feedback_on) set_joint_feedback(slot, true);
  }
  configure_control(j);
  configure_suspension(j);
  configure_springs(j);
  const bool positions_matter = j.control || j.springs || any_axis(j, has_stops);
  j.driven = positions_matter || any_axis(j, [](const JointAxis &a) { return a.motorized; });
  j.rows = constraint_rows(j);
}

void World::configure_control(Joint &j) {
  const double erp = j.stop_erp < 0 ? settings_.erp : j.stop_erp;
  const double cfm = j.stop_cfm < 0 ? settings_.cfm : j.stop_cfm;
  for (int i = 0; i < j.axis_count(); ++i) {
    JointAxis &axis = j.axes[i];
    set_row_param(j, i, dParamLoStop, -dInfinity);
    set_row_param(j, i, dParamHiStop, dInfinity);
    if (has_stops(axis)) set_stops(j, i, 0);
    set_row_param(j, i, dParamStopERP, erp);
    set_row_param(j, i, dParamStopCFM, cfm);
    set_row_param(j, i, dParamCFM, settings_.cfm);
    set_row_param(j, i, dParamVel, 0);
    set_row_param(j, i, dParamFMax, axis.limit = axis.friction);
  }
  // Locks are rows whose stops are both 0, with the world's ERP and CFM.
  for (int row = 0; row < j.first_control_row; ++row)
    for (auto [parameter, value] : {std::pair{int(dParamLoStop), 0.0},
                                    {dParamHiStop, 0.0},
                                    {dParamStopERP, settings_.erp},
                                    {dParamStopCFM, settings_.cfm}})
      dJointSetAMotorParam(j.control, parameter + dParamGroup * row, value);
}

// A spring k with damper c, integrated implicitly over a step h, is ERP hk/(hk+c) with CFM 1/(hk+c).
void World::configure_suspension(Joint &j) {
  if (!j.rods[0]) return;
  const double hk = settings_.dt * j.suspension.spring, rate = hk + j.suspension.damper;
  for (int i = 0; i < 3; ++i) {
    dJointSetDBallParam(j.rods[i], dParamERP, i == 0 ? hk / rate : settings_.erp);
    dJointSetDBallParam(j.rods[i], dParamCFM, i == 0 ? 1 / rate : settings_.cfm);
  }
}

void World::configure_springs(Joint &j) {
  if (!any_axis(j, needs_spring)) {
    if (j.springs) dJointDestroy(j.springs);
    j.springs = nullptr;
    return;
  }
  const bool linear = j.kind == JointKind::slider;
  if (!j.springs) {
    j.springs = linear ? dJointCreateLMotor(ode_, nullptr) : new_motor(ode_, j.axis_count());
    if (linear) dJointSetLMotorNumAxes(j.springs, 1);
    attach(j.springs, j);
    if (linear) {
      const Vec3 a = axis_in_world(j, 0);
      dJointSetLMotorAxis(j.springs, 0, 2, a[0], a[1], a[2]);
    } else {
      for (int i = 0; i < j.axis_count(); ++i)
        set_row_axis(j.springs, i, j.kind == JointKind::ball ? 0 : (i == 0 ? 2 : 1), axis_in_world(j, i));
    }
  }
  // A motor row of unlimited force with CFM 1/(h k + c) acts as a damper; spring_rows adds the spring as its
  // velocity (ODE manual, chapter ERP and CFM).
  const auto set = linear ? dJointSetLMotorParam : dJointSetAMotorParam;
  for (int i = 0; i < j.axis_count(); ++i) {
    const bool on = has_spring(j.axes[i]);
    set(j.springs, dParamFMax + dParamGroup * i, on ? dInfinity : 0);
    if (on) set(j.springs, dParamCFM + dParamGroup * i, 1 / spring_rate(j.axes[i], settings_.dt));
  }
}

// Runs before each step.
void World::control_joint(Joint &j) {
  if (j.kinematic) {
    move_kinematic(j);
    return;
  }
  for (int i = 0; i < j.axis_count(); ++i)
    if (j.axes[i].motorized) drive_axis(j, i);
  if (j.control) control_rows(j);
  if (j.springs) spring_rows(j);
  if (j.kind == JointKind::hinge && j.main) turn_stops(j);
}

// Without physics, the motor sets the position, and the position sets the pose of the child.
void World::move_kinematic(Joint &j) {
  for (int i = 0; i < j.axis_count(); ++i) {
    JointAxis &axis = j.axes[i];
    if (!axis.motorized) continue;
    const double before = axis.position;
    axis.position = axis.motor.move(before, settings_.dt);
    axis.velocity = (axis.position - before) / settings_.dt;
  }
  place_kinematic_child(j);
  store_positions(j);
}

void World::place_kinematic_child(Joint &j) {
  Body &child = bodies[j.child];
  const Pose next = joint_frame(j);
  child.in_parent = inverse(parent_pose(j)) * next;
  if (j.parent != kNone || (next.position == child.pose.position && next.rotation == child.pose.rotation))
    return;
  place(child, next);
  refresh_row(j.child);
}

void World::drive_axis(Joint &j, int i) {
  JointAxis &axis = j.axes[i];
  Motor &motor = axis.motor;
  // ODE's motor reaches the velocity with at most the force FMax; without a motor's force, friction brakes.
  const double velocity = motor.velocity_for(axis.position, settings_.dt);
  const bool by_force = motor.force_mode != 0;
  const double limit = by_force ? axis.friction : std::max(axis.friction, motor.available_force);
  if (limit != axis.limit) {
    set_row_param(j, i, dParamFMax, axis.limit = limit);
    axis.at_stop = AtStop::held;  // the motor may be strong enough now
  }
  set_row_param(j, i, dParamVel, has_stops(axis) ? velocity_at_stops(j, i, velocity) : velocity);
  if (!by_force) return;
  // Force control: the motor's force acts on the child, and its reaction on the parent.
  const double force = motor.applied_force();
  if (j.kind == JointKind::slider) {
    dJointAddSliderForce(j.main, force);
    return;
  }
  const Vec3 t = axis_in_world(j, i) * force;
  dBodyAddTorque(bodies[j.child].ode, t[0], t[1], t[2]);
  if (!stands(j.parent)) dBodyAddTorque(bodies[j.parent].ode, -t[0], -t[1], -t[2]);
}

// ODE tests a hinge's stops against an angle in (-pi, pi]. Beyond that, the stops are shifted by whole turns,
// which keeps the distance to them.
void World::turn_stops(Joint &j) {
  const JointAxis &axis = j.axes[0];
  if (!has_stops(axis)) return;
  const double measure = axis.position - axis.offset;
  const double turns = 2 * std::numbers::pi * std::round(measure / (2 * std::numbers::pi));
  set_stops(j, 0, turns);
}

// Sets the errors of the locks and the angles of the stops of the angular rows, and their current directions.
void World::control_rows(Joint &j) {
  for (int i = 0; i < j.axis_count(); ++i)
    dJointSetAMotorAngle(j.control, j.first_control_row + i, j.axes[i].position);
  const Pose parent = parent_pose(j);
  const Vec3 positions{j.axes[0].position, j.axes[1].position, j.axes[2].position};
  if (j.kind == JointKind::hinge) {
    // The sine of the error of the axis: its cross product with the wanted direction, per locked row.
    const Vec3 wanted = j.axes[0].direction;
    const Mat3 turn = (inverse(parent) * body_pose(j.child)).rotation * transposed(j.rest.rotation);
    const Vec3 off = cross(wanted, turn * wanted);
    const auto locked = locked_directions(wanted);
    for (int i = 0; i < 2; ++i) dJointSetAMotorAngle(j.control, i, dot(off, locked[i]));
  } else if (j.kind == JointKind::hinge2) {
    const Mat3 turn = (inverse(parent) * body_pose(j.child)).rotation * transposed(j.rest.rotation);
    const auto directions = hinge2_directions(j, turn);
    const auto &[first, second, across] = directions;
    // The angle between the axes has to stay what it was at creation.
    const double angle = std::atan2(norm(across), dot(first, second));
    set_row_axis(j.control, 0, 0, parent.rotation * across);
    dJointSetAMotorAngle(j.control, 0, angle - j.lock_angle);
    // The lock allows the axes to lean a little while a wheel turns fast. Rows along the axes themselves
    // would attribute a part of the wheel's rate to the steering.
    const auto rows = reciprocal(directions);
    for (int i = 0; i < 2; ++i) set_row_axis(j.control, 1 + i, 0, parent.rotation * rows[i]);
  } else {
    // The reciprocal basis separates the rates of axes that are not perpendicular.
    const auto rows = reciprocal(joint_directions(j, positions));
    for (int i = 0; i < 3; ++i) set_row_axis(j.control, i, 0, parent.rotation * rows[i]);
  }
}

void World::spring_rows(Joint &j) {
  const bool linear = j.kind == JointKind::slider;
  const auto set = linear ? dJointSetLMotorParam : dJointSetAMotorParam;
  if (j.kind == JointKind::ball) {
    const Vec3 positions{j.axes[0].position, j.axes[1].position, j.axes[2].position};
    const auto rows = reciprocal(joint_directions(j, positions));
    const Mat3 r = parent_pose(j).rotation;
    for (int i = 0; i < 3; ++i) set_row_axis(j.springs, i, 0, r * rows[i]);
  }
  // Target velocity -k x / (h k + c): with the CFM of configure_springs, an implicit spring and damper.
  for (int i = 0; i < j.axis_count(); ++i) {
    const JointAxis &axis = j.axes[i];
    if (has_spring(axis))
      set(j.springs, dParamVel + dParamGroup * i,
          -axis.spring * axis.position / spring_rate(axis, settings_.dt));
  }
}

// An upper bound of ODE's constraint rows, for choosing the solver.
uint32_t World::constraint_rows(const Joint &j) const {
  // 6 minus the degrees of freedom; limits, motors and springs add one row per axis.
  uint32_t rows = j.kind == JointKind::fixed    ? 6
                  : j.kind == JointKind::hinge2 ? 4
                  : j.kind == JointKind::ball   ? 3
                                                : 5;
  for (int i = 0; i < j.axis_count(); ++i) rows += needs_row(j.axes[i]) + has_spring(j.axes[i]);
  return rows;
}

}  // namespace wb
