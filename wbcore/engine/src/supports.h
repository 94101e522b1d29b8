// The points of a shape that can be lowest above a plane: where it stands.
#pragma once

#include "shape.h"
#include "vec.h"

namespace wb {

struct Supports {
  Vec3 points[8];
  int count = 0;
  // How far a contact may lie outside the polygon of the points and still be held by them (m).
  double slack = 0;
  double round = 0;  // radius of a round underside (m): it spreads as it is pressed in
};

// For a box, sphere, capsule or cylinder at the pose of its ODE geom above a plane with unit normal `n`.
Supports supports_above(const Shape &shape, const Pose &pose, const Vec3 &n);

// Half the edges of the shape's bounding box in the frame in which it has this rotation.
Vec3 reach(const Shape &shape, const Mat3 &rotation);

}  // namespace wb
