// The direction along which a cylinder and a box, cylinder or capsule overlap least.
#include "least_overlap.h"

#include <algorithm>

#include "colliders.h"

namespace wb {
namespace {

constexpr int kTried = 24;                          // directions first tried on a circle
constexpr double kSpacing = 2 * M_PI / kTried;      // between them (rad)
constexpr int kNarrowings = 24;                     // golden-section steps around the best one
constexpr double kWidest = 0.3, kNarrowest = 1e-5;  // step sizes of the search around a direction (rad)

struct CoarseAngles {
  CoarseAngles() {
    for (int i = 0; i < kTried; ++i) cosine[i] = std::cos(i * kSpacing), sine[i] = std::sin(i * kSpacing);
  }
  double cosine[kTried], sine[kTried];
};

// Half of the shape's extent along a unit vector.
double extent(const Shape &shape, const Mat3 &m, const Vec3 &n) {
  const Vec3 &s = shape.size;
  const double upright = std::fabs(dot(column(m, 2), n));
  switch (shape.kind) {
    case ShapeKind::box:
      return (s[0] * std::fabs(dot(column(m, 0), n)) + s[1] * std::fabs(dot(column(m, 1), n)) +
              s[2] * upright) /
             2;
    case ShapeKind::cylinder:
      return upright * s[1] / 2 + s[0] * std::sqrt(std::max(0.0, 1 - upright * upright));
    default: return upright * s[1] / 2 + s[0];
  }
}

// The outermost point of a cylinder or capsule along a unit vector; `certain` if it is unique.
Vec3 outermost(const Shape &shape, const Pose &pose, const Vec3 &d, bool &certain) {
  const Vec3 axis = column(pose.rotation, 2);
  const double upright = dot(axis, d);
  const Vec3 across = d - axis * upright;
  const double tilt = norm(across);
  const bool round = shape.kind == ShapeKind::capsule;
  certain = std::fabs(upright) > 1e-4 && (round || tilt > 1e-4);
  const Vec3 rim = round ? d * shape.size[0] : tilt > 0 ? across * (shape.size[0] / tilt) : kZero;
  return pose.position + axis * std::copysign(shape.size[1] / 2, upright) + rim;
}

Line axis_of(const Shape &shape, const Pose &pose) {
  const Vec3 along = column(pose.rotation, 2) * shape.size[1];
  return {pose.position - along * 0.5, along};
}

}  // namespace

LeastOverlap::LeastOverlap(const Geom &cylinder, const Geom &other)
    : a_(cylinder.shape),
      b_(other.shape),
      at_(ode_pose(cylinder)),
      bt_(ode_pose(other)),
      apart_(at_.position - bt_.position) {}

bool LeastOverlap::search() {
  if (!consider_axis(column(at_.rotation, 2))) return false;
  switch (b_.kind) {
    case ShapeKind::box: return search_box();
    case ShapeKind::cylinder: return consider_axis(column(bt_.rotation, 2)) && consider_axes();
    default: return consider_axes() && consider_ends();
  }
}

// The overlap has a crease at directions perpendicular to an axis.
bool LeastOverlap::search_creases() {
  return search_coarsely(column(at_.rotation, 2), own_circle_) &&
         search_coarsely(column(bt_.rotation, 2), other_circle_);
}

bool LeastOverlap::refine() {
  return search_closely(own_circle_) && search_closely(other_circle_) && search_around();
}

double LeastOverlap::along(const Vec3 &n) const {
  return extent(a_, at_.rotation, n) + extent(b_, bt_.rotation, n) - dot(n, apart_);
}

bool LeastOverlap::consider(const Vec3 &n) {
  const double overlap = along(n);
  if (overlap < overlap_ * (1 - 1e-9)) overlap_ = overlap, normal_ = n;
  return overlap > 0;
}

bool LeastOverlap::consider_axis(const Vec3 &n) { return consider(dot(n, apart_) < 0 ? -n : n); }

// Considers a direction of any length; a zero vector has no effect.
bool LeastOverlap::consider_way(const Vec3 &way) {
  const double length = norm(way);
  return length < 1e-6 * a_.size[0] || consider_axis(way * (1 / length));
}

// Side to side, crossing or parallel.
bool LeastOverlap::consider_axes() {
  double s, t;
  const Line a = axis_of(a_, at_), b = axis_of(b_, bt_);
  nearest_on_lines(a, b, s, t);
  return consider_way(a.at(s) - b.at(t));
}

// The hemispheres of a capsule against the rim.
bool LeastOverlap::consider_ends() {
  const Line b = axis_of(b_, bt_);
  for (double t : {0.0, 1.0}) {
    const Vec3 end = local_point(at_, b.at(t));
    const double out = std::hypot(end[0], end[1]), half = a_.size[1] / 2;
    if (out <= a_.size[0] || std::fabs(end[2]) <= half) continue;
    const double share = a_.size[0] / out;
    const Vec3 rim{end[0] * share, end[1] * share, std::copysign(half, end[2])};
    if (!consider_way(at_.rotation * (end - rim))) return false;
  }
  return true;
}

bool LeastOverlap::search_box() {
  // Separating axes of convex shapes: face normals, then edges across the cylinder's axis.
  for (int i = 0; i < 3; ++i)
    if (!consider_axis(column(bt_.rotation, i))) return false;
  const Vec3 axis = column(at_.rotation, 2);
  for (int i = 0; i < 3; ++i)
    if (const Vec3 way = cross(axis, column(bt_.rotation, i)); dot(way, way) > 1e-6)
      if (!consider_axis(normalized(way))) return false;
  return consider_way(bt_.rotation * way_from_box(axis_of(a_, inverse(bt_) * at_), b_.size * 0.5));
}

// Finds the valley. Along one direction shapes are apart: it ends there.
bool LeastOverlap::search_coarsely(const Vec3 &axis, Circle &circle) const {
  static const CoarseAngles angles;
  circle = {any_perpendicular(axis), {}, 0, HUGE_VAL};
  circle.y = cross(axis, circle.x);
  for (int i = 0; i < kTried; ++i) {
    const double overlap = along(circle.at(angles.cosine[i], angles.sine[i]));
    if (overlap <= 0) return false;
    if (overlap < circle.least) circle.least = overlap, circle.best = i * kSpacing;
  }
  return true;
}

// The golden-section search finds the lowest point of the valley.
bool LeastOverlap::search_closely(const Circle &circle) {
  constexpr double golden = 0.6180339887498949;
  double low = circle.best - kSpacing, high = circle.best + kSpacing;
  double p = high - golden * (high - low), q = low + golden * (high - low), fp = along(circle.at(p)),
         fq = along(circle.at(q));
  for (int i = 0; i < kNarrowings; ++i)
    if (fp < fq) {
      high = q, q = p, fq = fp, p = high - golden * (high - low), fp = along(circle.at(p));
    } else {
      low = p, p = q, fp = fq, q = low + golden * (high - low), fq = along(circle.at(q));
    }
  return consider(circle.at((low + high) / 2));
}

// Pattern search: steps to the best of four neighbors while that helps, then smaller steps. The pattern is
// rotated each time so that no valley falls between its directions.
bool LeastOverlap::search_around() {
  double turn = 0;
  for (double step = kWidest; step > kNarrowest; turn += 0.7) {
    const Vec3 from = normal_, x = any_perpendicular(from), y = cross(from, x);
    const double before = overlap_;
    for (int i = 0; i < 4; ++i) {
      const double angle = turn + i * M_PI / 2;
      if (!consider(normalized(from + (x * std::cos(angle) + y * std::sin(angle)) * step))) return false;
    }
    step *= overlap_ < before ? 1.3 : 0.5;
  }
  return true;
}

Vec3 LeastOverlap::point() const {
  bool certain;
  const Vec3 own = outermost(a_, at_, -normal_, certain);
  if (certain) return own;
  const Vec3 its = outermost(b_, bt_, normal_, certain);
  return certain ? its - normal_ * overlap_ : own;
}

}  // namespace wb
