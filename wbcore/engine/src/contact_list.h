// Contacts as columns of numbers, for Python.
#pragma once

#include "bind.h"

namespace wb {

// Contacts as columns of numbers, copied when requested.
struct ContactList {
  std::vector<double> points, normals, depths, forces;
  std::vector<int32_t> geoms, bodies;

  void add(const Contact &c) {
    for (int i = 0; i < 3; ++i) {
      points.push_back(c.ode.geom.pos[i]);
      normals.push_back(c.ode.geom.normal[i]);
      // If only the second body is dynamic, ODE reports the force on that one.
      forces.push_back(c.body_a != kNone ? c.feedback.f1[i] : -c.feedback.f1[i]);
    }
    depths.push_back(c.ode.geom.depth);
    for (uint32_t g : {c.geom_a, c.geom_b}) geoms.push_back(static_cast<int32_t>(g));
    for (uint32_t b : {c.body_a, c.body_b}) bodies.push_back(static_cast<int32_t>(b));
  }
};

// The contacts that act in the next step; with `sleepers` also those of sleeping bodies.
ContactList list_of(World &world, bool sleepers);
ContactList list_of(const std::vector<Contact> &contacts);

}  // namespace wb
