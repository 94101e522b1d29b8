// A plain loop over ODE, as written by hand for one world: no checks, views or saved state.
#pragma once

#include <ode/ode.h>

#include <vector>

struct PlainMotor {
  dJointID hinge;
  double target, max_velocity, max_torque;  // target infinite: velocity control
};

struct PlainRay {
  dGeomID geom;
  dBodyID body;
  dVector3 origin, direction;
  double length, distance;
};

// User data of a geom.
struct PlainGeom {
  int robot;
  PlainRay *ray;
};

// The pose of a geom or a body, as (x, y, z, qw, qx, qy, qz).
using PlainPose = double[7];

class PlainWorld {
 public:
  // `crowded` selects the space that is faster for many geoms; both find the same contacts.
  explicit PlainWorld(bool crowded);
  ~PlainWorld();
  PlainWorld(const PlainWorld &) = delete;
  PlainWorld &operator=(const PlainWorld &) = delete;
  dBodyID body(double mass, double x, double y, double z, double radius);
  void box(dBodyID body, double x, double y, double z, int robot);
  void sphere(dBodyID body, double radius, double x, double y, double z, int robot);
  void cylinder_y(dBodyID body, double radius, double height, int robot);
  void ground();
  void hinge(dBodyID child, dBodyID parent, double x, double y, double z, const dVector3 axis, double target,
             double max_velocity, double max_torque);
  void ray(dBodyID body, const dVector3 origin, const dVector3 direction, double length, int robot);
  // Copies of an existing world (copy.cpp). `body`: index of a copied body, -1 for the world; poses are those
  // in the world.
  void copy_body(double mass, const double *center, const double *inertia, const PlainPose pose);
  void copy_geom(int body, dGeomID geom, const PlainPose pose, int robot, bool visible);
  void copy_wheel(int body, int parent, const double *axis, double velocity, double max_torque);
  void copy_ray(int body, const double *origin, const double *direction, double length);
  dBodyID copied(int body) const { return body < 0 ? nullptr : copies_[body].id; }

  void collide();
  void step();
  void last_position(double *position) const;

  bool quick = false;
  double sway = 0;  // of the targets, in turns below and above their values
  double dt = 0.008;

 private:
  static void near(void *data, dGeomID a, dGeomID b);
  void collide_pair(dGeomID a, dGeomID b);
  void hit_ray(PlainRay &ray, dGeomID ray_geom, dGeomID other);
  void control();
  void move_rays();
  PlainGeom *tag(dGeomID geom, int robot, PlainRay *ray);

  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<PlainMotor> motors_;
  std::vector<PlainRay *> rays_;
  std::vector<PlainGeom *> geoms_;
  dBodyID last_body_ = nullptr;

  struct Copy {
    dBodyID id;
    dVector3 center;  // of mass, in the frame of the copied body
  };
  std::vector<Copy> copies_;
  dSpaceID visible_ = nullptr, visual_rays_ = nullptr;  // shapes that rays see, and these rays
};

// Builds a scene; returns false if its name is unknown.
bool build(PlainWorld &world, const char *scene, int count);
