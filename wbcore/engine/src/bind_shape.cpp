// Bindings of masses and shapes.
#include "bind.h"

namespace wb {
namespace {

using namespace nb::literals;

using DoubleArray = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using IndexArray = nb::ndarray<const uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T, class Array>
std::vector<T> flat(const Array &a) {
  return std::vector<T>(a.data(), a.data() + a.size());
}

Mass make_mass(double mass, const Vec3 &center, const Mat3 &inertia) {
  const Mass m{mass, center, inertia};
  m.check();
  return m;
}

std::shared_ptr<Mesh> make_mesh(const DoubleArray &vertices, const IndexArray &triangles) {
  require(vertices.shape(1) == 3, "columns of vertices", "3", static_cast<double>(vertices.shape(1)));
  require(triangles.shape(1) == 3, "columns of triangles", "3", static_cast<double>(triangles.shape(1)));
  return std::make_shared<Mesh>(flat<double>(vertices), flat<uint32_t>(triangles));
}

UpAxis axis_named(const std::string &name) {
  if (name == "y") return UpAxis::y;
  if (name == "z") return UpAxis::z;
  throw std::invalid_argument("up must be 'y' or 'z', not '" + name + "'");
}

Shape standing(Shape shape, const std::string &up) {
  shape.up = axis_named(up);
  return shape;
}

Shape make_heights(const DoubleArray &heights, double x_spacing, double y_spacing, double thickness,
                   const std::string &up) {
  HeightGrid grid{static_cast<int>(heights.shape(1)),
                  static_cast<int>(heights.shape(0)),
                  x_spacing,
                  y_spacing,
                  thickness,
                  flat<double>(heights)};
  return standing(Shape::heightfield(std::move(grid)), up);
}

const char *shape_kind(const Shape &s) {
  constexpr const char *names[] = {"box",   "sphere", "capsule",     "cylinder",
                                   "plane", "mesh",   "heightfield", "frustum"};
  return names[static_cast<int>(s.kind)];
}

}  // namespace

void bind_mass(nb::module_ &m) {
  m.def("turned_inertia", &turned_inertia, "rotation"_a, "inertia"_a,
        "Inertia of a turned body, R I R^T; both matrices 3x3 row-major. The same bits on every processor.");
  nb::class_<Mass>(
      m, "Mass",
      "Mass (kg), center (m) and inertia (kg m^2, 3x3 row-major, about the center, along the axes of the "
      "frame the center is given in). Immutable; `a + b` puts two together.")
      .def_static("of", &make_mass, "mass"_a, "center"_a, "inertia"_a,
                  "Create from numbers. ValueError unless mass > 0 and the inertia is symmetric and positive "
                  "definite.")
      .def_static(
          "box",
          [](double mass, const Vec3 &size) {
            require_positive("mass", mass);
            return Mass::box(mass, Shape::box(size).size);
          },
          "mass"_a, "size"_a)
      .def_static(
          "sphere",
          [](double mass, double r) {
            require_positive("mass", mass);
            return Mass::sphere(mass, Shape::sphere(r).size[0]);
          },
          "mass"_a, "radius"_a)
      .def_static(
          "cylinder",
          [](double mass, double r, double h, const std::string &up) {
            require_positive("mass", mass);
            return standing(Shape::cylinder(r, h), up).mass(1).scaled_to(mass);
          },
          "mass"_a, "radius"_a, "height"_a, "up"_a = "z")
      .def_static(
          "capsule",
          [](double mass, double r, double h, const std::string &up) {
            require_positive("mass", mass);
            return standing(Shape::capsule(r, h), up).mass(1).scaled_to(mass);
          },
          "mass"_a, "radius"_a, "height"_a, "up"_a = "z")
      .def_prop_ro("mass", [](const Mass &x) { return x.mass; })
      .def_prop_ro("center", [](const Mass &x) { return x.center; })
      .def_prop_ro("inertia", [](const Mass &x) { return x.inertia; })
      .def(
          "transformed",
          [](const Mass &x, const Vec3 &p, const Quat &q) { return x.transformed(pose_of(p, q)); },
          "position"_a = kZero, "orientation"_a = kUnitQuat,
          "The same mass in a frame in which it has this pose.")
      .def("scaled_to", &Mass::scaled_to, "total"_a, "The same distribution with another total mass (kg).")
      .def("with_center", &Mass::with_center, "center"_a,
           "The same mass and inertia about its center, with the center elsewhere.")
      .def("check", &Mass::check, "ValueError unless the mass is physically valid.")
      .def("__add__", &Mass::operator+);
  m.def(
      "axis_angle",
      [](const Vec3 &axis, double angle) {
        require_finite("angle", angle);
        const Vec3 u = require_direction("axis", axis);
        const double s = std::sin(angle / 2);
        return Quat{std::cos(angle / 2), u[0] * s, u[1] * s, u[2] * s};
      },
      "axis"_a, "angle"_a, "Quaternion (w, x, y, z) of the rotation by `angle` (rad) about `axis`.");
}

void bind_shape(nb::module_ &m) {
  nb::class_<Mesh>(m, "Mesh", nb::is_weak_referenceable(), "Triangles that several shapes can share.")
      .def_static(
          "of", &make_mesh, "vertices"_a, "triangles"_a,
          "vertices: (n, 3) float64, m; triangles: (k, 3) uint32. ValueError for indices out of range.")
      .def_prop_ro(
          "vertices",
          [](const std::shared_ptr<Mesh> &m) {
            return view(m->vertices.data(), {m->vertices.size() / 3, 3}, nb::find(m));
          },
          nb::rv_policy::automatic, "(n, 3) float64, m. A view.")
      .def_prop_ro(
          "triangles",
          [](const std::shared_ptr<Mesh> &m) {
            return view(m->triangles.data(), {m->triangles.size() / 3, 3}, nb::find(m));
          },
          nb::rv_policy::automatic, "(k, 3) uint32. A view.");
  nb::class_<Shape>(
      m, "Shape",
      "A collision shape. Round shapes, planes and height fields stand along the local axis `up`: 'z', "
      "or 'y' as in worlds up to R2021b. Lengths in m.")
      .def_static(
          "box", [](const Vec3 &size, const std::string &up) { return standing(Shape::box(size), up); },
          "size"_a, "up"_a = "z")
      .def_static(
          "sphere", [](double r, const std::string &up) { return standing(Shape::sphere(r), up); },
          "radius"_a, "up"_a = "z")
      .def_static(
          "capsule",
          [](double r, double h, const std::string &up) { return standing(Shape::capsule(r, h), up); },
          "radius"_a, "height"_a, "up"_a = "z", "`height` is that of the cylinder between the hemispheres.")
      .def_static(
          "cylinder",
          [](double r, double h, const std::string &up) { return standing(Shape::cylinder(r, h), up); },
          "radius"_a, "height"_a, "up"_a = "z")
      .def_static(
          "plane", [](const std::string &up) { return standing(Shape::plane(), up); }, "up"_a = "z",
          "An infinite solid below its local plane through the origin.")
      .def_static(
          "mesh", [](std::shared_ptr<Mesh> mesh) { return Shape::of_mesh(std::move(mesh)); }, "mesh"_a)
      .def_static(
          "heightfield", &make_heights, "heights"_a, "x_spacing"_a, "y_spacing"_a, "thickness"_a = 0.0,
          "up"_a = "z",
          "heights: (rows, columns) float64. Column i is at i * x_spacing along x, row j at j * y_spacing "
          "along y (along z if up is 'y'); `thickness` of solid ground below the lowest point.")
      .def_static(
          "frustum",
          [](double bottom, double top, double height, bool has_bottom, bool has_side, bool has_top,
             const std::string &up) {
            const int parts = has_bottom * kBottom + has_side * kSide + has_top * kTop;
            return standing(Shape::frustum(bottom, top, height, static_cast<uint8_t>(parts)), up);
          },
          "bottom"_a, "top"_a, "height"_a, "has_bottom"_a = true, "has_side"_a = true, "has_top"_a = true,
          "up"_a = "z",
          "The surface of a cone, cut cone or open cylinder with these radii at its ends. Only visible: it "
          "has neither mass nor contacts.")
      .def_prop_ro("kind", &shape_kind)
      .def_prop_ro(
          "triangles", [](const Shape &s) { return s.mesh; }, "The mesh; None for other shapes.")
      .def_prop_ro(
          "size", [](const Shape &s) { return s.size; },
          "box: edges; sphere: (radius, 0, 0); capsule, cylinder: (radius, height, 0); frustum: "
          "(radius of the bottom, height, radius of the top)")
      .def_prop_ro("up", [](const Shape &s) { return s.up == UpAxis::y ? "y" : "z"; })
      .def(
          "mass", &Shape::mass, "density"_a = 1000.0,
          "Mass at a density (kg/m^3). ValueError for planes, height fields and meshes that are not closed.");
}

}  // namespace wb
