// Shapes of collision geometries and the ODE geoms made from them.
#pragma once

#include <ode/ode.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "mass.h"
#include "scene/triangles.h"
#include "tree.h"
#include "vec.h"

namespace wb {

// Frustums are only visible: they have neither mass nor contacts.
enum class ShapeKind : uint8_t { box, sphere, capsule, cylinder, plane, mesh, heightfield, frustum };

// The parts of a frustum's surface.
enum FrustumPart : uint8_t { kBottom = 1, kSide = 2, kTop = 4 };

// The local axis of round shapes, planes and height fields: y in worlds up to R2021b, else z.
enum class UpAxis : uint8_t { y, z };

// Triangles in ODE's own form, shared by the geoms that use them.
class Mesh {
 public:
  Mesh(std::vector<double> vertices, std::vector<uint32_t> triangles);
  ~Mesh();
  Mesh(const Mesh &) = delete;
  Mesh &operator=(const Mesh &) = delete;

  const std::vector<double> vertices;
  const std::vector<uint32_t> triangles;
  dTriMeshDataID ode() const { return data_; }
  Vec3 corner(uint32_t triangle, int which) const;
  // The triangles in a tree, created on first use. Worlds in several threads may share a mesh.
  const Tree &tree() const;
  // The triangles in a tree for rays; as above.
  const Triangles &faces() const;

 private:
  dTriMeshDataID data_;
  mutable std::once_flag planted_, faced_;
  mutable Tree tree_;
  mutable std::optional<Triangles> faces_;
};

// Heights on a grid; row 0 and column 0 are at the local origin.
struct HeightGrid {
  int columns, rows;
  double x_spacing, y_spacing, thickness;
  std::vector<double> heights;  // row-major: heights[row * columns + column]
  double low = 0, high = 0;     // of the heights
};

struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  // Box: edges; sphere: radius; capsule, cylinder: radius, height; frustum: radius of the bottom, height,
  // radius of the top.
  Vec3 size{1, 1, 1};
  UpAxis up = UpAxis::z;
  std::shared_ptr<Mesh> mesh;
  std::shared_ptr<HeightGrid> grid;
  uint8_t parts = kBottom | kSide | kTop;  // of a frustum

  static Shape box(const Vec3 &size);
  static Shape sphere(double radius);
  static Shape capsule(double radius, double height);
  static Shape cylinder(double radius, double height);
  static Shape plane();
  static Shape of_mesh(std::shared_ptr<Mesh> mesh);
  static Shape heightfield(HeightGrid grid);
  static Shape frustum(double bottom, double top, double height, uint8_t parts);

  // Bounds of a height field at the pose of its ODE geom. ODE's own are too small unless the field is level.
  Box height_bounds(const Pose &ode_pose) const;
  // Pose of ODE's geom in the shape's own frame: ODE has round shapes along z and heights along y.
  Pose ode_frame() const;
  // Mass at `density` in the shape's own frame; planes and height fields have none and throw.
  Mass mass(double density) const;
};

// Half of the shape's smallest extent (m): a body that moves farther in a step may pass through a surface.
double half_thickness(const Shape &shape);

inline void to_ode(const Mat3 &m, dMatrix3 r) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) r[4 * i + j] = m[3 * i + j];
    r[4 * i + 3] = 0;
  }
}

// An owned ODE geom. Height fields need data that lives as long as the geom.
class OdeGeom {
 public:
  OdeGeom() = default;
  explicit OdeGeom(const Shape &shape);
  OdeGeom(OdeGeom &&other) noexcept;
  OdeGeom &operator=(OdeGeom &&other) noexcept;
  ~OdeGeom();
  dGeomID id() const { return id_; }

 private:
  dGeomID id_ = nullptr;
  dHeightfieldDataID heights_ = nullptr;
};

}  // namespace wb
