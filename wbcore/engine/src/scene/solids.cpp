// Rays against boxes, spheres, capsules, cylinders and frustums.
#include "solids.h"

#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb {
namespace {

struct Sphere {
  Vec3 center;
  double radius;
};

// `leaving`: where the ray leaves the sphere.
bool at_sphere(const AimedRay &ray, const Sphere &s, bool leaving, bool front_only, SolidHit &hit) {
  const Vec3 q = ray.origin - s.center;
  const double b = dot(q, ray.direction), c = dot(q, q) - s.radius * s.radius;  // c < 0: starts inside
  if (front_only && c < 0) return false;
  const double k = b * b - c;
  if (k < 0) return false;
  const double root = std::sqrt(k);
  double length = leaving && c >= 0 ? -b + root : -b - root;
  if (length < 0 && !(leaving && c >= 0)) length = -b + root;
  if (length < 0 || length > hit.length) return false;
  const Vec3 out = ray.origin + ray.direction * length - s.center;
  hit = {length, normalized(c < 0 || leaving ? -out : out)};
  return true;
}

// Slabs, in the frame of the box.
bool at_box(const AimedRay &ray, const Vec3 &size, const Pose &pose, bool front_only, SolidHit &hit) {
  Vec3 s = local_point(pose, ray.origin), v = unrotate(pose.rotation, ray.direction);
  double sign[3], enter = -kInfinity, leave = kInfinity;
  int entered = 0, left = 0;
  bool inside = true;
  for (int i = 0; i < 3; ++i) {
    const double half = 0.5 * size[i];
    inside = inside && std::fabs(s[i]) < half;
    sign[i] = v[i] < 0 ? 1 : -1;
    if (v[i] < 0) s[i] = -s[i], v[i] = -v[i];
    if ((s[i] < -half && v[i] <= 0) || s[i] > half) return false;
    if (v[i] == 0) continue;
    const double low = (-half - s[i]) / v[i], high = (half - s[i]) / v[i];
    if (low > enter) enter = low, entered = i;
    if (high < leave) leave = high, left = i;
  }
  if (enter > leave || (front_only && inside)) return false;
  const double length = enter >= 0 ? enter : leave;
  const int face = enter >= 0 ? entered : left;
  if (length < 0 || length > hit.length) return false;
  hit = {length, column(pose.rotation, face) * sign[face]};
  return true;
}

// The side as an infinite cylinder, and the spheres at its ends.
bool at_capsule(const AimedRay &ray, const Vec3 &size, const Pose &pose, bool front_only, SolidHit &hit) {
  const double radius = size[0], half = size[1] * 0.5;
  const Vec3 axis = column(pose.rotation, 2), from = ray.origin - pose.position;
  double k = dot(axis, from);  // the origin along the axis
  const Vec3 q = axis * k - from;
  const double c = dot(q, q) - radius * radius;  // c < 0: inside of the infinite cylinder
  bool inside = false;
  if (c < 0) {
    k = std::clamp(k, -half, half);
    const Vec3 beside = ray.origin - (pose.position + axis * k);
    inside = dot(beside, beside) < radius * radius;
  }
  if (front_only && inside) return false;
  if (!inside && c < 0) {
    k = k < 0 ? -half : half;
  } else {
    const double uv = dot(axis, ray.direction);
    const Vec3 r = axis * uv - ray.direction;
    const double a = dot(r, r), b = 2 * dot(q, r), under = b * b - 4 * a * c;
    if (under < 0) {
      if (!inside) return false;
      k = uv < 0 ? -half : half;
    } else {
      const double root = std::sqrt(under), share = 1 / (2 * a);
      double length = (-b - root) * share;
      if (length < 0) length = (-b + root) * share;
      if (length < 0 || length > hit.length) return false;
      const Vec3 place = ray.origin + ray.direction * length;
      k = dot(place - pose.position, axis);
      if (k >= -half && k <= half) {
        const Vec3 out = place - (pose.position + axis * k);
        hit = {length, normalized(inside ? -out : out)};
        return true;
      }
      k = k < 0 ? -half : half;
    }
  }
  return at_sphere(ray, {pose.position + axis * k, radius}, inside, false, hit);
}

// In the frame of the cylinder: the end that the ray may meet first, and the side.
bool at_cylinder(const AimedRay &ray, const Vec3 &size, const Pose &pose, bool front_only, SolidHit &hit) {
  const double radius = size[0], half = size[1] * 0.5, square = radius * radius;
  Vec3 p = local_point(pose, ray.origin), d = unrotate(pose.rotation, ray.direction);
  const double c = p[0] * p[0] + p[1] * p[1] - square;
  const bool in_radius = c <= 0, in_ends = std::fabs(p[2]) <= half, inside = in_radius && in_ends;
  if (front_only && c < 0 && std::fabs(p[2]) < half) return false;
  const bool along = d[0] == 0 && d[1] == 0, across = d[2] == 0;
  double length = -kInfinity;
  Vec3 normal = kZero;
  if (!across && (!in_ends || in_radius)) {
    const bool mirrored = inside ? d[2] < 0 : d[2] > 0;
    const double sign = mirrored ? -1 : 1;
    const double at = (half - sign * p[2]) / (sign * d[2]);
    if (at >= 0 && at <= hit.length) {
      const double x = p[0] + at * d[0], y = p[1] + at * d[1];
      if (x * x + y * y <= square) length = at, normal = {0, 0, mirrored != inside ? -1.0 : 1.0};
    }
  }
  if (length < 0 && !along && (!in_radius || in_ends)) {
    const double a = d[0] * d[0] + d[1] * d[1], b = 2 * (p[0] * d[0] + p[1] * d[1]), k = b * b - 4 * a * c;
    if (k >= 0 && (b < 0 || b * b <= k)) {
      const double root = std::sqrt(k), share = 1 / (2 * a);
      const double at = std::fabs(b) <= root ? (-b + root) * share : (-b - root) * share;
      if (at <= hit.length && std::fabs(p[2] + at * d[2]) <= half) {
        const double turn = inside ? -1 : 1;
        length = at;
        normal = {turn * ((p[0] + at * d[0]) / radius), turn * ((p[1] + at * d[1]) / radius), 0};
      }
    }
  }
  if (!(length > 0)) return false;
  hit = {length, pose.rotation * normal};
  return true;
}

// In the frame of the frustum: disks at its ends, and the side, where the distance from the axis is
// middle + slope z. Each of these surfaces has a front and a back.
bool at_frustum(const AimedRay &ray, const Vec3 &size, uint8_t parts, const Pose &pose, bool front_only,
                SolidHit &hit) {
  const double half = size[1] * 0.5, slope = (size[2] - size[0]) / size[1],
               middle = (size[0] + size[2]) * 0.5;
  const Vec3 p = local_point(pose, ray.origin), d = unrotate(pose.rotation, ray.direction);
  double length = hit.length;
  Vec3 normal = kZero;
  const auto consider = [&](double at, const Vec3 &out) {
    const double facing = dot(out, d);  // negative: seen from the front
    if (!(at >= 0 && at <= length) || (front_only && facing >= 0)) return;
    length = at, normal = facing < 0 ? out : -out;
  };
  for (int end = -1; end <= 1; end += 2) {
    if (!(parts & (end < 0 ? kBottom : kTop)) || d[2] == 0) continue;
    const double at = (end * half - p[2]) / d[2], radius = size[end < 0 ? 0 : 2];
    const double x = p[0] + at * d[0], y = p[1] + at * d[1];
    if (x * x + y * y <= radius * radius) consider(at, {0, 0, static_cast<double>(end)});
  }
  if (parts & kSide) {
    const double r = middle + slope * p[2], growth = slope * d[2];
    const double a = d[0] * d[0] + d[1] * d[1] - growth * growth;
    const double b = p[0] * d[0] + p[1] * d[1] - r * growth, c = p[0] * p[0] + p[1] * p[1] - r * r;
    const double under = b * b - a * c;
    const auto side = [&](double at) {
      const Vec3 q = p + d * at;
      if (std::isfinite(at) && std::fabs(q[2]) <= half)
        consider(at, normalized({q[0], q[1], -slope * (middle + slope * q[2])}));
    };
    if (under >= 0) {
      const double q = -(b + std::copysign(std::sqrt(under), b));
      side(q / a), side(c / q);
    }
  }
  if (normal == kZero) return false;
  hit = {length, pose.rotation * normal};
  return true;
}

}  // namespace

bool cast_at_solid(const AimedRay &ray, ShapeKind kind, uint8_t parts, const Vec3 &size, const Pose &pose,
                   bool front_only, SolidHit &hit) {
  switch (kind) {
    case ShapeKind::box: return at_box(ray, size, pose, front_only, hit);
    case ShapeKind::sphere: return at_sphere(ray, {pose.position, size[0]}, false, front_only, hit);
    case ShapeKind::capsule: return at_capsule(ray, size, pose, front_only, hit);
    case ShapeKind::cylinder: return at_cylinder(ray, size, pose, front_only, hit);
    case ShapeKind::frustum: return at_frustum(ray, size, parts, pose, front_only, hit);
    default: return false;
  }
}

Vec3 ode_direction(const Vec3 &direction) {
  dVector3 n = {direction[0], direction[1], direction[2], 0};
  dNormalize3(n);
  return {n[0], n[1], n[2]};
}

}  // namespace wb
