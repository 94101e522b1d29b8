// From joint positions to relative poses and back.
#pragma once

#include "joint.h"

namespace wb {

// Multiplies by ODE's rotation matrices, whose rows are four numbers apart.
inline Vec3 turned(const dReal *r, const Vec3 &v) {
  return {r[0] * v[0] + r[1] * v[1] + r[2] * v[2], r[4] * v[0] + r[5] * v[1] + r[6] * v[2],
          r[8] * v[0] + r[9] * v[1] + r[10] * v[2]};
}
inline Vec3 turned_back(const dReal *r, const Vec3 &v) {
  return {r[0] * v[0] + r[4] * v[1] + r[8] * v[2], r[1] * v[0] + r[5] * v[1] + r[9] * v[2],
          r[2] * v[0] + r[6] * v[1] + r[10] * v[2]};
}

// Motion of the child in the parent's frame relative to its pose at position 0.
Pose joint_motion(const Joint &joint, const double *positions);

// Positions of the axes for the child's rotation `turn` relative to position 0; angles in (-pi, pi].
Vec3 joint_angles(const Joint &joint, const Mat3 &turn);

// Directions of the axes in the parent's frame at the given angles.
std::array<Vec3, 3> joint_directions(const Joint &joint, const Vec3 &angles);

// Directions of the two axes of a hinge2 and of their cross product in the parent's frame, for the child's
// actual rotation `turn`, including any error that the lock between the axes has allowed.
std::array<Vec3, 3> hinge2_directions(const Joint &joint, const Mat3 &turn);

// Vectors r with dot(r[i], spin) = rate of axis i, for a relative spin composed of the axes' rates.
std::array<Vec3, 3> reciprocal(const std::array<Vec3, 3> &directions);

// Rates of the axes for a relative spin in the parent's frame, with the directions of all three.
Vec3 joint_rates(const Joint &joint, const std::array<Vec3, 3> &directions, const Vec3 &spin);

// The equivalent of `angle` (plus whole turns) that is nearest to `expected`.
double unwrapped(double angle, double expected);

// Angle from a to b about the unit vector `axis`, in (-pi, pi].
double angle_about(const Vec3 &axis, const Vec3 &a, const Vec3 &b);

}  // namespace wb
