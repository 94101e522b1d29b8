// A plain loop over ODE as a library, called by benchmarks/plain.py.
#include "plain_ode.h"

#include <chrono>
#include <cmath>
#include <cstring>

namespace {

double limited(double value, double limit) { return value > limit ? limit : value < -limit ? -limit : value; }

PlainGeom &geom_data(dGeomID geom) { return *static_cast<PlainGeom *>(dGeomGetData(geom)); }

}  // namespace

PlainWorld::PlainWorld(bool crowded) {
  world_ = dWorldCreate();
  dWorldSetGravity(world_, 0, 0, -9.81);
  dWorldSetCFM(world_, 1e-5);
  space_ = crowded ? dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ) : dSimpleSpaceCreate(nullptr);
  contacts_ = dJointGroupCreate(0);
}

PlainWorld::~PlainWorld() {
  dJointGroupDestroy(contacts_);
  dSpaceDestroy(space_);
  if (visible_) dSpaceDestroy(visible_);
  if (visual_rays_) dSpaceDestroy(visual_rays_);
  dWorldDestroy(world_);
  for (const PlainGeom *g : geoms_) delete g;
  for (const PlainRay *r : rays_) delete r;
}

void PlainWorld::last_position(double *position) const {
  std::memcpy(position, dBodyGetPosition(last_body_), 3 * sizeof(double));
}

dBodyID PlainWorld::body(double mass, double x, double y, double z, double radius) {
  const dBodyID b = dBodyCreate(world_);
  dMass m;
  dMassSetSphereTotal(&m, mass, radius);
  dBodySetMass(b, &m);
  dBodySetPosition(b, x, y, z);
  return last_body_ = b;
}

PlainGeom *PlainWorld::tag(dGeomID geom, int robot, PlainRay *ray) {
  auto *g = new PlainGeom{robot, ray};
  geoms_.push_back(g);
  dGeomSetData(geom, g);
  return g;
}

void PlainWorld::box(dBodyID body, double x, double y, double z, int robot) {
  const dGeomID g = dCreateBox(space_, x, y, z);
  dGeomSetBody(g, body);
  tag(g, robot, nullptr);
}

void PlainWorld::sphere(dBodyID body, double radius, double x, double y, double z, int robot) {
  const dGeomID g = dCreateSphere(space_, radius);
  dGeomSetBody(g, body);
  dGeomSetOffsetPosition(g, x, y, z);
  tag(g, robot, nullptr);
}

void PlainWorld::cylinder_y(dBodyID body, double radius, double height, int robot) {
  const dGeomID g = dCreateCylinder(space_, radius, height);
  dGeomSetBody(g, body);
  dMatrix3 r;
  dRFromAxisAndAngle(r, 1, 0, 0, -M_PI / 2);
  dGeomSetOffsetRotation(g, r);
  tag(g, robot, nullptr);
}

void PlainWorld::ground() { tag(dCreatePlane(space_, 0, 0, 1, 0), -1, nullptr); }

void PlainWorld::hinge(dBodyID child, dBodyID parent, double x, double y, double z, const dVector3 axis,
                       double target, double max_velocity, double max_torque) {
  const dJointID j = dJointCreateHinge(world_, nullptr);
  dJointAttach(j, child, parent);
  dJointSetHingeAnchor(j, x, y, z);
  dJointSetHingeAxis(j, axis[0], axis[1], axis[2]);
  dJointSetHingeParam(j, dParamFMax, max_torque);
  motors_.push_back({j, target, max_velocity, max_torque});
}

void PlainWorld::ray(dBodyID body, const dVector3 origin, const dVector3 direction, double length,
                     int robot) {
  auto *r = new PlainRay{dCreateRay(space_, length), body, {}, {}, length, length};
  std::memcpy(r->origin, origin, sizeof r->origin);
  std::memcpy(r->direction, direction, sizeof r->direction);
  tag(r->geom, robot, r);
  rays_.push_back(r);
}

void PlainWorld::near(void *data, dGeomID a, dGeomID b) {
  static_cast<PlainWorld *>(data)->collide_pair(a, b);
}

void PlainWorld::hit_ray(PlainRay &ray, dGeomID ray_geom, dGeomID other) {
  dContactGeom hit;
  if (dCollide(ray_geom, other, 1, &hit, sizeof hit) && hit.depth < ray.distance) ray.distance = hit.depth;
}

namespace {

// ODE's cylinder-plane collider makes cylinders rock. Webots and the engine replace it: four points on each
// rim if the axis is nearly parallel to the normal, else the lowest point.
int cylinder_plane(dGeomID cylinder, dGeomID plane, dContactGeom *found) {
  constexpr double upright = 0.001, standing = 0.1;  // squared sines of the angle between them
  double radius, height;
  dVector4 ground;
  dGeomCylinderGetParams(cylinder, &radius, &height);
  dGeomPlaneGetParams(plane, ground);
  const dReal *position = dGeomGetPosition(cylinder), *turn = dGeomGetRotation(cylinder);
  double axis[3], low[3], side[3], across[3];
  for (int i = 0; i < 3; ++i) axis[i] = turn[4 * i + 2], low[i] = turn[4 * i + 1], side[i] = turn[4 * i];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    across[i] = axis[j] * ground[k] - axis[k] * ground[j];
  }
  const double sine2 = across[0] * across[0] + across[1] * across[1] + across[2] * across[2];
  if (sine2 >= upright) {
    const double along = ground[0] * axis[0] + ground[1] * axis[1] + ground[2] * axis[2];
    for (int i = 0; i < 3; ++i) low[i] = axis[i] * along - ground[i];
    const double length = std::sqrt(low[0] * low[0] + low[1] * low[1] + low[2] * low[2]),
                 share = 1 / std::sqrt(sine2);
    for (int i = 0; i < 3; ++i) low[i] = low[i] / length, side[i] = across[i] * share;
  }
  int count = 0;
  for (const double end : {1.0, -1.0})
    for (int k = 0; k < (sine2 < standing ? 4 : 1); ++k) {
      dContactGeom c{};
      c.depth = ground[3];
      for (int i = 0; i < 3; ++i) {
        const double center = position[i] + end * (axis[i] * (height / 2));
        const double out = (k % 2 ? side[i] : low[i]) * radius;
        c.pos[i] = k < 2 ? center + out : center - out;
        c.normal[i] = ground[i];
      }
      c.depth = ground[3] - (ground[0] * c.pos[0] + ground[1] * c.pos[1] + ground[2] * c.pos[2]);
      c.g1 = cylinder, c.g2 = plane, c.side1 = c.side2 = -1;
      if (c.depth > 0) found[count++] = c;
    }
  return count;
}

int collide_geoms(dGeomID a, dGeomID b, dContactGeom *found, int max_contacts) {
  const int kind_a = dGeomGetClass(a), kind_b = dGeomGetClass(b);
  if (kind_a == dCylinderClass && kind_b == dPlaneClass) return cylinder_plane(a, b, found);
  if (kind_a != dPlaneClass || kind_b != dCylinderClass)
    return dCollide(a, b, max_contacts, found, sizeof *found);
  const int count = cylinder_plane(b, a, found);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) found[i].normal[k] = -found[i].normal[k];
    found[i].g1 = a, found[i].g2 = b;
  }
  return count;
}

}  // namespace

void PlainWorld::collide_pair(dGeomID a, dGeomID b) {
  const PlainGeom &ga = geom_data(a), &gb = geom_data(b);
  if (ga.robot >= 0 && ga.robot == gb.robot) return;
  if (ga.ray || gb.ray) {
    if (ga.ray && gb.ray) return;
    if (ga.ray)
      hit_ray(*ga.ray, a, b);
    else
      hit_ray(*gb.ray, b, a);
    return;
  }
  const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
  if (!body_a && !body_b) return;
  if (body_a && body_b && dAreConnectedExcluding(body_a, body_b, dJointTypeContact)) return;
  dContactGeom found[100];
  int n = collide_geoms(a, b, found, 100);
  if (n > 10) n = 10;
  for (int i = 0; i < n; ++i) {
    dContact c{};
    c.geom = found[i];
    c.surface.mode = dContactApprox1 | dContactSoftCFM | dContactSoftERP | dContactBounce;
    c.surface.mu = 1;
    c.surface.bounce = 0.5;
    c.surface.bounce_vel = 0.01;
    c.surface.soft_cfm = 0.001;
    c.surface.soft_erp = 0.2;
    dJointAttach(dJointCreateContact(world_, contacts_, &c), body_a, body_b);
  }
}

void PlainWorld::control() {
  sway = -sway;
  for (const PlainMotor &m : motors_) {
    double v = m.max_velocity + sway;
    if (std::isfinite(m.target))
      v = limited(10 * (m.target + sway - dJointGetHingeAngle(m.hinge)), m.max_velocity);
    dJointSetHingeParam(m.hinge, dParamVel, v);
  }
}

void PlainWorld::move_rays() {
  for (PlainRay *r : rays_) {
    dVector3 p, d;
    dBodyGetRelPointPos(r->body, r->origin[0], r->origin[1], r->origin[2], p);
    dBodyVectorToWorld(r->body, r->direction[0], r->direction[1], r->direction[2], d);
    dGeomRaySet(r->geom, p[0], p[1], p[2], d[0], d[1], d[2]);
    r->distance = r->length;
  }
}

void PlainWorld::step() {
  control();
  if (quick)
    dWorldQuickStep(world_, dt);
  else
    dWorldStep(world_, dt);
  collide();
}

// Detects contacts and ray hits at the current poses.
void PlainWorld::collide() {
  dJointGroupEmpty(contacts_);
  move_rays();
  dSpaceCollide(space_, this, near);
  if (visual_rays_)
    dSpaceCollide2(reinterpret_cast<dGeomID>(visual_rays_), reinterpret_cast<dGeomID>(visible_), this, near);
}

// Interface for benchmarks/plain.py.
extern "C" {

PlainWorld *plain_world(const char *scene, int count) {
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  auto *world = new PlainWorld(count > 1);
  if (!build(*world, scene, count)) {
    delete world;
    return nullptr;
  }
  world->collide();
  return world;
}

// Lets all targets alternate around their values from step to step, from `sway` (rad or rad/s) below on.
void plain_sway(PlainWorld *world, double sway) { world->sway = sway; }

void plain_free(PlainWorld *world) { delete world; }

// Makes steps; returns the seconds they took.
double plain_steps(PlainWorld *world, long steps) {
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < steps; ++i) world->step();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return taken.count();
}

// The position (m) of the last body created, to check that both sides simulate the same.
void plain_last_position(const PlainWorld *world, double *position) { world->last_position(position); }

}  // extern "C"
