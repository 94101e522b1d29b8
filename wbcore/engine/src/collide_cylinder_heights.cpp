// A cylinder on a height field: ODE uses its inaccurate collider of cylinder and plane for each triangle.
#include <algorithm>

#include "colliders.h"
#include "supports.h"

namespace wb {
namespace {

// The grid in the frame of ODE's geom: x along columns, y up, z along rows, the origin in the middle.
class Cells {
 public:
  explicit Cells(const Shape &shape) : g_(*shape.grid), turned_(shape.up == UpAxis::z) {}

  Vec3 vertex(int column, int row) const {
    const int stored = turned_ ? g_.rows - 1 - row : row;
    return {(column - (g_.columns - 1) / 2.0) * g_.x_spacing, g_.heights[stored * g_.columns + column],
            (row - (g_.rows - 1) / 2.0) * g_.y_spacing};
  }
  double column_at(double x) const { return x / g_.x_spacing + (g_.columns - 1) / 2.0; }
  double row_at(double z) const { return z / g_.y_spacing + (g_.rows - 1) / 2.0; }
  // Indices of the cells between two coordinates, clamped to the grid.
  void range(double low, double high, int cells, int &first, int &last) const {
    first = static_cast<int>(std::floor(std::clamp(low, 0.0, cells * 1.0)));
    last = static_cast<int>(std::floor(std::clamp(high, 0.0, cells - 1.0)));
  }
  int columns() const { return g_.columns - 1; }
  int rows() const { return g_.rows - 1; }

 private:
  const HeightGrid &g_;
  bool turned_;
};

// The diagonal from +x to +z divides a cell into two triangles, so each point is in exactly one.
bool in_triangle(const Cells &cells, const Vec3 &p, int column, int row, bool near_corner) {
  const double u = cells.column_at(p[0]) - column, v = cells.row_at(p[2]) - row;
  if (u < 0 || v < 0 || u >= 1 || v >= 1) return false;
  return (u + v < 1) == near_corner;
}

}  // namespace

void collide_cylinder_heights(const Geom &cylinder, const Geom &heights, ContactSink &sink) {
  const Pose ground = ode_pose(heights), pose = inverse(ground) * ode_pose(cylinder);
  const Cells cells(heights.shape);
  const Vec3 half = reach(cylinder.shape, pose.rotation);
  int c0, c1, r0, r1;
  cells.range(cells.column_at(pose.position[0] - half[0]), cells.column_at(pose.position[0] + half[0]),
              cells.columns(), c0, c1);
  cells.range(cells.row_at(pose.position[2] - half[2]), cells.row_at(pose.position[2] + half[2]),
              cells.rows(), r0, r1);
  // Each cell has two triangles; the points on which the cylinder can stand touch where they are below one.
  for (int r = r0; r <= r1; ++r)
    for (int c = c0; c <= c1; ++c)
      for (bool near_corner : {true, false}) {
        const Vec3 x = cells.vertex(c + 1, r), z = cells.vertex(c, r + 1);
        const Vec3 corner = near_corner ? cells.vertex(c, r) : cells.vertex(c + 1, r + 1);
        const Vec3 across = cross(z - corner, x - corner), n = normalized(near_corner ? across : -across);
        const Supports s = supports_above(cylinder.shape, pose, n);
        for (int i = 0; i < s.count; ++i) {
          const double depth = dot(n, corner - s.points[i]);
          if (depth > 0 && in_triangle(cells, s.points[i], c, r, near_corner))
            sink.add(ground * s.points[i], ground.rotation * n, depth);
        }
      }
}

}  // namespace wb
