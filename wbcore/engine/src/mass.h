// Mass, center of mass and inertia of solids, and their composition.
#pragma once

#include <cstdint>
#include <span>

#include "vec.h"

namespace wb {

// `inertia` is about the center of mass, along the axes of the frame in which `center` is given.
struct Mass {
  double mass = 0;
  Vec3 center = kZero;
  Mat3 inertia{};

  static Mass box(double mass, const Vec3 &size);
  static Mass sphere(double mass, double radius);
  // Round shapes are along z. `height` of a capsule is that of its cylindrical part.
  static Mass cylinder(double mass, double radius, double height);
  static Mass capsule(double mass, double radius, double height);
  // A closed surface of triangles whose corners turn counterclockwise seen from outside; throws if the
  // enclosed volume is not positive.
  static Mass mesh(double density, std::span<const double> vertices, std::span<const uint32_t> triangles);

  Mass transformed(const Pose &pose) const;
  Mass scaled_to(double total) const;
  Mass with_center(const Vec3 &new_center) const;
  Mass operator+(const Mass &other) const;

  // Throws std::invalid_argument with the reason if the mass is not physically valid.
  void check() const;
};

double volume_of_box(const Vec3 &size);
double volume_of_sphere(double radius);
double volume_of_cylinder(double radius, double height);
double volume_of_capsule(double radius, double height);

// Inertia of a point mass at `at`, about the origin.
Mat3 point_inertia(double mass, const Vec3 &at);

// R I R^T for the rotation R, by fused multiply-adds: the same bits on every processor.
Mat3 turned_inertia(const Mat3 &rotation, const Mat3 &inertia);

}  // namespace wb
