// The scenes of benchmarks/engine_scenes.py in plain ODE: the same bodies, geoms, joints, motors and rays.
#include <cmath>
#include <cstring>
#include <limits>

#include "plain_ode.h"

namespace {

const dVector3 kY = {0, 1, 0};
const double kForever = std::numeric_limits<double>::infinity();

// Seven links on hinges of alternating axes.
void arm(PlainWorld &world) {
  const dVector3 axes[2] = {{0, 0, 1}, {0, 1, 0}};
  dBodyID parent = nullptr;
  for (int i = 0; i < 7; ++i) {
    const dBodyID link = world.body(1, 0, 0, 0.1 + 0.2 * i, 0.05);
    world.box(link, 0.05, 0.05, 0.15, 0);
    world.hinge(link, parent, 0, 0, 0.2 * i, axes[i % 2], 0.3, 2, 50);
    parent = link;
  }
}

// A two-wheeled robot with a caster and eight rays.
void epuck(PlainWorld &world, double x, double y, int robot, double speed) {
  const dBodyID chassis = world.body(0.15, x, y, 0.021, 0.03);
  world.box(chassis, 0.06, 0.04, 0.02, robot);
  world.sphere(chassis, 0.005, 0.03, 0, -0.016, robot);
  world.sphere(chassis, 0.005, -0.03, 0, -0.016, robot);
  for (double side : {-1.0, 1.0}) {
    const dBodyID wheel = world.body(0.01, x, y + 0.026 * side, 0.0205, 0.02);
    world.cylinder_y(wheel, 0.0205, 0.004, robot);
    world.hinge(wheel, chassis, x, y + 0.026 * side, 0.0205, kY, kForever, speed * (side < 0 ? 1 : 0.8), 0.1);
  }
  for (int i = 0; i < 8; ++i) {
    const double a = 2 * M_PI * i / 8;
    const dVector3 direction = {std::cos(a), std::sin(a), 0},
                   origin = {0.03 * std::cos(a), 0.03 * std::sin(a), 0};
    world.ray(chassis, origin, direction, 0.1, robot);
  }
}

void epucks(PlainWorld &world, int count) {
  world.ground();
  const int side = static_cast<int>(std::ceil(std::sqrt(count)));
  for (int i = 0; i < count; ++i) epuck(world, 0.3 * (i % side), 0.3 * (i / side), i, 3);
}

// Two legs, two arms and a head on a trunk: twenty hinges that hold their positions.
void biped(PlainWorld &world) {
  world.ground();
  const dBodyID trunk = world.body(5, 0, 0, 1.0, 0.2);
  world.box(trunk, 0.15, 0.3, 0.4, 0);
  const dVector3 axes[2] = {{0, 1, 0}, {1, 0, 0}};
  const auto limb = [&](double x, double y, double z, int joints, double length, double way, bool foot) {
    dBodyID parent = trunk;
    for (int i = 0; i < joints; ++i) {
      const double at = z + way * length * i;
      const dBodyID link = world.body(0.5, x, y, at + way * length / 2, 0.05);
      if (foot && i == joints - 1)
        world.box(link, 0.25, 0.15, 0.02, 0);
      else
        world.box(link, 0.06, 0.06, length * 0.7, 0);
      world.hinge(link, parent, x, y, at, axes[i % 2], 0, 5, 200);
      parent = link;
    }
  };
  for (double side : {-1.0, 1.0}) {
    limb(0, 0.1 * side, 0.8, 6, 0.14, -1, true);
    limb(0, 0.22 * side, 1.15, 3, 0.15, -1, false);
  }
  limb(0, 0, 1.2, 2, 0.1, 1, false);
}

void boxes(PlainWorld &world, int count) {
  world.ground();
  for (int i = 0; i < count; ++i) {
    const dBodyID b = world.body(1, 0.25 * (i % 5) + 0.01 * (i % 7), 0.25 * (i / 5 % 5) + 0.01 * (i % 3),
                                 0.2 + 0.25 * (i / 25), 0.1);
    world.box(b, 0.2, 0.2, 0.2, -1);
  }
}

}  // namespace

bool build(PlainWorld &world, const char *scene, int count) {
  if (!std::strcmp(scene, "arm")) {
    arm(world);
  } else if (!std::strcmp(scene, "epucks")) {
    epucks(world, count);
  } else if (!std::strcmp(scene, "biped")) {
    biped(world);
  } else if (!std::strcmp(scene, "idle")) {
    world.ground();
    epuck(world, 0, 0, 0, 0);
  } else if (!std::strcmp(scene, "boxes")) {
    world.quick = true;
    boxes(world, count);
  } else {
    return false;
  }
  return true;
}
