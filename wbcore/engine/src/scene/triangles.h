// The triangles of a mesh in a tree, for rays.
#pragma once

#include <cstdint>
#include <vector>

#include "bvh.h"
#include "ray_batch.h"

namespace wb {

// The nearest triangle so far; initially `length` is that of the ray.
struct TriangleHit {
  double length;
  int32_t triangle = -1;
  double u = 0, v = 0;  // weights of the second and third corner
  Vec3 normal = kZero;  // unit vector toward the ray's origin
};

// How far rays may be from another one: their origin (m), and the difference of their unit vectors.
struct Near {
  double shift, turn;

  double room(double length) const { return shift + turn * length; }  // m, on their whole length
};

class Triangles {
 public:
  // vertices: x, y, z, x ...; triangles: three indices each, counterclockwise from outside.
  Triangles(const std::vector<double> &vertices, const std::vector<uint32_t> &triangles);

  // Updates `hit` if a triangle is nearer. `direction` is a unit vector. `front_only`: backs are invisible.
  void cast(const Vec3 &origin, const Vec3 &direction, bool front_only, TriangleHit &hit) const;
  // False if neither this ray nor one that is `near` it hits a triangle.
  bool may_meet(const Segment &segment, double length, bool front_only, const Near &near) const;
  // The same for many rays from one point, with the mesh at `pose` in their frame. Returns false, and does
  // nothing, if the tree is faster.
  bool measure(const Pose &pose, RayBatch &rays) const;
  const Box &bounds() const { return tree_.bounds(); }

 private:
  struct Corner {
    Vec3 corner, first, second;  // one corner, and the edges to the others
  };
  void test(uint32_t triangle, const Vec3 &origin, const Vec3 &direction, bool front_only,
            TriangleHit &hit) const;
  bool may_hit(const Corner &triangle, const Segment &segment, double length, bool front_only,
               const Near &near) const;

  Bvh tree_;
  std::vector<Corner> corners_;
};

}  // namespace wb
