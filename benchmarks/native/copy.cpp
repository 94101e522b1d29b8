// Copies of worlds that exist elsewhere, body by body: the loop that somebody would write by hand for them.
#include <cstring>

#include "plain_ode.h"

namespace {

void place(dGeomID geom, const PlainPose pose) {
  dQuaternion q = {pose[3], pose[4], pose[5], pose[6]};
  dGeomSetPosition(geom, pose[0], pose[1], pose[2]);
  dGeomSetQuaternion(geom, q);
}

// ODE bodies are where their center of mass is.
void place(dBodyID body, const double *center, const PlainPose pose) {
  dQuaternion q = {pose[3], pose[4], pose[5], pose[6]};
  dBodySetQuaternion(body, q);
  dBodySetPosition(body, pose[0], pose[1], pose[2]);
  dVector3 at;
  dBodyGetRelPointPos(body, center[0], center[1], center[2], at);
  dBodySetPosition(body, at[0], at[1], at[2]);
}

}  // namespace

void PlainWorld::copy_body(double mass, const double *center, const double *inertia, const PlainPose pose) {
  const dBodyID b = dBodyCreate(world_);
  dMass m;
  dMassSetParameters(&m, mass, 0, 0, 0, inertia[0], inertia[4], inertia[8], inertia[1], inertia[2],
                     inertia[5]);
  dBodySetMass(b, &m);
  place(b, center, pose);
  copies_.push_back({b, {center[0], center[1], center[2]}});
  last_body_ = b;
}

void PlainWorld::copy_geom(int body, dGeomID geom, const PlainPose pose, int robot, bool visible) {
  if (visible && !visible_) visible_ = dHashSpaceCreate(nullptr);
  dSpaceAdd(visible ? visible_ : space_, geom);
  if (dGeomGetClass(geom) != dPlaneClass) {
    place(geom, pose);
    if (body >= 0) {
      // Attaching moves the geom to the body; its place in the world becomes an offset.
      const dQuaternion q = {pose[3], pose[4], pose[5], pose[6]};
      dGeomSetBody(geom, copied(body));
      dGeomSetOffsetWorldPosition(geom, pose[0], pose[1], pose[2]);
      dGeomSetOffsetWorldQuaternion(geom, q);
    }
  }
  tag(geom, robot, nullptr);
}

void PlainWorld::copy_wheel(int body, int parent, const double *axis, double velocity, double max_torque) {
  const dReal *at = dBodyGetPosition(copied(body));
  const dVector3 along = {axis[0], axis[1], axis[2]};
  hinge(copied(body), copied(parent), at[0], at[1], at[2], along, dInfinity, velocity, max_torque);
}

void PlainWorld::copy_ray(int body, const double *origin, const double *direction, double length) {
  if (!visual_rays_) visual_rays_ = dSimpleSpaceCreate(nullptr);
  const dReal *center = copies_[body].center;
  auto *r = new PlainRay{dCreateRay(visual_rays_, length), copied(body), {}, {}, length, length};
  for (int i = 0; i < 3; ++i) r->origin[i] = origin[i] - center[i], r->direction[i] = direction[i];
  tag(r->geom, -1, r);
  rays_.push_back(r);
}

// Interface for benchmarks/plain.py.
extern "C" {

PlainWorld *plain_copy(double dt, int crowded) {
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  auto *world = new PlainWorld(crowded != 0);
  world->dt = dt;
  return world;
}

void plain_copy_body(PlainWorld *world, double mass, const double *center, const double *inertia,
                     const double *pose) {
  world->copy_body(mass, center, inertia, pose);
}

void plain_copy_box(PlainWorld *world, int body, const double *size, const double *pose, int robot,
                    int visible) {
  world->copy_geom(body, dCreateBox(nullptr, size[0], size[1], size[2]), pose, robot, visible != 0);
}

void plain_copy_sphere(PlainWorld *world, int body, const double *size, const double *pose, int robot,
                       int visible) {
  world->copy_geom(body, dCreateSphere(nullptr, size[0]), pose, robot, visible != 0);
}

void plain_copy_cylinder(PlainWorld *world, int body, const double *size, const double *pose, int robot,
                         int visible) {
  world->copy_geom(body, dCreateCylinder(nullptr, size[0], size[1]), pose, robot, visible != 0);
}

void plain_copy_ground(PlainWorld *world) {
  const double pose[7] = {};
  world->copy_geom(-1, dCreatePlane(nullptr, 0, 0, 1, 0), pose, -1, false);
}

// The arrays have to live as long as the world.
void plain_copy_mesh(PlainWorld *world, int body, const double *vertices, int vertex_count,
                     const unsigned *triangles, int triangle_count, const double *pose, int robot,
                     int visible) {
  const dTriMeshDataID data = dGeomTriMeshDataCreate();
  dGeomTriMeshDataBuildDouble(data, vertices, 3 * sizeof(double), vertex_count, triangles, 3 * triangle_count,
                              3 * sizeof(unsigned));
  world->copy_geom(body, dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr), pose, robot, visible != 0);
}

void plain_copy_wheel(PlainWorld *world, int body, int parent, const double *axis, double velocity,
                      double max_torque) {
  world->copy_wheel(body, parent, axis, velocity, max_torque);
}

void plain_copy_ray(PlainWorld *world, int body, const double *origin, const double *direction,
                    double length) {
  world->copy_ray(body, origin, direction, length);
}

void plain_copy_done(PlainWorld *world) { world->collide(); }

}  // extern "C"
