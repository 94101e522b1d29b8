// One collision geometry: a shape fixed to a body or to the world, with what decides about its contacts.
#pragma once

#include "facets.h"
#include "shape.h"
#include "slots.h"
#include "tree.h"

namespace wb {

// How a geom takes part in collision detection.
enum class GeomRole : uint8_t {
  solid,   // makes contacts; between two geoms without a dynamic body nothing is tested
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
  Mat3 plane_axes = kIdentity;  // and how it lies there

  std::vector<Facet> facets;  // made when the geom is first immersed

  // Bounds now, and the leaf of the tree with some room around them. Planes have none.
  Box bounds;
  uint32_t leaf = kNone;
  bool moved = true;    // pose set by hand since the last look
  bool fresh = true;    // new, or of another shape, since the last collision pass: wakes what it touches
  uint64_t places = 0;  // how often its pose may have changed
  bool bounded() const { return shape.kind != ShapeKind::plane; }
};

// Pose of ODE's own geom: round shapes along z, heights along y.
Pose ode_pose(const Geom &geom);

// Bounding box in the world; only for shapes with an end.
Box bounds_of(const Geom &geom);

}  // namespace wb
