// Texture coordinates of points on shapes: u from the left, v from the top, 0 to 1.
//
// Source: manual, the texture mappings of the geometries; corners and seams as in Webots.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "../shape.h"

namespace wb {

using UV = std::array<double, 2>;

enum class MappingKind : uint8_t { none, box, plane, sphere, cylinder, capsule, cone, grid, triangles };

struct Mapping {
  MappingKind kind = MappingKind::none;
  // Box and plane: edges; grid: width and depth; round shapes: radius and height.
  Vec3 size = kZero;
  // From the shape's own axes to those in which round shapes, planes and grids are along z.
  Mat3 axes = kIdentity;
  // Grid: the top of the picture is at the start of the rows. Box: pictures of top and bottom have their
  // right edges toward +y.
  bool is_flipped = false;
  // Triangles whose vertices have coordinates: u, v for each.
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const std::vector<double>> places;

  // Coordinates where a ray has hit the shape, at a point in its own frame (m).
  std::optional<UV> at_hit(const Vec3 &point, const TriangleHit &hit) const;
  // Coordinates of any point near the surface, by the triangle nearest to it.
  std::optional<UV> at(const Vec3 &point) const;

 private:
  UV on_triangle(size_t triangle, double u, double v) const;
  std::optional<UV> on_nearest(const Vec3 &point) const;
};

}  // namespace wb
