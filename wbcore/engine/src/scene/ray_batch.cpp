// Rays from one point, measured against simple shapes many at a time.
//
// The loops have no branches, so that the compiler makes vector instructions of them. All instructions round
// as those for single numbers do: each processor gives the same bits.
#include "ray_batch.h"

#include <cmath>
#include <limits>

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define VECTORIZED __attribute__((target_clones("avx2", "default")))
#else
#define VECTORIZED
#endif

namespace wb {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

// In lanes, as a vector instruction compares them.
VECTORIZED double longest(const RayBatch &rays) {
  constexpr size_t kLanes = 8;
  double most[kLanes] = {};
  size_t i = 0;
  for (; i + kLanes <= rays.count; i += kLanes)
    for (size_t k = 0; k < kLanes; ++k) most[k] = rays.length[i + k] > most[k] ? rays.length[i + k] : most[k];
  for (; i < rays.count; ++i) most[0] = rays.length[i] > most[0] ? rays.length[i] : most[0];
  for (double one : most) most[0] = one > most[0] ? one : most[0];
  return most[0];
}

// Slabs, in the frame of the box.
VECTORIZED void measure_box(const Vec3 &size, const Pose &pose, RayBatch &rays) {
  const Vec3 from = local_point(pose, kZero);
  const Vec3 a = column(pose.rotation, 0), b = column(pose.rotation, 1), c = column(pose.rotation, 2);
  const double half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
  // Where a ray goes on that runs along a slab.
  double along[3];
  for (int k = 0; k < 3; ++k) along[k] = std::fabs(from[k]) > half[k] ? kInfinity : -kInfinity;
  for (size_t i = 0; i < rays.count; ++i) {
    const double x = rays.x[i], y = rays.y[i], z = rays.z[i];
    const double v[3] = {a[0] * x + a[1] * y + a[2] * z, b[0] * x + b[1] * y + b[2] * z,
                         c[0] * x + c[1] * y + c[2] * z};
    double enter = -kInfinity, leave = kInfinity;
    for (int k = 0; k < 3; ++k) {
      const double inverse = 1 / v[k], first = (-half[k] - from[k]) * inverse,
                   second = (half[k] - from[k]) * inverse;
      const double low = v[k] == 0 ? along[k] : (first < second ? first : second);
      const double high = v[k] == 0 ? kInfinity : (first < second ? second : first);
      enter = low > enter ? low : enter;
      leave = high < leave ? high : leave;
    }
    const bool is_met = (enter <= leave) & (enter >= rays.start[i]) & (enter < rays.length[i]);
    rays.length[i] = is_met ? enter : rays.length[i];
  }
}

VECTORIZED void measure_sphere(const Vec3 &center, double radius, RayBatch &rays) {
  const double outside = dot(center, center) - radius * radius;
  if (outside < 0) return;
  for (size_t i = 0; i < rays.count; ++i) {
    const double middle = center[0] * rays.x[i] + center[1] * rays.y[i] + center[2] * rays.z[i];
    const double under = middle * middle - outside;
    const double length = middle - std::sqrt(under < 0 ? 0 : under);
    const bool is_met = (under >= 0) & (length >= rays.start[i]) & (length < rays.length[i]);
    rays.length[i] = is_met ? length : rays.length[i];
  }
}

// Moeller and Trumbore 1997, with the products that all rays from a point share.
VECTORIZED void measure_triangle(const Vec3 &corner, const Vec3 &first, const Vec3 &second, double edge,
                                 RayBatch &rays) {
  const Vec3 from = -corner;
  const Vec3 front = cross(second, first), u_of = cross(second, from), v_of = cross(from, first);
  const double height = dot(second, v_of);
  for (size_t i = 0; i < rays.count; ++i) {
    const double x = rays.x[i], y = rays.y[i], z = rays.z[i];
    const double facing = front[0] * x + front[1] * y + front[2] * z;  // positive: seen from the front
    const double inverse = 1 / facing;
    const double u = (u_of[0] * x + u_of[1] * y + u_of[2] * z) * inverse;
    const double v = (v_of[0] * x + v_of[1] * y + v_of[2] * z) * inverse;
    const double length = height * inverse;
    const bool is_inside = (facing > 0) & (u >= -edge) & (u <= 1 + edge) & (v >= -edge) & (u + v <= 1 + edge);
    const bool is_met = is_inside & (length >= rays.start[i]) & (length < rays.length[i]);
    rays.length[i] = is_met ? length : rays.length[i];
  }
}

}  // namespace wb
