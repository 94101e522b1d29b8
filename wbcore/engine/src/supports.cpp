// The points on which a shape can stand on a plane.
#include "supports.h"

#include <algorithm>

namespace wb {
namespace {

// Squared sines of the angle between a cylinder's axis and the plane's normal, as in Webots' collider: up to
// 1.8 degrees the cylinder has four fixed points on a rim, up to 18.4 degrees four that follow the lowest
// one.
constexpr double kUpright = 0.001, kStanding = 0.1;

// Distance between a circle and the square of four points on it, as a share of the radius.
constexpr double kBulge = 0.3;

void add_rim(Supports &s, const Vec3 &center, const Vec3 &low, const Vec3 &side, bool standing) {
  s.points[s.count++] = center + low;
  if (!standing) return;
  s.points[s.count++] = center + side;
  s.points[s.count++] = center - low;
  s.points[s.count++] = center - side;
}

Supports of_cylinder(double radius, double height, const Pose &pose, const Vec3 &n) {
  // The lowest direction of a rim is the part of -n perpendicular to the axis; upright, it is undefined and
  // the cylinder's own axes take its place.
  const Vec3 axis = column(pose.rotation, 2), half = axis * (height / 2), across = cross(axis, n);
  const double sine2 = dot(across, across);
  Vec3 low = column(pose.rotation, 1), side = column(pose.rotation, 0);
  if (sine2 >= kUpright) {
    low = normalized(axis * dot(n, axis) - n);
    side = across * (1 / std::sqrt(sine2));
  }
  Supports s;
  const bool standing = sine2 < kStanding;
  add_rim(s, pose.position + half, low * radius, side * radius, standing);
  add_rim(s, pose.position - half, low * radius, side * radius, standing);
  if (standing)
    s.slack = kBulge * radius;
  else
    s.round = radius;
  return s;
}

Supports of_box(const Vec3 &size, const Pose &pose) {
  Supports s;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 p;
    for (int i = 0; i < 3; ++i) p[i] = (corner >> i & 1 ? size[i] : -size[i]) / 2;
    s.points[s.count++] = pose * p;
  }
  s.slack = 1e-3 * norm(size);
  return s;
}

Supports of_capsule(double radius, double height, const Pose &pose, const Vec3 &n) {
  const Vec3 half = column(pose.rotation, 2) * (height / 2), low = pose.position - n * radius;
  return {{low + half, low - half}, height > 0 ? 2 : 1, 1e-3 * radius, radius};
}

}  // namespace

Supports supports_above(const Shape &shape, const Pose &pose, const Vec3 &n) {
  const Vec3 &size = shape.size;
  switch (shape.kind) {
    case ShapeKind::box: return of_box(size, pose);
    case ShapeKind::cylinder: return of_cylinder(size[0], size[1], pose, n);
    case ShapeKind::capsule: return of_capsule(size[0], size[1], pose, n);
    case ShapeKind::sphere: return of_capsule(size[0], 0, pose, n);
    default: return {};
  }
}

Vec3 reach(const Shape &shape, const Mat3 &rotation) {
  const Vec3 &size = shape.size;
  if (shape.kind == ShapeKind::box) return reach_of_box(size, rotation);
  Vec3 r;
  for (int i = 0; i < 3; ++i) {
    // Half the axis along world axis i, plus the radius of the disc seen from there: r sin of the angle. From
    // the cosine z, the sine of a small angle would have half of the digits.
    const double x = rotation[3 * i], y = rotation[3 * i + 1], z = rotation[3 * i + 2];
    const double disc = shape.kind == ShapeKind::cylinder ? std::sqrt(x * x + y * y) : 1;
    const double half = shape.kind == ShapeKind::sphere ? 0 : size[1] / 2;
    r[i] = half * std::fabs(z) + size[0] * disc;
  }
  return r;
}

}  // namespace wb
