// Bodies of a world: creation, pose, mass, velocities, forces, sleeping, and frames that follow others.
#include <algorithm>
#include <cstring>

#include "world.h"

namespace wb {
namespace {

void copy(double *to, const Vec3 &v) { std::memcpy(to, v.data(), sizeof v); }

Mat3 mat(const dReal *r) { return {r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10]}; }

dMass ode_mass(const Mass &m) {
  dMass r;
  const Mat3 &i = m.inertia;
  dMassSetParameters(&r, m.mass, 0, 0, 0, i[0], i[4], i[8], i[1], i[2], i[5]);
  return r;
}

// Share of the velocity lost in one step if `per_second` is lost in one second: (1 - share)^(1/dt) = 1 -
// per_second.
double step_share(double per_second, double dt) { return 1 - std::pow(1 - per_second, dt); }

}  // namespace

uint32_t World::add_body(BodyKind kind, const Pose &pose, const Mass &mass) {
  check_change();
  if (kind != BodyKind::frame) mass.check();
  Body body;
  body.kind = kind;
  body.order = next_order_++;
  body.mass = kind == BodyKind::frame ? Mass{} : mass;
  const uint32_t slot = bodies.add(std::move(body));
  Body &b = bodies[slot];
  if (kind != BodyKind::frame) {
    b.ode = dBodyCreate(ode_);
    ++awake_changes_;
    b.watch();
    b.centered = mass.center == kZero;
    const dMass m = ode_mass(mass);
    dBodySetMass(b.ode, &m);
    if (kind == BodyKind::kinematic) dBodySetKinematic(b.ode);
  }
  frames_stale_ = true;
  place(b, pose);
  refresh_row(slot);
  return slot;
}

// Also removes its joints, geoms and rays.
void World::remove_body(uint32_t slot) {
  check_change();
  for (uint32_t joint : std::vector(bodies[slot].joints)) remove_joint(joint);
  for (uint32_t geom : std::vector(bodies[slot].geoms)) remove_geom(geom);
  for (uint32_t set : std::vector(rays.live()))
    if (rays[set].body == slot) rays.remove(set);
  for (uint32_t i : std::vector(immersions.live()))
    if (immersions[i].body == slot) remove_immersion(i);
  for (uint32_t i : std::vector(propellers.live()))
    if (propellers[i].body == slot) propellers.remove(i);
  for (uint32_t i : std::vector(tracks.live()))
    if (tracks[i].body == slot) remove_track(i);
  for (uint32_t other : bodies.live())
    if (bodies[other].parent == slot) bodies[other].parent = kNone;
  if (bodies[slot].ode) dBodyDestroy(bodies[slot].ode);
  std::memset(columns.positions.row(slot), 0, 3 * sizeof(double));
  std::memset(columns.quaternions.row(slot), 0, 4 * sizeof(double));
  std::memset(columns.linear_velocities.row(slot), 0, 3 * sizeof(double));
  std::memset(columns.angular_velocities.row(slot), 0, 3 * sizeof(double));
  bodies.remove(slot);
  frames_stale_ = true;
  ++awake_changes_;
}

Pose World::body_pose(uint32_t slot) const {
  const Body &b = bodies[slot];
  if (!b.ode) return b.pose;
  const Mat3 r = mat(b.rotation);
  return {b.centered ? vec(b.position) : vec(b.position) - r * b.mass.center, r};
}

void World::place(Body &b, const Pose &pose) {
  if (!b.ode) {
    b.pose = pose;
    for (uint32_t g : b.geoms) stir(g);
  } else {
    const Vec3 p = pose * b.mass.center;
    const Quat q = to_quat(pose.rotation);
    b.reversed = !is_leading(q);
    dBodySetQuaternion(b.ode, q.data());
    dBodySetPosition(b.ode, p[0], p[1], p[2]);
  }
  geoms_moved(b);
}

void World::set_body_pose(uint32_t slot, const Vec3 &position, const Quat &orientation) {
  require_finite("position", position);
  Body &b = bodies[slot];
  place(b, {position, to_matrix(require_rotation("orientation", orientation))});
  displaced(slot);
  if (b.ode && b.kind == BodyKind::dynamic) set_awake(slot, true);
  refresh_row(slot);
  place_followers(slot);
}

// Frames that follow a body, also by way of others, are read at their new places before the next step.
void World::place_followers(uint32_t slot) {
  for (uint32_t frame : frames())
    for (uint32_t up = bodies[frame].parent; up != kNone; up = bodies[up].parent)
      if (up == slot) place_frame(frame);
}

void World::displaced(uint32_t slot) {
  Body &b = bodies[slot];
  collided_ = false;
  if (b.geoms.empty()) return;
  forget_contacts([this, slot](uint32_t geom) { return geoms[geom].body == slot; });
  b.displaced = b.ode != nullptr;
  displaced_ |= b.displaced;
}

void World::geoms_moved(const Body &b) {
  for (uint32_t g : b.geoms) {
    mark_moved(g);
    if (!b.ode) place_geom(geoms[g]);
  }
}

void World::set_body_mass(uint32_t slot, const Mass &mass) {
  Body &b = bodies[slot];
  if (!b.ode) throw std::invalid_argument("a frame has no mass");
  mass.check();
  const Pose pose = body_pose(slot);
  b.mass = mass;
  b.centered = mass.center == kZero;
  const dMass m = ode_mass(mass);
  dBodySetMass(b.ode, &m);
  if (b.kind == BodyKind::kinematic) dBodySetKinematic(b.ode);
  place(b, pose);
  for (uint32_t g : b.geoms) place_geom(geoms[g]);
  // ODE keeps the joints' anchors relative to the center of mass.
  for (uint32_t j : b.joints) align_joint(joints[j]);
  set_awake(slot, true);
  refresh_row(slot);
}

void World::set_body_damping(uint32_t slot, double linear, double angular) {
  require(linear >= 0 && linear <= 1, "linear damping", "in 0 to 1", linear);
  require(angular >= 0 && angular <= 1, "angular damping", "in 0 to 1", angular);
  Body &b = bodies[slot];
  b.linear_damping = linear;
  b.angular_damping = angular;
  if (b.ode) apply_damping(b);
}

void World::apply_damping(Body &b) {
  dBodySetLinearDampingThreshold(b.ode, 0);
  dBodySetAngularDampingThreshold(b.ode, 0);
  dBodySetLinearDamping(b.ode, step_share(b.linear_damping, settings_.dt));
  dBodySetAngularDamping(b.ode, step_share(b.angular_damping, settings_.dt));
}

void World::set_body_velocity(uint32_t slot, const Vec3 *linear, const Vec3 *angular) {
  Body &b = bodies[slot];
  if (linear) require_finite("linear velocity", *linear);
  if (angular) require_finite("angular velocity", *angular);
  if (linear) {
    b.linear_velocity = *linear;
    if (b.ode) dBodySetLinearVel(b.ode, (*linear)[0], (*linear)[1], (*linear)[2]);
  }
  if (angular) {
    b.angular_velocity = *angular;
    if (b.ode) dBodySetAngularVel(b.ode, (*angular)[0], (*angular)[1], (*angular)[2]);
  }
  if (b.ode) set_awake(slot, true);
  refresh_row(slot);
}

Vec3 World::point_velocity(uint32_t slot, const Vec3 &point) const {
  const Body &b = bodies[slot];
  if (!b.ode) return b.linear_velocity + cross(b.angular_velocity, point - b.pose.position);
  // Rigid motion: v + w x r, with r from the center of mass.
  const Vec3 arm = point - vec(dBodyGetPosition(b.ode));
  return vec(dBodyGetLinearVel(b.ode)) + cross(vec(dBodyGetAngularVel(b.ode)), arm);
}

void World::add_force(uint32_t slot, const Vec3 &force, const Vec3 *point, bool force_in_body,
                      bool point_in_body) {
  require_finite("force", force);
  if (point) require_finite("point", *point);
  const Body &b = bodies[slot];
  if (!b.ode) throw std::invalid_argument("forces cannot act on a frame: it has no mass");
  const Pose pose = body_pose(slot);
  const Vec3 f = force_in_body ? pose.rotation * force : force;
  set_awake(slot, true);
  if (!point) {
    dBodyAddForce(b.ode, f[0], f[1], f[2]);
    return;
  }
  const Vec3 p = point_in_body ? pose * *point : *point;
  dBodyAddForceAtPos(b.ode, f[0], f[1], f[2], p[0], p[1], p[2]);
}

void World::add_torque(uint32_t slot, const Vec3 &torque, bool in_body) {
  require_finite("torque", torque);
  const Body &b = bodies[slot];
  if (!b.ode) throw std::invalid_argument("torques cannot act on a frame: it has no mass");
  const Vec3 t = in_body ? body_pose(slot).rotation * torque : torque;
  set_awake(slot, true);
  dBodyAddTorque(b.ode, t[0], t[1], t[2]);
}

void World::set_awake(uint32_t slot, bool awake) {
  Body &b = bodies[slot];
  if (!b.ode) return;
  if (b.awake() != awake) ++awake_changes_;
  if (awake) {
    if (!b.awake() && (b.displaced || is_immersed(slot))) collided_ = false;
    b.idle_left = b.idle_time;
    dBodyEnable(b.ode);
  } else {
    resting_of_ = 0;
    dBodyDisable(b.ode);
  }
}

void World::reset_body(uint32_t slot) {
  Body &b = bodies[slot];
  b.linear_velocity = b.angular_velocity = kZero;
  if (b.ode) {
    dBodySetLinearVel(b.ode, 0, 0, 0);
    dBodySetAngularVel(b.ode, 0, 0, 0);
    dBodySetForce(b.ode, 0, 0, 0);
    dBodySetTorque(b.ode, 0, 0, 0);
  }
  refresh_row(slot);
}

void World::set_auto_disable(uint32_t slot, double time, double linear, double angular) {
  require_finite("time", time);
  require_not_negative("linear threshold", linear);
  require_not_negative("angular threshold", angular);
  Body &b = bodies[slot];
  if (!b.ode) throw std::invalid_argument("a frame cannot sleep: it has no mass");
  b.auto_disable = time >= 0;
  b.idle_time = b.idle_left = time;
  b.linear_threshold = linear;
  b.angular_threshold = angular;
  dozing_ |= b.auto_disable;
}

void World::follow(uint32_t frame, uint32_t parent, const Pose &in_parent) {
  if (bodies[frame].kind != BodyKind::frame) throw std::invalid_argument("only a frame can follow a body");
  for (uint32_t up = parent; up != kNone; up = bodies[up].parent)
    if (up == frame) throw std::invalid_argument("a frame cannot follow itself");
  bodies[frame].parent = parent;
  bodies[frame].in_parent = in_parent;
  place_frame(frame);
}

// Frames with a velocity advance by it; those that follow another body do so relative to it. Then followers
// are placed.
void World::move_frames() {
  for (uint32_t slot : frames()) {
    const Body &b = bodies[slot];
    if (b.linear_velocity != kZero || b.angular_velocity != kZero) advance_frame(slot);
  }
  follow_frames();
}

void World::follow_frames() {
  for (uint32_t slot : frames())
    if (bodies[slot].parent != kNone) place_frame(slot);
}

// First the position, then the orientation. The end point of a joint without physics moves the joint's zero
// pose along.
void World::advance_frame(uint32_t slot) {
  Body &b = bodies[slot];
  const bool follows = b.parent != kNone;
  const Mat3 axes = follows ? body_pose(b.parent).rotation : kIdentity;
  Pose next = follows ? b.in_parent : b.pose;
  next.position += unrotate(axes, b.linear_velocity) * settings_.dt;
  const Vec3 spin = unrotate(axes, b.angular_velocity);
  const double speed = norm(spin);
  if (speed > 0)
    next.rotation = to_matrix(require_rotation(
        "rotation", to_quat(rotation(spin * (1 / speed), speed * settings_.dt) * next.rotation)));
  for (uint32_t j : b.joints)
    if (joints[j].kinematic && joints[j].child == slot) rest_at(joints[j], next);
  if (follows) {
    b.in_parent = next;
    return;
  }
  place(b, next);
  refresh_row(slot);
}

// The frames in use, in ascending order.
const std::vector<uint32_t> &World::frames() {
  if (!frames_stale_) return frames_;
  frames_.clear();
  for (uint32_t slot : bodies.live())
    if (!bodies[slot].ode) frames_.push_back(slot);
  frames_stale_ = false;
  return frames_;
}

void World::place_frame(uint32_t slot) {
  Body &b = bodies[slot];
  if (b.parent == kNone) return;
  // A chain is placed from its root; a frame with two followers is placed twice, with the same result.
  if (bodies[b.parent].kind == BodyKind::frame) place_frame(b.parent);
  const Pose next = body_pose(b.parent) * b.in_parent;
  if (next.position == b.pose.position && next.rotation == b.pose.rotation) return;
  place(b, next);
  refresh_row(slot);
}

void World::refresh_row(uint32_t slot) {
  const Body &b = bodies[slot];
  if (b.ode) {
    // ODE's origin is the center of mass; users see that of the body's own frame.
    const Vec3 p = vec(b.position);
    copy(columns.positions.row(slot), b.centered ? p : p - mat(b.rotation) * b.mass.center);
    std::memcpy(columns.quaternions.row(slot), b.quaternion, 4 * sizeof(double));
    std::memcpy(columns.linear_velocities.row(slot), b.velocity, 3 * sizeof(double));
    std::memcpy(columns.angular_velocities.row(slot), b.spin, 3 * sizeof(double));
    return;
  }
  const Quat q = to_quat(b.pose.rotation);
  copy(columns.positions.row(slot), b.pose.position);
  std::memcpy(columns.quaternions.row(slot), q.data(), sizeof q);
  copy(columns.linear_velocities.row(slot), b.linear_velocity);
  copy(columns.angular_velocities.row(slot), b.angular_velocity);
}

}  // namespace wb
