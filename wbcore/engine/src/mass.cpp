// Mass, center of mass and inertia of solids, and their composition.
#include "mass.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "errors.h"

namespace wb {
namespace {

Mat3 diagonal(double x, double y, double z) { return {x, 0, 0, 0, y, 0, 0, 0, z}; }

Mat3 sum(const Mat3 &a, const Mat3 &b, double factor) {
  Mat3 r;
  for (int i = 0; i < 9; ++i) r[i] = a[i] + factor * b[i];
  return r;
}

// Sylvester's criterion: all leading minors positive.
bool positive_definite(const Mat3 &m) {
  const double minor2 = m[0] * m[4] - m[1] * m[3];
  const double det = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
                     m[2] * (m[3] * m[7] - m[4] * m[6]);
  return m[0] > 0 && minor2 > 0 && det > 0;
}

// Sums over the tetrahedra from the origin to each triangle: volume, first and second moments.
struct Moments {
  double volume = 0;
  Vec3 first = kZero;
  Mat3 second{};  // integral of x_i x_j

  void add(const Vec3 &a, const Vec3 &b, const Vec3 &c) {
    const double v = dot(a, cross(b, c)) / 6;
    const Vec3 s = a + b + c;
    volume += v;
    first += s * (v / 4);
    // Over a tetrahedron with one corner at the origin: V/20 (s_i s_j + sum of corner_i corner_j).
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        second[3 * i + j] += v / 20 * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
  }
};

Vec3 corner(std::span<const double> vertices, uint32_t i) {
  return {vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]};
}

}  // namespace

double volume_of_box(const Vec3 &s) { return s[0] * s[1] * s[2]; }
double volume_of_sphere(double r) { return 4.0 / 3.0 * std::numbers::pi * r * r * r; }
double volume_of_cylinder(double r, double h) { return std::numbers::pi * r * r * h; }
double volume_of_capsule(double r, double h) { return volume_of_cylinder(r, h) + volume_of_sphere(r); }

Mat3 point_inertia(double m, const Vec3 &p) {
  const double s = dot(p, p);
  Mat3 r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[3 * i + j] = m * ((i == j ? s : 0) - p[i] * p[j]);
  return r;
}

Mat3 turned_inertia(const Mat3 &rotation, const Mat3 &inertia) {
  const auto product = [](const Mat3 &a, const Mat3 &b) {
    Mat3 r;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        r[3 * i + j] = std::fma(a[3 * i + 2], b[6 + j], std::fma(a[3 * i + 1], b[3 + j], a[3 * i] * b[j]));
    return r;
  };
  return product(product(rotation, inertia), transposed(rotation));
}

Mass Mass::box(double m, const Vec3 &s) {
  const double x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
  return {m, kZero, diagonal(m / 12 * (y + z), m / 12 * (x + z), m / 12 * (x + y))};
}

Mass Mass::sphere(double m, double r) {
  const double i = 0.4 * m * r * r;
  return {m, kZero, diagonal(i, i, i)};
}

Mass Mass::cylinder(double m, double r, double h) {
  const double across = m * (r * r / 4 + h * h / 12);
  return {m, kZero, diagonal(across, across, m * r * r / 2)};
}

// A cylinder and two hemispheres, whose centers of mass are 3/8 r from their flat sides.
Mass Mass::capsule(double m, double r, double h) {
  const double ball_share = volume_of_sphere(r) / volume_of_capsule(r, h);
  const double mc = m * (1 - ball_share), ms = m * ball_share;
  const double across = mc * (r * r / 4 + h * h / 12) + ms * (0.4 * r * r + h * h / 4 + 0.375 * r * h);
  return {m, kZero, diagonal(across, across, mc * r * r / 2 + 0.4 * ms * r * r)};
}

Mass Mass::mesh(double density, std::span<const double> vertices, std::span<const uint32_t> triangles) {
  Moments moments;
  for (size_t i = 0; i + 2 < triangles.size(); i += 3)
    moments.add(corner(vertices, triangles[i]), corner(vertices, triangles[i + 1]),
                corner(vertices, triangles[i + 2]));
  if (!(moments.volume > 0))
    throw std::invalid_argument(
        "the mesh encloses no positive volume; it must be closed and its triangles must "
        "turn counterclockwise seen from outside");
  const double m = density * moments.volume;
  const Vec3 center = moments.first * (1 / moments.volume);
  const Mat3 &s = moments.second;
  const double trace = s[0] + s[4] + s[8];
  // I = tr(S) 1 - S for second moments S about the origin; the parallel axis theorem moves it to the center.
  const Mat3 about_origin = sum(diagonal(density * trace, density * trace, density * trace), s, -density);
  return {m, center, sum(about_origin, point_inertia(m, center), -1)};
}

Mass Mass::transformed(const Pose &pose) const {
  return {mass, pose * center, pose.rotation * inertia * transposed(pose.rotation)};
}

Mass Mass::scaled_to(double total) const {
  require_positive("total mass", total);
  require_positive("mass to scale", mass);
  return {total, center, sum(Mat3{}, inertia, total / mass)};
}

Mass Mass::with_center(const Vec3 &new_center) const { return {mass, new_center, inertia}; }

Mass Mass::operator+(const Mass &other) const {
  const double m = mass + other.mass;
  if (!(m > 0)) return {0, kZero, sum(inertia, other.inertia, 1)};
  const Vec3 c = (center * mass + other.center * other.mass) * (1 / m);
  Mat3 total = sum(inertia, other.inertia, 1);
  total = sum(total, point_inertia(mass, center - c), 1);
  return {m, c, sum(total, point_inertia(other.mass, other.center - c), 1)};
}

void Mass::check() const {
  require_positive("mass", mass);
  require_finite("center of mass", center);
  require_finite("inertia", inertia);
  const double size = std::max({std::fabs(inertia[0]), std::fabs(inertia[4]), std::fabs(inertia[8])});
  for (auto [i, j] : {std::pair{1, 3}, {2, 6}, {5, 7}})
    if (std::fabs(inertia[i] - inertia[j]) > 1e-9 * size)
      throw std::invalid_argument("the inertia matrix must be symmetric");
  if (!positive_definite(inertia))
    throw std::invalid_argument("the inertia matrix must be positive definite");
}

}  // namespace wb
