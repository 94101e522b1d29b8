// The points on which a shape can stand on a plane.
#pragma once

#include "shape.h"
#include "vec.h"

namespace wb {

struct Supports {
  Vec3 points[8];
  int count = 0;
  // How far outside the polygon of the points a contact is still supported by them (m).
  double slack = 0;
  double round = 0;  // radius of a round underside (m): the contact area spreads with depth
};

// For a box, sphere, capsule or cylinder at the pose of its ODE geom above a plane with unit normal `n`.
Supports supports_above(const Shape &shape, const Pose &pose, const Vec3 &n);

// Half extents of the shape's bounding box for this rotation.
Vec3 reach(const Shape &shape, const Mat3 &rotation);

}  // namespace wb
