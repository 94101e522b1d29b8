// Rays from one point, measured against simple shapes many at a time.
//
// The loops have no branches, so that the compiler makes vector instructions of them. All instructions round
// as those for single numbers do: each processor gives the same bits.
#include "ray_batch.h"

#include <cmath>
#include <limits>

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define VECTORIZED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTORIZED
#endif

namespace wb {
namespace {}  // namespace

void begin(RayBatch &rays) {
  std::fill_n(rays.length, rays.count, kInfinity);
  for (size_t i = rays.count; i < rays.padded(); ++i) {
    rays.x[i] = rays.x[0], rays.y[i] = rays.y[0], rays.z[i] = rays.z[0];
    rays.length[i] = -kInfinity;
  }
}

VECTORIZED void aim(const Plane &plane, const double *left, const double *up, size_t columns,
                    RayBatch &rays) {
  const Vec3 side = plane.to_left;
  for (size_t row = 0, at = 0; at < rays.count; ++row, at += columns) {
    const Vec3 middle = plane.forward + plane.to_up * up[row];
    double *x = rays.x + at, *y = rays.y + at, *z = rays.z + at;
    for (size_t i = 0; i < columns; ++i) {
      x[i] = middle[0] + side[0] * left[i];
      y[i] = middle[1] + side[1] * left[i];
      z[i] = middle[2] + side[2] * left[i];
    }
  }
}

VECTORIZED bool is_longer(const RayBatch &rays, double length) {
  for (size_t i = 0, count = rays.padded(); i < count; i += RayBatch::kLanes) {
    int longer = 0;
    for (size_t k = 0; k < RayBatch::kLanes; ++k) longer |= rays.length[i + k] >= length;
    if (longer) return true;
  }
  return false;
}

VECTORIZED void write_lengths(const RayBatch &rays, double least, double most, float *lengths) {
  constexpr float kNone = std::numeric_limits<float>::infinity();
  for (size_t i = 0, count = rays.padded(); i < count; ++i) {
    const auto length = static_cast<float>(rays.length[i]);
    lengths[i] = ((length >= least) & (length < most)) ? length : kNone;
  }
}

// Slabs, in the frame of the box.
VECTORIZED void measure_box(const Vec3 &size, const Pose &pose, RayBatch &rays) {
  const Vec3 from = local_point(pose, kZero);
  const Vec3 a = column(pose.rotation, 0), b = column(pose.rotation, 1), c = column(pose.rotation, 2);
  const double half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
  // Where a ray goes on that runs along a slab.
  double along[3];
  for (int k = 0; k < 3; ++k) along[k] = std::fabs(from[k]) > half[k] ? kInfinity : -kInfinity;
  for (size_t i = 0, count = rays.padded(); i < count; ++i) {
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
    const bool is_met = (enter <= leave) & (enter >= rays.start) & (enter < rays.length[i]);
    rays.length[i] = is_met ? enter : rays.length[i];
  }
}

VECTORIZED void measure_sphere(const Vec3 &center, double radius, RayBatch &rays) {
  const double outside = dot(center, center) - radius * radius;
  if (outside < 0) return;
  for (size_t i = 0, count = rays.padded(); i < count; ++i) {
    const double x = rays.x[i], y = rays.y[i], z = rays.z[i];
    const double square = x * x + y * y + z * z;
    const double middle = center[0] * x + center[1] * y + center[2] * z;
    const double under = middle * middle - square * outside;
    const double length = (middle - std::sqrt(under < 0 ? 0 : under)) / square;
    const bool is_met = (under >= 0) & (length >= rays.start) & (length < rays.length[i]);
    rays.length[i] = is_met ? length : rays.length[i];
  }
}

// Moeller and Trumbore 1997, with the products that all rays from a point share.
VECTORIZED void measure_triangle(const Vec3 &corner, const Vec3 &first, const Vec3 &second, double edge,
                                 RayBatch &rays) {
  const Vec3 from = -corner;
  const Vec3 front = cross(second, first), u_of = cross(second, from), v_of = cross(from, first);
  const double height = dot(second, v_of);
  for (const Vec3 &inside :
       {front, u_of + front * edge, v_of + front * edge, front * (1 + edge) - u_of - v_of})
    if (rays.cone.is_averse(inside)) return;
  for (size_t i = 0, count = rays.padded(); i < count; ++i) {
    const double x = rays.x[i], y = rays.y[i], z = rays.z[i];
    const double facing = front[0] * x + front[1] * y + front[2] * z;  // positive: seen from the front
    const double inverse = 1 / facing;
    const double u = (u_of[0] * x + u_of[1] * y + u_of[2] * z) * inverse;
    const double v = (v_of[0] * x + v_of[1] * y + v_of[2] * z) * inverse;
    const double length = height * inverse;
    const bool is_inside = (facing > 0) & (u >= -edge) & (u <= 1 + edge) & (v >= -edge) & (u + v <= 1 + edge);
    const bool is_met = is_inside & (length >= rays.start) & (length < rays.length[i]);
    rays.length[i] = is_met ? length : rays.length[i];
  }
}

}  // namespace wb
