// Conversions between rotation matrices, quaternions, and axes with angles.
#include "vec.h"

#include <algorithm>

namespace wb {

Quat to_quat(const Mat3 &m) {
  const double trace = m[0] + m[4] + m[8];
  // Four times the square of each component; the largest is the divisor (Shepperd's method).
  const double c[4] = {1 + trace, 1 + 2 * m[0] - trace, 1 + 2 * m[4] - trace, 1 + 2 * m[8] - trace};
  const int largest = static_cast<int>(std::max_element(c, c + 4) - c);
  const double s = 2 * std::sqrt(c[largest]);  // four times the component
  Quat q;
  switch (largest) {
    case 0: q = {s / 4, (m[7] - m[5]) / s, (m[2] - m[6]) / s, (m[3] - m[1]) / s}; break;
    case 1: q = {(m[7] - m[5]) / s, s / 4, (m[1] + m[3]) / s, (m[2] + m[6]) / s}; break;
    case 2: q = {(m[2] - m[6]) / s, (m[1] + m[3]) / s, s / 4, (m[5] + m[7]) / s}; break;
    default: q = {(m[3] - m[1]) / s, (m[2] + m[6]) / s, (m[5] + m[7]) / s, s / 4};
  }
  if (q[0] < 0)
    for (double &x : q) x = -x;
  return q;
}

bool is_leading(const Quat &q) {
  if (4 * q[0] * q[0] >= 1) return q[0] > 0;
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return *std::max_element(q.begin() + 1, q.end(), smaller) > 0;
}

// Both q and -q are the same rotation; w >= 0 gives the angle up to pi.
AxisAngle to_axis_angle(const Quat &q) {
  const double sign = q[0] >= 0 ? 1 : -1, w = sign * q[0];
  const Vec3 v{sign * q[1], sign * q[2], sign * q[3]};
  const double s = norm(v);
  if (s < 1e-15) return {{0, 0, 1}, 0};
  return {{v[0] / s, v[1] / s, v[2] / s}, 2 * std::atan2(s, w)};
}

}  // namespace wb
