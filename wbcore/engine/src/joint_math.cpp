// From joint positions to relative poses and back.
#include "joint_math.h"

#include <algorithm>
#include <numbers>

namespace wb {
namespace {

Mat3 turn_of(const Joint &joint, const double *positions) {
  Mat3 r = kIdentity;
  for (int i = 0; i < joint.axis_count(); ++i) r = r * rotation(joint.axes[i].direction, positions[i]);
  return r;
}

// In the basis of the three axes, the rotation is Rx Ry Rz: solve its matrix for the angles.
Vec3 ball_angles(const Joint &joint, const Mat3 &turn) {
  const Mat3 basis = from_columns(joint.axes[0].direction, joint.axes[1].direction, joint.axes[2].direction);
  const Mat3 m = transposed(basis) * turn * basis;
  return {std::atan2(-m[5], m[8]), std::asin(std::clamp(m[2], -1.0, 1.0)), std::atan2(-m[1], m[0])};
}

}  // namespace

Pose joint_motion(const Joint &joint, const double *positions) {
  if (joint.kind == JointKind::fixed) return {};
  if (joint.kind == JointKind::slider) return {joint.axes[0].direction * positions[0], kIdentity};
  const Mat3 r = turn_of(joint, positions);
  // The anchor is a fixed point: p = a - R a.
  return {joint.anchor_in_parent - r * joint.anchor_in_parent, r};
}

double angle_about(const Vec3 &axis, const Vec3 &a, const Vec3 &b) {
  const Vec3 u = a - axis * dot(a, axis);
  return std::atan2(dot(cross(axis, u), b), dot(u, b));
}

Vec3 joint_angles(const Joint &joint, const Mat3 &turn) {
  const Vec3 &a1 = joint.axes[0].direction, &a2 = joint.axes[1].direction;
  switch (joint.kind) {
    case JointKind::hinge: {
      const Vec3 u = any_perpendicular(a1);
      return {angle_about(a1, u, turn * u), 0, 0};
    }
    // Only the first rotation moves the second axis; seen from the child, only the second moves the first
    // axis.
    case JointKind::hinge2:
      return {angle_about(a1, a2, turn * a2), -angle_about(a2, a1, unrotate(turn, a1)), 0};
    case JointKind::ball: return ball_angles(joint, turn);
    default: return kZero;
  }
}

std::array<Vec3, 3> joint_directions(const Joint &joint, const Vec3 &angles) {
  std::array<Vec3, 3> d{joint.axes[0].direction, joint.axes[1].direction, joint.axes[2].direction};
  Mat3 r = kIdentity;
  for (int i = 1; i < joint.axis_count(); ++i) {
    r = r * rotation(joint.axes[i - 1].direction, angles[i - 1]);
    d[i] = r * d[i];
  }
  return d;
}

std::array<Vec3, 3> hinge2_directions(const Joint &joint, const Mat3 &turn) {
  const Vec3 first = joint.axes[0].direction, second = turn * joint.axes[1].direction;
  return {first, second, cross(first, second)};
}

std::array<Vec3, 3> reciprocal(const std::array<Vec3, 3> &d) {
  // Reciprocal basis: r_i . d_j is 1 for i = j and else 0, so r_i . w is the rate about axis i.
  const Vec3 c = cross(d[1], d[2]);
  // At gimbal lock the axes are coplanar; the bound keeps the result finite there.
  double volume = dot(d[0], c);
  if (std::fabs(volume) < 1e-6) volume = std::copysign(1e-6, volume);
  return {c * (1 / volume), cross(d[2], d[0]) * (1 / volume), cross(d[0], d[1]) * (1 / volume)};
}

Vec3 joint_rates(const Joint &joint, const std::array<Vec3, 3> &d, const Vec3 &spin) {
  switch (joint.kind) {
    case JointKind::hinge: return {dot(d[0], spin), 0, 0};
    case JointKind::hinge2:
    case JointKind::ball: {
      const auto r = reciprocal(d);
      return {dot(r[0], spin), dot(r[1], spin), dot(r[2], spin)};
    }
    default: return kZero;
  }
}

double unwrapped(double angle, double expected) {
  constexpr double turn = 2 * std::numbers::pi;
  if (std::fabs(expected - angle) < turn / 2) return angle;
  return angle + turn * std::round((expected - angle) / turn);
}

}  // namespace wb
