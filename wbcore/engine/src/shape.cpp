// Shapes of collision geometries and the ODE geoms made from them.
#include "shape.h"

#include <algorithm>
#include <utility>

#include "errors.h"
#include "ode_runtime.h"

namespace wb {
namespace {

// Columns: ODE's z along the shape's y.
const Mat3 kStandAlongY = from_columns({1, 0, 0}, {0, 0, -1}, {0, 1, 0});
// Columns: ODE's y (the direction of heights) along the shape's z.
const Mat3 kHeightsAlongZ = from_columns({1, 0, 0}, {0, 0, 1}, {0, -1, 0});

void check_triangles(const std::vector<double> &vertices, const std::vector<uint32_t> &triangles) {
  require_finite("vertices", vertices);
  if (vertices.size() % 3 || triangles.size() % 3 || triangles.empty())
    throw std::invalid_argument("a mesh needs vertices of 3 numbers and at least one triangle of 3 indices");
  const uint32_t count = static_cast<uint32_t>(vertices.size() / 3);
  for (uint32_t i : triangles) require(i < count, "triangle index", "below the number of vertices", i);
}

void check_grid(const HeightGrid &g) {
  require(g.columns >= 2, "columns", "2 or more", g.columns);
  require(g.rows >= 2, "rows", "2 or more", g.rows);
  require_positive("x spacing", g.x_spacing);
  require_positive("y spacing", g.y_spacing);
  require_not_negative("thickness", g.thickness);
  require_finite("heights", g.heights);
  if (g.heights.size() != static_cast<size_t>(g.columns) * g.rows)
    throw std::invalid_argument("heights must hold rows * columns numbers");
}

// The grid's rows are along ODE's z, which is -y of a shape along z: the row order is reversed.
std::vector<double> ode_heights(const HeightGrid &g, UpAxis up) {
  if (up == UpAxis::y) return g.heights;
  std::vector<double> flipped;
  flipped.reserve(g.heights.size());
  for (int row = g.rows - 1; row >= 0; --row)
    flipped.insert(flipped.end(), g.heights.begin() + row * g.columns,
                   g.heights.begin() + (row + 1) * g.columns);
  return flipped;
}

dHeightfieldDataID build_heights(const HeightGrid &g, UpAxis up) {
  const auto samples = ode_heights(g, up);
  dHeightfieldDataID data = dGeomHeightfieldDataCreate();
  dGeomHeightfieldDataBuildDouble(data, samples.data(), 1, (g.columns - 1) * g.x_spacing,
                                  (g.rows - 1) * g.y_spacing, g.columns, g.rows, 1, 0, g.thickness, 0);
  dGeomHeightfieldDataSetBounds(data, g.low, g.high);
  return data;
}

// Smallest extent of points (x, y, z, x, ...) along an axis.
double thinnest(const std::vector<double> &points) {
  double least = HUGE_VAL;
  for (size_t axis = 0; axis < 3; ++axis) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = axis; i < points.size(); i += 3)
      low = std::min(low, points[i]), high = std::max(high, points[i]);
    least = std::min(least, high - low);
  }
  return least;
}

}  // namespace

Mesh::Mesh(std::vector<double> v, std::vector<uint32_t> t) : vertices(std::move(v)), triangles(std::move(t)) {
  check_triangles(vertices, triangles);
  enter_ode();
  data_ = dGeomTriMeshDataCreate();
  dGeomTriMeshDataBuildDouble(data_, vertices.data(), 3 * sizeof(double),
                              static_cast<int>(vertices.size() / 3), triangles.data(),
                              static_cast<int>(triangles.size()), 3 * sizeof(uint32_t));
}

Vec3 Mesh::corner(uint32_t triangle, int which) const {
  const double *v = &vertices[3 * triangles[3 * triangle + which]];
  return {v[0], v[1], v[2]};
}

const Tree &Mesh::tree() const {
  std::call_once(planted_, [this] {
    for (uint32_t t = 0; t < triangles.size() / 3; ++t) {
      Box box{corner(t, 0), corner(t, 0)};
      for (int k : {1, 2}) box = box.merged({corner(t, k), corner(t, k)});
      tree_.insert(box, t);
    }
  });
  return tree_;
}

const Triangles &Mesh::faces() const {
  std::call_once(faced_, [this] { faces_.emplace(vertices, triangles); });
  return *faces_;
}

Mesh::~Mesh() { dGeomTriMeshDataDestroy(data_); }

Shape Shape::box(const Vec3 &size) {
  for (double edge : size) require_positive("size", edge);
  return {ShapeKind::box, size, UpAxis::z, {}, {}};
}

Shape Shape::sphere(double radius) {
  require_positive("radius", radius);
  return {ShapeKind::sphere, {radius, 0, 0}, UpAxis::z, {}, {}};
}

Shape Shape::capsule(double radius, double height) {
  require_positive("radius", radius);
  require_positive("height", height);
  return {ShapeKind::capsule, {radius, height, 0}, UpAxis::z, {}, {}};
}

Shape Shape::cylinder(double radius, double height) {
  require_positive("radius", radius);
  require_positive("height", height);
  return {ShapeKind::cylinder, {radius, height, 0}, UpAxis::z, {}, {}};
}

Shape Shape::plane() { return {ShapeKind::plane, kZero, UpAxis::z, {}, {}}; }

Shape Shape::of_mesh(std::shared_ptr<Mesh> mesh) {
  return {ShapeKind::mesh, kZero, UpAxis::z, std::move(mesh), {}};
}

Shape Shape::heightfield(HeightGrid grid) {
  check_grid(grid);
  const auto [low, high] = std::minmax_element(grid.heights.begin(), grid.heights.end());
  grid.low = *low, grid.high = *high;
  return {ShapeKind::heightfield, kZero, UpAxis::z, {}, std::make_shared<HeightGrid>(std::move(grid))};
}

Shape Shape::frustum(double bottom, double top, double height, uint8_t parts) {
  require_not_negative("bottom", bottom);
  require_not_negative("top", top);
  require_positive("bottom + top", bottom + top);
  require_positive("height", height);
  return {ShapeKind::frustum, {bottom, height, top}, UpAxis::z, {}, {}, parts};
}

Box Shape::height_bounds(const Pose &ode_pose) const {
  const double floor = grid->low - grid->thickness;
  const Vec3 middle = ode_pose * Vec3{0, (floor + grid->high) / 2, 0};
  const Vec3 size{(grid->columns - 1) * grid->x_spacing, grid->high - floor,
                  (grid->rows - 1) * grid->y_spacing};
  const Vec3 half = reach_of_box(size, ode_pose.rotation);
  return {middle - half, middle + half};
}

Pose Shape::ode_frame() const {
  if (kind == ShapeKind::heightfield) {
    const double x = (grid->columns - 1) * grid->x_spacing / 2, y = (grid->rows - 1) * grid->y_spacing / 2;
    return up == UpAxis::y ? Pose{{x, 0, y}, kIdentity} : Pose{{x, y, 0}, kHeightsAlongZ};
  }
  const bool stands = kind == ShapeKind::capsule || kind == ShapeKind::cylinder || kind == ShapeKind::plane ||
                      kind == ShapeKind::frustum;
  return {kZero, stands && up == UpAxis::y ? kStandAlongY : kIdentity};
}

Mass Shape::mass(double density) const {
  require_positive("density", density);
  const double r = size[0], h = size[1];
  switch (kind) {
    case ShapeKind::box: return Mass::box(density * volume_of_box(size), size);
    case ShapeKind::sphere: return Mass::sphere(density * volume_of_sphere(r), r);
    case ShapeKind::capsule:
      return Mass::capsule(density * volume_of_capsule(r, h), r, h).transformed(ode_frame());
    case ShapeKind::cylinder:
      return Mass::cylinder(density * volume_of_cylinder(r, h), r, h).transformed(ode_frame());
    case ShapeKind::mesh: return Mass::mesh(density, mesh->vertices, mesh->triangles);
    default:
      throw std::invalid_argument("planes, height fields and frustums have no volume and therefore no mass");
  }
}

double half_thickness(const Shape &shape) {
  const Vec3 &s = shape.size;
  switch (shape.kind) {
    case ShapeKind::box: return std::min({s[0], s[1], s[2]}) / 2;
    case ShapeKind::sphere:
    case ShapeKind::capsule: return s[0];
    case ShapeKind::cylinder: return std::min(s[0], s[1] / 2);
    case ShapeKind::mesh: return thinnest(shape.mesh->vertices) / 2;
    default: return HUGE_VAL;  // planes and height fields cannot belong to a moving body
  }
}

OdeGeom::OdeGeom(const Shape &shape) {
  enter_ode();
  const Vec3 &s = shape.size;
  switch (shape.kind) {
    case ShapeKind::box: id_ = dCreateBox(nullptr, s[0], s[1], s[2]); break;
    case ShapeKind::sphere: id_ = dCreateSphere(nullptr, s[0]); break;
    case ShapeKind::capsule: id_ = dCreateCapsule(nullptr, s[0], s[1]); break;
    case ShapeKind::cylinder: id_ = dCreateCylinder(nullptr, s[0], s[1]); break;
    case ShapeKind::plane: id_ = dCreatePlane(nullptr, 0, 0, 1, 0); break;
    case ShapeKind::mesh: id_ = dCreateTriMesh(nullptr, shape.mesh->ode(), nullptr, nullptr, nullptr); break;
    case ShapeKind::heightfield:
      heights_ = build_heights(*shape.grid, shape.up);
      id_ = dCreateHeightfield(nullptr, heights_, 1);
      break;
    case ShapeKind::frustum: throw std::invalid_argument("frustums are only visible and have no contacts");
  }
}

OdeGeom::OdeGeom(OdeGeom &&other) noexcept
    : id_(std::exchange(other.id_, nullptr)), heights_(std::exchange(other.heights_, nullptr)) {}

OdeGeom &OdeGeom::operator=(OdeGeom &&other) noexcept {
  std::swap(id_, other.id_);
  std::swap(heights_, other.heights_);
  return *this;
}

OdeGeom::~OdeGeom() {
  if (id_) dGeomDestroy(id_);
  if (heights_) dGeomHeightfieldDataDestroy(heights_);
}

}  // namespace wb
