// The triangles of a mesh in a tree, for rays (Moeller and Trumbore 1997, in double precision).
#include "triangles.h"

namespace wb {
namespace {

// Tolerance of the weights: a ray through a common edge hits at least one of both triangles.
constexpr double kEdge = 1e-12;
constexpr size_t kFew = 4;  // triangles that are tested without the tree, such as those of a plane

}  // namespace

Triangles::Triangles(const std::vector<double> &vertices, const std::vector<uint32_t> &triangles) {
  const auto point = [&](uint32_t i) {
    return Vec3{vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]};
  };
  std::vector<Box> boxes;
  boxes.reserve(triangles.size() / 3);
  corners_.reserve(triangles.size() / 3);
  for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
    const Vec3 a = point(triangles[i]), b = point(triangles[i + 1]), c = point(triangles[i + 2]);
    corners_.push_back({a, b - a, c - a});
    boxes.push_back(Box{a, a}.merged({b, b}).merged({c, c}));
  }
  tree_.build(boxes);
}

void Triangles::cast(const Vec3 &origin, const Vec3 &direction, bool front_only, TriangleHit &hit) const {
  if (corners_.size() <= kFew) {
    for (uint32_t i = 0; i < corners_.size(); ++i) test(i, origin, direction, front_only, hit);
    return;
  }
  tree_.cast(Segment(origin, direction), hit.length, [&](uint32_t triangle, double) {
    test(triangle, origin, direction, front_only, hit);
    return hit.length;
  });
}

bool Triangles::may_meet(const Segment &segment, double length, bool front_only, const Near &near) const {
  const double room = near.room(length);
  return tree_.any(segment, length + room, room, [&](uint32_t triangle) {
    return may_hit(corners_[triangle], segment, length, front_only, near);
  });
}

// The terms of `test` before their division by the determinant, with the most by which they can differ.
bool Triangles::may_hit(const Corner &t, const Segment &segment, double length, bool front_only,
                        const Near &near) const {
  const Vec3 p = cross(segment.direction, t.second), s = segment.origin - t.corner, q = cross(s, t.first);
  const double first = norm(t.first), second = norm(t.second);
  const double tilt = near.turn * first * second;  // of the determinant
  double determinant = dot(t.first, p), u = dot(s, p), v = dot(segment.direction, q), way = dot(t.second, q);
  if (front_only && determinant < -tilt) return false;
  if (determinant < 0) determinant = -determinant, u = -u, v = -v, way = -way;
  const double aside = near.room(norm(s));
  const double in_u = second * aside + tilt, in_v = first * aside + tilt;
  const double in_way = first * second * near.shift + length * tilt;
  return u >= -in_u && v >= -in_v && u + v <= determinant + in_u + in_v && way >= -in_way &&
         way <= length * determinant + in_way;
}

bool Triangles::measure(const Pose &pose, RayBatch &rays) const {
  if (corners_.size() > kFew) return false;
  for (const Corner &t : corners_)
    measure_triangle(pose * t.corner, pose.rotation * t.first, pose.rotation * t.second, kEdge, rays);
  return true;
}

void Triangles::test(uint32_t triangle, const Vec3 &origin, const Vec3 &direction, bool front_only,
                     TriangleHit &hit) const {
  const Corner &t = corners_[triangle];
  const Vec3 p = cross(direction, t.second);
  const double determinant = dot(t.first, p);  // positive: seen from the front
  if (determinant == 0 || (front_only && determinant < 0)) return;
  const double inverse = 1 / determinant;
  const Vec3 s = origin - t.corner;
  const double u = dot(s, p) * inverse;
  if (!(u >= -kEdge && u <= 1 + kEdge)) return;
  const Vec3 q = cross(s, t.first);
  const double v = dot(direction, q) * inverse;
  if (!(v >= -kEdge && u + v <= 1 + kEdge)) return;
  const double length = dot(t.second, q) * inverse;
  if (!(length >= 0 && length <= hit.length)) return;
  const auto number = static_cast<int32_t>(triangle);
  // At equal distances the first triangle wins, independent of the search order.
  if (length == hit.length && hit.triangle >= 0 && number > hit.triangle) return;
  const Vec3 normal = normalized(cross(t.first, t.second));
  hit = {length, number, u, v, determinant > 0 ? normal : -normal};
}

}  // namespace wb
