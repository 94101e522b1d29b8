// Fluids, propellers and track belts of a world: their forces and their effect on contacts.
#include <algorithm>
#include <numbers>

#include "ode_runtime.h"
#include "world.h"

namespace wb {
namespace {

// Maximum spin used for drag, so that drag does not destabilize a body that spins out of control.
constexpr double kMostSpin = 1000;

}  // namespace

uint32_t World::add_fluid(const Fluid &fluid) {
  check_change();
  require_not_negative("density", fluid.density);
  require_not_negative("viscosity", fluid.viscosity);
  require_finite("stream velocity", fluid.stream_velocity);
  Geom &g = geoms[fluid.geom];
  if (g.shape.kind == ShapeKind::mesh || g.shape.kind == ShapeKind::heightfield)
    throw std::invalid_argument("a fluid's geometry must be a box, sphere, capsule, cylinder or plane");
  const uint32_t slot = fluids.add(Fluid(fluid));
  g.role = GeomRole::fluid;
  g.fluid = slot;
  rules_changed();
  return slot;
}

void World::remove_fluid(uint32_t slot) {
  check_change();
  if (fluids[slot].geom != kNone) {
    geoms[fluids[slot].geom].fluid = kNone;
    geoms[fluids[slot].geom].enabled = false;
  }
  for (uint32_t i : std::vector(immersions.live()))
    if (immersions[i].fluid == slot) remove_immersion(i);
  fluids.remove(slot);
  rules_changed();
}

uint32_t World::add_immersion(const Immersion &immersion) {
  check_change();
  for (double c : immersion.drag_force) require_not_negative("drag force coefficient", c);
  for (double c : immersion.drag_torque) require_not_negative("drag torque coefficient", c);
  require_not_negative("viscous resistance force coefficient", immersion.viscous_force);
  require_not_negative("viscous resistance torque coefficient", immersion.viscous_torque);
  if (!bodies[immersion.body].ode) throw std::invalid_argument("only a body with mass can be immersed");
  set_awake(immersion.body, true);
  return immersions.add(Immersion(immersion));
}

void World::remove_immersion(uint32_t slot) {
  check_change();
  std::erase_if(immersed_, [slot](const auto &pair) { return pair.first == slot; });
  set_awake(immersions[slot].body, true);
  immersions.remove(slot);
}

bool World::is_immersed(uint32_t body) const {
  const std::vector<uint32_t> &live = immersions.live();
  return std::any_of(live.begin(), live.end(), [&](uint32_t i) { return immersions[i].body == body; });
}

void World::wake_immersed(uint32_t fluid) {
  for (uint32_t i : immersions.live())
    if (immersions[i].fluid == fluid) set_awake(immersions[i].body, true);
}

uint32_t World::add_propeller(const Propeller &propeller) {
  check_change();
  Propeller p = propeller;
  p.axis = require_direction("shaft axis", p.axis);
  require_finite("center of thrust", p.center);
  require_finite("thrust constants", p.thrust_constants);
  require_finite("torque constants", p.torque_constants);
  return propellers.add(p);
}

uint32_t World::add_track(const Track &track) {
  check_change();
  return tracks.add(Track(track));
}

void World::remove_track(uint32_t slot) {
  check_change();
  for (uint32_t g : geoms.live())
    if (geoms[g].track == slot) geoms[g].track = kNone;
  tracks.remove(slot);
}

// The last ImmersionProperties of the geom's solid, or of its whole body, for this fluid are used.
void World::immerse_pair(const Pair &pair) {
  const bool a_is_fluid = geoms[pair.a].role == GeomRole::fluid;
  const Geom &fluid = geoms[a_is_fluid ? pair.a : pair.b], &solid = geoms[a_is_fluid ? pair.b : pair.a];
  if (fluid.fluid == kNone || !active(solid.body)) return;
  uint32_t found = kNone;
  for (uint32_t i : immersions.live()) {
    const Immersion &one = immersions[i];
    const bool meant = one.solid < 0 || one.solid == solid.solid;
    if (one.body == solid.body && one.fluid == fluid.fluid && meant) found = i;
  }
  if (found == kNone) return;
  dContactGeom contact;
  if (collide_in_turn(fluid.ode.id(), solid.ode.id(), 1, &contact) == 0) return;
  immersed_.emplace_back(found, a_is_fluid ? pair.b : pair.a);
}

void World::drive() {
  for (const auto &[slot, geom] : immersed_) {
    if (!immersions.alive(slot) || !geoms.alive(geom)) continue;
    const Immersion &immersion = immersions[slot];
    const Fluid &fluid = fluids[immersion.fluid];
    if (fluid.geom == kNone) continue;
    const FluidSurface surface = surface_of(geoms[fluid.geom].shape, geom_pose(fluid.geom));
    Geom &g = geoms[geom];
    if (g.facets.empty()) g.facets = facets_of(g.shape);
    const Mat3 axes = body_pose(immersion.body).rotation;
    push_immersed(immersion, immerse(g.shape, g.facets, geom_pose(geom), surface, axes));
  }
  for (uint32_t p : propellers.live()) drive_propeller(propellers[p]);
  for (uint32_t t : tracks.live()) drive_track(tracks[t]);
}

// Applies buoyancy, drag and viscous resistance at the center of buoyancy.
void World::push_immersed(const Immersion &immersion, const Immersed &part) {
  if (!(part.volume > 0)) return;
  const Fluid &fluid = fluids[immersion.fluid];
  const dBodyID body = bodies[immersion.body].ode;
  const Vec3 v = vec(dBodyGetLinearVel(body)) - fluid.stream_velocity;
  Vec3 w = vec(dBodyGetAngularVel(body));
  if (norm(w) > kMostSpin) w = w * (kMostSpin / norm(w));
  // Archimedes: the weight of the displaced fluid, against gravity.
  Vec3 force = settings_.gravity * (-part.volume * fluid.density), torque = kZero;
  // Quadratic drag (manual: ImmersionProperties): -rho A c |v| v on the immersed area, or per axis of the
  // body on the area projected along it. The areas across the other two axes resist a rotation about an axis.
  if (immersion.reference == ReferenceArea::immersed) {
    force += v * (-fluid.density * part.area * immersion.drag_force[0] * norm(v));
    torque += w * (-fluid.density * part.area * immersion.drag_torque[0] * norm(w));
  } else {
    const Mat3 r = body_pose(immersion.body).rotation;
    const Vec3 vb = unrotate(r, v), wb = unrotate(r, w), &p = part.projected;
    for (int i = 0; i < 3; ++i) {
      force += column(r, i) * (-fluid.density * immersion.drag_force[i] * p[i] * vb[i] * std::fabs(vb[i]));
      const double others = p[(i + 1) % 3] + p[(i + 2) % 3];
      torque +=
          column(r, i) * (-fluid.density * immersion.drag_torque[i] * others * wb[i] * std::fabs(wb[i]));
    }
  }
  // Viscous resistance is linear in the velocity and grows with the immersed share of the surface.
  const double resistance = part.area / part.full_area * fluid.viscosity;
  force += v * (-resistance * immersion.viscous_force);
  torque += w * (-resistance * immersion.viscous_torque);
  dBodyAddForceAtPos(body, force[0], force[1], force[2], part.center[0], part.center[1], part.center[2]);
  dBodyAddTorque(body, torque[0], torque[1], torque[2]);
}

void World::drive_propeller(Propeller &p) {
  const double before = p.motor.current_velocity;
  p.position = p.motor.move(p.position, settings_.dt);
  const double w = p.motor.current_velocity;
  p.thrust = p.torque = 0;
  if (stands(p.body)) return;
  if (w != before) set_awake(p.body, true);
  if (w == 0) return;
  const Pose pose = body_pose(p.body);
  const Vec3 at = pose * p.center, axis = pose.rotation * p.axis;
  const double advance = dot(point_velocity(p.body, at), axis);
  // Manual, Propeller: T = t1 |w| w - t2 |w| V and Q = q1 |w| w - q2 |w| V, V the speed of advance.
  p.thrust = std::fabs(w) * (p.thrust_constants[0] * w - p.thrust_constants[1] * advance);
  p.torque = std::fabs(w) * (p.torque_constants[0] * w - p.torque_constants[1] * advance);
  p.torque = std::clamp(p.torque, -p.motor.max_force, p.motor.max_force);
  const dBodyID body = bodies[p.body].ode;
  dBodyAddForceAtPos(body, axis[0] * p.thrust, axis[1] * p.thrust, axis[2] * p.thrust, at[0], at[1], at[2]);
  dBodyAddTorque(body, -axis[0] * p.torque, -axis[1] * p.torque, -axis[2] * p.torque);
}

// In force control, each step integrates the speed from the force on the body's mass.
void World::drive_track(Track &t) {
  const double before = t.speed;
  if (!t.motorized) {
    t.speed = 0;
    return;
  }
  t.speed = t.motor.velocity_for(t.position, settings_.dt);
  if (t.motor.force_mode != 0) {
    const double mass = stands(t.body) ? 0 : bodies[t.body].mass.mass;
    t.speed = mass > 0 ? (t.motor.applied_force() - t.brake * before) * settings_.dt / mass : 0;
  }
  t.position += t.speed * settings_.dt;
  if (t.speed == before) return;
  if (!stands(t.body)) set_awake(t.body, true);
  wake_resting_on(
      [&](uint32_t geom) { return geoms[geom].track != kNone && &tracks[geoms[geom].track] == &t; });
}

// Moves the surface under a contact along the belt; the sides of the belt do not drive.
void World::run_belt(const Geom &geom, bool second, Contact &c) {
  const Track &t = tracks[geom.track];
  const Pose pose = (t.body == kNone ? Pose{} : body_pose(t.body)) * t.offset;
  const Vec3 normal = vec(c.ode.geom.normal), n = second ? -normal : normal;
  const double up = std::clamp(dot(n, column(pose.rotation, 2)), -1.0, 1.0);
  const bool below = up < 0;
  // 1 on the top and bottom of the belt, 0 on its sides, linear in the angle between.
  const double share = std::fabs(std::acos(up) * 2 / std::numbers::pi - 1);
  // ODE's sign of the motion depends on which geom is first: is the one of the normal on top?
  const bool sinks = norm(settings_.gravity) > 0 ? dot(normal, settings_.gravity) > 0 : normal[2] < 0;
  const double sign = sinks == below ? 1 : -1;
  // ODE requires a unit vector perpendicular to the normal as first friction direction.
  Vec3 along = column(pose.rotation, 0) * (below ? -1.0 : 1.0);
  along = along - normal * dot(along, normal);
  if (norm(along) > 1e-6) {
    along = normalized(along);
    for (int i = 0; i < 3; ++i) c.ode.fdir1[i] = along[i];
    c.ode.surface.mode |= dContactFDir1;
  }
  c.ode.surface.mode |= dContactMotion1;
  c.ode.surface.motion1 = t.speed * sign * share;
}

}  // namespace wb
