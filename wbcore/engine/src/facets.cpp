// Triangles of a shape's surface, to be clipped at the surface of a fluid.
#include "facets.h"

#include <numbers>

namespace wb {
namespace {

constexpr int kAround = 48;  // sides that approximate a round shape
constexpr int kCapRings = 8;

// Radius of a regular polygon with the area of a circle of radius r.
double same_area(double r) {
  const double angle = 2 * std::numbers::pi / kAround;
  return r * std::sqrt(angle / std::sin(angle));
}

void add_quad(std::vector<Facet> &out, const Vec3 &a, const Vec3 &b, const Vec3 &c, const Vec3 &d) {
  out.push_back({a, b, c});
  out.push_back({a, c, d});
}

std::vector<Facet> box_facets(const Vec3 &size) {
  const Vec3 h = size * 0.5;
  const auto p = [&](int i) {
    return Vec3{i & 1 ? h[0] : -h[0], i & 2 ? h[1] : -h[1], i & 4 ? h[2] : -h[2]};
  };
  std::vector<Facet> out;
  constexpr int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                               {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto &f : faces) add_quad(out, p(f[0]), p(f[1]), p(f[2]), p(f[3]));
  return out;
}

Vec3 on_ring(double radius, double z, int i) {
  const double angle = 2 * std::numbers::pi * i / kAround;
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

// Solid of revolution about z from rings of (radius, height), from bottom to top.
std::vector<Facet> revolved(const std::vector<std::array<double, 2>> &rings) {
  std::vector<Facet> out;
  const auto &low = rings.front(), &high = rings.back();
  for (int i = 0; i < kAround; ++i) {
    for (size_t k = 0; k + 1 < rings.size(); ++k)
      add_quad(out, on_ring(rings[k][0], rings[k][1], i), on_ring(rings[k][0], rings[k][1], i + 1),
               on_ring(rings[k + 1][0], rings[k + 1][1], i + 1),
               on_ring(rings[k + 1][0], rings[k + 1][1], i));
    out.push_back({Vec3{0, 0, low[1]}, on_ring(low[0], low[1], i + 1), on_ring(low[0], low[1], i)});
    out.push_back({Vec3{0, 0, high[1]}, on_ring(high[0], high[1], i), on_ring(high[0], high[1], i + 1)});
  }
  return out;
}

std::vector<Facet> capsule_facets(double radius, double height) {
  const double r = same_area(radius);
  std::vector<std::array<double, 2>> rings;
  for (int side : {-1, 1})
    for (int k = 0; k <= kCapRings; ++k) {
      const double angle = std::numbers::pi / 2 * (side < 0 ? kCapRings - k : k) / kCapRings;
      rings.push_back({r * std::cos(angle), side * (height / 2 + radius * std::sin(angle))});
    }
  return revolved(rings);
}

double volume(const std::vector<Facet> &facets) {
  double v = 0;
  for (const Facet &f : facets) v += dot(f[0], cross(f[1], f[2])) / 6;
  return v;
}

}  // namespace

std::vector<Facet> facets_of(const Shape &shape) {
  std::vector<Facet> out;
  const double r = shape.size[0], h = shape.size[1];
  switch (shape.kind) {
    case ShapeKind::box: out = box_facets(shape.size); break;
    case ShapeKind::cylinder: out = revolved({{same_area(r), -h / 2}, {same_area(r), h / 2}}); break;
    case ShapeKind::capsule: {
      out = capsule_facets(r, h);
      const double scale = std::cbrt(volume_of_capsule(r, h) / volume(out));
      for (Facet &f : out)
        for (Vec3 &p : f) p = p * scale;
      break;
    }
    case ShapeKind::mesh: {
      const auto &v = shape.mesh->vertices;
      const auto &t = shape.mesh->triangles;
      const auto p = [&](uint32_t i) { return Vec3{v[3 * i], v[3 * i + 1], v[3 * i + 2]}; };
      for (size_t i = 0; i + 2 < t.size(); i += 3) out.push_back({p(t[i]), p(t[i + 1]), p(t[i + 2])});
      break;
    }
    default: break;
  }
  const Mat3 frame = shape.kind == ShapeKind::mesh ? kIdentity : shape.ode_frame().rotation;
  for (Facet &f : out)
    for (Vec3 &p : f) p = frame * p;
  return out;
}

}  // namespace wb
