// The volume, area and centroid of the part of a shape below the surface of a fluid.
#include "fluid.h"

#include <algorithm>
#include <numbers>

#include "facets.h"

namespace wb {
namespace {

using std::numbers::pi;

double height_above_center(const Shape &shape) {
  switch (shape.kind) {
    case ShapeKind::box: return shape.size[shape.up == UpAxis::y ? 1 : 2] / 2;
    case ShapeKind::sphere: return shape.size[0];
    case ShapeKind::capsule: return shape.size[0] + shape.size[1] / 2;
    case ShapeKind::cylinder: return shape.size[1] / 2;
    default: return 0;
  }
}

// Cap of a sphere whose center is `depth` below the surface.
Immersed immerse_sphere(double r, const Vec3 &center, const FluidSurface &surface) {
  Immersed part;
  part.full_area = 4 * pi * r * r;
  const double depth = surface.level - dot(surface.normal, center);
  if (depth <= -r) return part;
  if (depth >= r) {
    const double across = pi * r * r;
    part = {volume_of_sphere(r), part.full_area, part.full_area, center, {across, across, across}};
    return part;
  }
  // The projected areas of a partly immersed sphere are 0, as in Webots.
  const double height = depth + r;
  // Spherical cap of height h: V = pi h^2 (3 r - h) / 3 with 3 r - h = 2 r - depth, area 2 pi r h. Its
  // centroid is 3 (2 r - h)^2 / (4 (3 r - h)) from the center of the sphere.
  part.volume = pi / 3 * height * height * (2 * r - depth);
  part.area = 2 * pi * r * height;
  const double below = 3 * (2 * r - height) * (2 * r - height) / (4 * (3 * r - height));
  part.center = center - surface.normal * below;
  return part;
}

// Sums over the facets clipped at the surface. All tetrahedra have their apex on the surface, so that the cut
// itself adds no volume.
class Cut {
 public:
  Cut(const FluidSurface &surface, const Vec3 &tip, const Mat3 &axes)
      : surface_(surface), tip_(tip), axes_(axes) {}

  void add(const Facet &f) {
    part_.full_area += norm(cross(f[1] - f[0], f[2] - f[0])) / 2;
    Vec3 corners[4];
    const int n = below(f, corners);
    for (int i = 2; i < n; ++i) add_immersed(corners[0], corners[i - 1], corners[i]);
  }

  Immersed result() {
    // The cut closes the immersed part; its area vector is minus the sum of the others.
    for (int i = 0; i < 3; ++i)
      part_.projected[i] = (facing_[i] + std::fabs(dot(column(axes_, i), vector_sum_))) / 2;
    if (part_.volume > 0) part_.center = tip_ + moment_ * (1 / part_.volume);
    return part_;
  }

 private:
  double above(const Vec3 &p) const { return dot(surface_.normal, p) - surface_.level; }

  // Clips a triangle; up to four corners remain.
  int below(const Facet &f, Vec3 *corners) const {
    int n = 0;
    for (int i = 0; i < 3; ++i) {
      const Vec3 &a = f[i], &b = f[(i + 1) % 3];
      const double ha = above(a), hb = above(b);
      if (ha <= 0) corners[n++] = a;
      if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) corners[n++] = a + (b - a) * (ha / (ha - hb));
    }
    return n;
  }

  void add_immersed(const Vec3 &a, const Vec3 &b, const Vec3 &c) {
    const Vec3 twice = cross(b - a, c - a);
    const double v = dot(a - tip_, twice) / 6;
    part_.area += norm(twice) / 2;
    part_.volume += v;
    // Centroid of the tetrahedron from the apex: a quarter of the sum of the other corners.
    moment_ += (a + b + c - tip_ * 3) * (v / 4);
    vector_sum_ += twice * 0.5;
    for (int i = 0; i < 3; ++i) facing_[i] += std::fabs(dot(column(axes_, i), twice)) / 2;
  }

  FluidSurface surface_;
  Vec3 tip_;
  Mat3 axes_;
  Immersed part_;
  Vec3 moment_ = kZero, vector_sum_ = kZero, facing_ = kZero;
};

}  // namespace

FluidSurface surface_of(const Shape &shape, const Pose &pose) {
  const Vec3 normal = column(pose.rotation, shape.up == UpAxis::y ? 1 : 2);
  return {normal, dot(normal, pose.position) + height_above_center(shape)};
}

Immersed immerse(const Shape &shape, const std::vector<Facet> &facets, const Pose &pose,
                 const FluidSurface &surface, const Mat3 &body_axes) {
  if (shape.kind == ShapeKind::sphere) return immerse_sphere(shape.size[0], pose.position, surface);
  const double above = dot(surface.normal, pose.position) - surface.level;
  Cut cut(surface, pose.position - surface.normal * above, body_axes);
  for (const Facet &f : facets) cut.add({pose * f[0], pose * f[1], pose * f[2]});
  return cut.result();
}

}  // namespace wb
