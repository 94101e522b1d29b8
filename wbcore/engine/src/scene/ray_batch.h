// Rays from one point, measured against simple shapes many at a time.
//
// Everything is in the frame of the rays, where they begin at the origin. Only front sides are seen.
#pragma once

#include "../vec.h"

namespace wb {

struct RayBatch {
  static constexpr size_t kMost = 64;
  size_t count = 0;
  double x[kMost], y[kMost], z[kMost];  // unit vectors
  double start[kMost];                  // nothing is seen up to here (m)
  double length[kMost];                 // of the nearest surface so far (m); infinite: none
};

// The length of the longest ray.
double longest(const RayBatch &rays);
// Each function shortens the rays that meet the shape. A shape around the origin is invisible.
void measure_box(const Vec3 &size, const Pose &pose, RayBatch &rays);
void measure_sphere(const Vec3 &center, double radius, RayBatch &rays);
// A corner, and the edges to the others. `edge`: tolerance of the weights of the corners.
void measure_triangle(const Vec3 &corner, const Vec3 &first, const Vec3 &second, double edge, RayBatch &rays);

}  // namespace wb
