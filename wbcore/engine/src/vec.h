// Small vectors, quaternions (w, x, y, z) and 3x3 row-major matrices, in double precision.
#pragma once

#include <array>
#include <cmath>
#include <limits>

namespace wb {

using Vec3 = std::array<double, 3>;
using Quat = std::array<double, 4>;
using Mat3 = std::array<double, 9>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Vec3 kZero{0, 0, 0};
constexpr Quat kUnitQuat{1, 0, 0, 0};
constexpr Mat3 kIdentity{1, 0, 0, 0, 1, 0, 0, 0, 1};

inline Vec3 operator+(const Vec3 &a, const Vec3 &b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 operator-(const Vec3 &a, const Vec3 &b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 operator-(const Vec3 &a) { return {-a[0], -a[1], -a[2]}; }
inline Vec3 operator*(const Vec3 &a, double s) { return {a[0] * s, a[1] * s, a[2] * s}; }
inline Vec3 &operator+=(Vec3 &a, const Vec3 &b) { return a = a + b; }

inline double dot(const Vec3 &a, const Vec3 &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double norm(const Vec3 &a) { return std::sqrt(dot(a, a)); }

inline Vec3 cross(const Vec3 &a, const Vec3 &b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Vec3 normalized(const Vec3 &a) { return a * (1.0 / norm(a)); }

// Some unit vector perpendicular to the unit vector `a`.
inline Vec3 any_perpendicular(const Vec3 &a) {
  return normalized(cross(a, std::fabs(a[0]) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
}

inline Vec3 operator*(const Mat3 &m, const Vec3 &v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

// Transpose of m times v: a world vector in the frame whose axes are the columns of m.
inline Vec3 unrotate(const Mat3 &m, const Vec3 &v) {
  return {m[0] * v[0] + m[3] * v[1] + m[6] * v[2], m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
          m[2] * v[0] + m[5] * v[1] + m[8] * v[2]};
}

inline Mat3 operator*(const Mat3 &a, const Mat3 &b) {
  Mat3 r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  return r;
}

inline Mat3 transposed(const Mat3 &m) { return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}; }

inline Vec3 column(const Mat3 &m, int i) { return {m[i], m[3 + i], m[6 + i]}; }

inline Mat3 from_columns(const Vec3 &x, const Vec3 &y, const Vec3 &z) {
  return {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
}

inline Quat operator*(const Quat &a, const Quat &b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

inline Mat3 to_matrix(const Quat &q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

// Quaternion of a rotation matrix; w >= 0. The largest component is computed first for numerical stability.
Quat to_quat(const Mat3 &m);

// True for the one of q and -q that ODE makes from a matrix: positive in w where that is at least 1/2, else
// in the largest of the other components.
bool is_leading(const Quat &q);

// Quaternion of a rotation by `angle` (rad) about the unit vector `axis`.
inline Quat to_quat(const Vec3 &axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s};
}

// Unit axis and angle (0 to pi) of a rotation; the z axis for no rotation.
struct AxisAngle {
  Vec3 axis;
  double angle;
};
AxisAngle to_axis_angle(const Quat &q);

// Rotation by `angle` (rad) about the unit vector `axis`.
inline Mat3 rotation(const Vec3 &axis, double angle) { return to_matrix(to_quat(axis, angle)); }

// Half extents of the bounding box of a rotated box.
inline Vec3 reach_of_box(const Vec3 &size, const Mat3 &m) {
  const auto along = [&](int i) {
    return (std::fabs(m[i]) * size[0] + std::fabs(m[i + 1]) * size[1] + std::fabs(m[i + 2]) * size[2]) / 2;
  };
  return {along(0), along(3), along(6)};
}

struct Pose {
  Vec3 position = kZero;
  Mat3 rotation = kIdentity;
};

inline Vec3 operator*(const Pose &p, const Vec3 &v) { return p.position + p.rotation * v; }
inline Pose operator*(const Pose &a, const Pose &b) { return {a * b.position, a.rotation * b.rotation}; }
inline Vec3 local_point(const Pose &p, const Vec3 &v) { return unrotate(p.rotation, v - p.position); }

inline Pose inverse(const Pose &p) { return {-unrotate(p.rotation, p.position), transposed(p.rotation)}; }

}  // namespace wb
