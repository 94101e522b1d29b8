// Rays from one point, measured against simple shapes many at a time.
//
// Everything is in the frame of the rays, where they begin at the origin. Only front sides are seen.
#pragma once

#include <algorithm>

#include "../vec.h"

namespace wb {

// All directions up to an angle from a unit vector.
struct Cone {
  Vec3 axis = kZero;
  double cosine = -1, sine = 0;  // of half the angle

  // True if each direction has more than a right angle to `way`; with room for rounding.
  bool is_averse(const Vec3 &way) const {
    if (cosine <= 0) return false;
    const double along = dot(axis, way), square = dot(way, way);
    const double across = std::sqrt(std::max(0.0, square - along * along));
    return along * cosine + across * sine < -1e-9 * std::sqrt(square);
  }
};

struct RayBatch {
  static constexpr size_t kMost = 64;
  // The functions measure multiples of this many rays; those after `count` meet nothing.
  static constexpr size_t kLanes = 8;
  size_t count = 0;
  double x[kMost], y[kMost], z[kMost];  // their ways, which need not be unit vectors
  double start = 0;                     // nothing is seen up to here (in ways)
  double length[kMost];                 // to the nearest surface so far (in ways); infinite: none
  Cone cone;                            // around the ways

  size_t padded() const { return (count + kLanes - 1) / kLanes * kLanes; }
};

// Forgets what the rays have met; call it when their ways are set.
void begin(RayBatch &rays);
// Sets ways: `forward` + left[i] * `to_left` + up[k] * `to_up`, with `columns` values i for each k.
struct Plane {
  Vec3 forward, to_left, to_up;
};
void aim(const Plane &plane, const double *left, const double *up, size_t columns, RayBatch &rays);
// True if a ray has at least this length (in ways).
bool is_longer(const RayBatch &rays, double length);
// Writes the lengths of all `padded` rays; infinite below `least` and from `most` on.
void write_lengths(const RayBatch &rays, double least, double most, float *lengths);
// Each function shortens the rays that meet the shape. A shape around the origin is invisible.
void measure_box(const Vec3 &size, const Pose &pose, RayBatch &rays);
void measure_sphere(const Vec3 &center, double radius, RayBatch &rays);
// A corner, and the edges to the others. `edge`: tolerance of the weights of the corners.
void measure_triangle(const Vec3 &corner, const Vec3 &first, const Vec3 &second, double edge, RayBatch &rays);

}  // namespace wb
