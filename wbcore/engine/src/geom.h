// One collision geometry: a shape fixed to a body or to the world, and the properties that determine its
// contacts.
#pragma once

#include "facets.h"
#include "shape.h"
#include "slots.h"
#include "tree.h"

namespace wb {

// How a geom takes part in collision detection.
enum class GeomRole : uint8_t {
  solid,   // makes contacts; geoms without a dynamic body are not tested against each other
  sensor,  // like a solid, but also tested against other geoms without a dynamic body
  fluid,   // makes no contacts; immerses bodies
};

struct Geom {
  OdeGeom ode;
  Shape shape;
  Pose offset;  // of the shape in its body's frame, or in the world
  double half_thickness = 0;
  uint32_t body = kNone;
  uint64_t order = 0;  // body's order, then own: the newest comes first in the list of pairs

  GeomRole role = GeomRole::solid;
  int32_t robot = -1, solid = -1;
  uint32_t material = 0;
  uint32_t category = 1, collides_with = 0xffffffffu;
  bool enabled = true;
  uint32_t track = kNone, fluid = kNone;

  dVector4 plane{};             // normal and distance in the world, if it is a plane
  Mat3 plane_axes = kIdentity;  // orientation of its axes in the world

  std::vector<Facet> facets;  // created when the geom is first immersed

  // Current bounds, and the leaf of the tree with some margin around them. Planes have none.
  Box bounds;
  uint32_t leaf = kNone;
  bool moved = true;     // pose set by the caller since the last update
  bool fresh = true;     // new, or with a new shape, since the last collision pass: wakes what it touches
  bool stirred = false;  // moved without a dynamic body since then: wakes what it touches or touched
  uint64_t places = 0;   // counts possible changes of its pose
  bool bounded() const { return shape.kind != ShapeKind::plane; }
};

// Pose of ODE's own geom: round shapes along z, heights along y.
Pose ode_pose(const Geom &geom);

// Bounding box in the world; for finite shapes only.
Box bounds_of(const Geom &geom);

}  // namespace wb
