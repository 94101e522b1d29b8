// Texture coordinates of points on shapes.
#include "mapping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace wb {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kTurn = 2 * kPi;

// The share of a turn, 0 to 1, as Python's remainder.
double share_of_turn(double share) { return share < 0 ? share + 1 : share; }

// Each face shows the whole picture, upright on the sides: that of the face nearest to the point. The
// pictures of top and bottom have their right edges toward +x or, if turned, toward +y.
UV on_box(const Vec3 &p, const Vec3 &size, bool is_turned) {
  const double x = p[0] / size[0] + 0.5, y = p[1] / size[1] + 0.5, z = p[2] / size[2] + 0.5;
  const UV bottom = is_turned ? UV{y, 1 - x} : UV{x, y}, top = is_turned ? UV{y, x} : UV{x, 1 - y};
  const struct {
    double distance;
    UV place;
  } faces[] = {{std::fabs(1 - x) * size[0], {y, 1 - z}},
               {std::fabs(x) * size[0], {1 - y, 1 - z}},
               {std::fabs(z) * size[2], bottom},
               {std::fabs(1 - z) * size[2], top},
               {std::fabs(1 - y) * size[1], {1 - x, 1 - z}},
               {std::fabs(y) * size[1], {x, 1 - z}}};
  return std::min_element(std::begin(faces), std::end(faces),
                          [](const auto &a, const auto &b) { return a.distance < b.distance; })
      ->place;
}

// Longitude and latitude.
UV on_sphere(const Vec3 &p, double radius) {
  const double latitude = std::asin(std::clamp(p[2] / radius, -1.0, 1.0));
  return {0.5 + std::atan2(p[0], -p[1]) / kTurn, 0.5 - latitude / kPi};
}

// The picture wraps around the side; each end shows its inscribed disk.
UV on_cylinder(const Vec3 &p, double radius, double height) {
  const double to_end = height / 2 - std::fabs(p[2]), to_side = radius - std::hypot(p[0], p[1]);
  if (to_end < to_side) {
    const double v = (radius - p[1]) / (2 * radius);
    return {(p[0] + radius) / (2 * radius), p[2] > 0 ? v : 1 - v};
  }
  return {share_of_turn(std::atan2(-p[0], p[1]) / kTurn), 0.5 - p[2] / height};
}

// The middle third wraps around the side, the others cover the hemispheres.
UV on_capsule(const Vec3 &p, double radius, double height) {
  const double u = (std::atan2(p[0], -p[1]) + kPi) / kTurn;
  if (std::fabs(p[2]) <= height / 2) return {u, (2 - (p[2] / height + 0.5)) / 3};
  const double rise = std::asin(std::min((std::fabs(p[2]) - height / 2) / radius, 1.0)) / (kPi / 2) / 3;
  return {u, p[2] > 0 ? 1.0 / 3 - rise : 2.0 / 3 + rise};
}

// The picture wraps around the side; the bottom shows its inscribed disk.
UV on_cone(const Vec3 &p, double radius, double height) {
  if (p[2] <= -height / 2 * (1 - 1e-9))
    return {(p[0] + radius) / (2 * radius), (p[1] + radius) / (2 * radius)};
  return {share_of_turn(std::atan2(-p[0], p[1]) / kTurn), 0.5 - p[2] / height};
}

}  // namespace

// Interpolates the coordinates of the corners with the weights of the second and third one.
UV Mapping::on_triangle(size_t triangle, double u, double v) const {
  const uint32_t *corners = &mesh->triangles[3 * triangle];
  UV place;
  for (size_t k = 0; k < 2; ++k) {
    const double first = (*places)[2 * corners[0] + k];
    place[k] =
        first + u * ((*places)[2 * corners[1] + k] - first) + v * ((*places)[2 * corners[2] + k] - first);
  }
  return place;
}

// The nearest triangle, by distance in and from its plane; none if all are flat.
std::optional<UV> Mapping::on_nearest(const Vec3 &point) const {
  double nearest = std::numeric_limits<double>::infinity();
  std::optional<UV> found;
  for (uint32_t i = 0; i < mesh->triangles.size() / 3; ++i) {
    const Vec3 a = mesh->corner(i, 0), first = mesh->corner(i, 1) - a, second = mesh->corner(i, 2) - a;
    const Vec3 beside = point - a;
    const double aa = dot(first, first), ab = dot(first, second), bb = dot(second, second);
    const double determinant = aa * bb - ab * ab;
    if (determinant <= 0) continue;
    const double ra = dot(first, beside), rb = dot(second, beside);
    const double u = (bb * ra - ab * rb) / determinant, v = (aa * rb - ab * ra) / determinant;
    const Vec3 foot = beside - first * u - second * v;
    const double outside = std::max({0.0, -u, -v, u + v - 1});
    const double distance = dot(foot, foot) + outside * outside * (aa + bb);
    if (distance < nearest) nearest = distance, found = on_triangle(i, u, v);
  }
  return found;
}

std::optional<UV> Mapping::at(const Vec3 &point) const {
  return kind == MappingKind::triangles ? on_nearest(point) : at_hit(point, {0});
}

std::optional<UV> Mapping::at_hit(const Vec3 &point, const TriangleHit &hit) const {
  const Vec3 p = axes * point;
  switch (kind) {
    case MappingKind::box: return on_box(p, size, is_flipped);
    case MappingKind::plane: return UV{p[0] / size[0] + 0.5, 0.5 - p[1] / size[1]};
    case MappingKind::sphere: return on_sphere(p, size[0]);
    case MappingKind::cylinder: return on_cylinder(p, size[0], size[1]);
    case MappingKind::capsule: return on_capsule(p, size[0], size[1]);
    case MappingKind::cone: return on_cone(p, size[0], size[1]);
    case MappingKind::grid: return UV{p[0] / size[0], is_flipped ? p[1] / size[1] : 1 - p[1] / size[1]};
    case MappingKind::triangles:
      if (hit.triangle >= 0) return on_triangle(static_cast<size_t>(hit.triangle), hit.u, hit.v);
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace wb
