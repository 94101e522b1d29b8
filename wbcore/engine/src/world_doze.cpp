// How bodies fall asleep. Bodies that joints and contacts connect do so together: an island sleeps if all of
// its bodies have been slow for long enough, and nothing in it is driven. A body that a motor, a spring or a
// fluid moves more slowly than the thresholds is not at rest.
#include <algorithm>

#include "joint_rows.h"
#include "world.h"

namespace wb {
namespace {

// Slower motion (m/s, rad/s) is taken for rounding or for the compliance of constraints.
constexpr double kStill = 1e-6;
// Steps between two looks at islands in which some bodies are ready to sleep and others are not.
constexpr uint64_t kLookEvery = 8;

double square(const dReal *v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

bool moves(const Body &b) { return std::max(square(b.velocity), square(b.spin)) > kStill * kStill; }

// A motor that holds a load at rest has a small command, too, because joints are compliant; the joint of a
// motor that drives follows the command.
bool follows(const JointAxis &axis, const Motor &motor) {
  const double speed = std::fabs(axis.velocity), wanted = std::fabs(motor.current_velocity);
  return axis.velocity * motor.current_velocity > 0 && speed > std::max(kStill, 0.01 * wanted);
}

// Whether the command will change although the joint does not move.
bool builds_up(const JointAxis &axis, const Motor &motor) {
  const double error = std::fabs(motor.target_position - axis.position);
  if (motor.i > 0 && error > kStill) return true;
  const double wanted = std::min(motor.p * error, std::fabs(motor.target_velocity));
  return motor.acceleration > 0 && wanted > 1.01 * std::fabs(motor.current_velocity) + kStill;
}

bool is_driven(const JointAxis &axis) {
  const Motor &motor = axis.motor;
  if (motor.force_mode != 0) return motor.applied_force() != 0;
  if (motor.available_force == 0) return false;
  if (std::isinf(motor.target_position)) return motor.target_velocity != 0 || motor.current_velocity != 0;
  return follows(axis, motor) || builds_up(axis, motor);
}

}  // namespace

// Counts down, and puts to sleep before the constraints are solved, as ODE does.
void World::doze() {
  if (!dozing_) return;
  bool look = false;
  for (uint32_t slot : awake_ones().bodies) {
    Body &b = bodies[slot];
    if (!b.auto_disable || !b.awake() || dBodyGetNumJoints(b.ode) == 0) continue;
    const bool idle = square(b.velocity) <= b.linear_threshold * b.linear_threshold &&
                      square(b.spin) <= b.angular_threshold * b.angular_threshold;
    const bool was_due = b.idle_left <= 0 && b.idle_left != b.idle_time;
    // Every fast step restarts the countdown.
    b.idle_left = idle ? b.idle_left - settings_.dt : b.idle_time;
    look |= idle && b.idle_left <= 0 && (!was_due || steps % kLookEvery == 0);
  }
  if (look) put_to_sleep();
}

void World::put_to_sleep() {
  link_islands();
  restless_.assign(bodies.extent(), 0);
  const std::vector<uint32_t> candidates = awake_ones().bodies;
  for (uint32_t slot : candidates)
    if (!may_sleep(bodies[slot])) disturb(slot);
  disturb_driven();
  for (uint32_t slot : candidates) {
    Body &b = bodies[slot];
    if (!b.awake() || restless_[island_of(slot)]) continue;
    dBodyDisable(b.ode);
    ++awake_changes_;
    dBodySetLinearVel(b.ode, 0, 0, 0);
    dBodySetAngularVel(b.ode, 0, 0, 0);
    // Forces of this step would act in the one in which it wakes.
    dBodySetForce(b.ode, 0, 0, 0);
    dBodySetTorque(b.ode, 0, 0, 0);
    refresh_row(slot);
  }
}

bool World::may_sleep(const Body &b) const {
  if (!b.auto_disable || b.idle_left > 0 || dBodyGetNumJoints(b.ode) == 0) return false;
  return b.kind != BodyKind::kinematic || !moves(b);
}

// Joins the awake bodies that ODE would solve, and wake, together.
void World::link_islands() {
  island_.resize(bodies.extent());
  for (uint32_t slot : bodies.live()) island_[slot] = slot;
  for (uint32_t j : joints.live())
    if (!joints[j].kinematic && joints[j].enabled) link(joints[j].child, joints[j].parent);
  for (const Contact &c : contacts) link(c.body_a, c.body_b);
  if (sleepers_joined_)
    for (const Contact &c : kept_contacts) link(c.body_a, c.body_b);
}

uint32_t World::island_of(uint32_t body) {
  while (island_[body] != body) body = island_[body] = island_[island_[body]];
  return body;
}

void World::link(uint32_t a, uint32_t b) {
  if (active(a) && active(b)) island_[island_of(a)] = island_of(b);
}

void World::disturb(uint32_t body) {
  if (active(body)) restless_[island_of(body)] = 1;
}

void World::disturb_driven() {
  for (uint32_t j : joints.live()) {
    const Joint &joint = joints[j];
    if (joint.kinematic || !joint.enabled || !(is_driven(joint) || yields(joint))) continue;
    disturb(joint.child);
    disturb(joint.parent);
  }
  for (uint32_t p : propellers.live())
    if (propellers[p].motor.current_velocity != 0) disturb(propellers[p].body);
  for (const auto &[slot, geom] : immersed_)
    if (immersions.alive(slot) && moves(bodies[immersions[slot].body])) disturb(immersions[slot].body);
}

bool World::is_driven(const Joint &j) const {
  return std::any_of(j.axes, j.axes + j.axis_count(),
                     [](const JointAxis &axis) { return axis.motorized && wb::is_driven(axis); });
}

// Whether a spring, damper or brake of the joint moves it, or lets it move, slowly.
bool World::yields(const Joint &j) const {
  const bool creeps = std::any_of(j.axes, j.axes + j.axis_count(), [](const JointAxis &axis) {
    return has_spring(axis) && std::fabs(axis.velocity) > kStill;
  });
  if (creeps || !j.suspension.active()) return creeps;
  const Vec3 anchor = parent_pose(j) * j.anchor_in_parent;
  Vec3 rate = point_velocity(j.child, anchor);
  if (!stands(j.parent)) rate = rate - point_velocity(j.parent, anchor);
  return norm(rate) > kStill;
}

}  // namespace wb
