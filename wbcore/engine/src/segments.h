// Nearest points of line segments.
#pragma once

#include <algorithm>

#include "vec.h"

namespace wb {

struct Line {
  Vec3 start, along;
  Vec3 at(double t) const { return start + along * t; }
};

// Where two segments are nearest to each other, in 0 to 1; for parallel ones the middle of the common part.
inline void nearest_on_lines(const Line &a, const Line &b, double &s, double &t) {
  // Minimize |a(s) - b(t)|^2: solve the 2x2 normal equations, then clamp to the segments one after the other.
  const Vec3 r = a.start - b.start;
  const double aa = dot(a.along, a.along), bb = dot(b.along, b.along), ab = dot(a.along, b.along);
  const double ar = dot(a.along, r), br = dot(b.along, r), det = aa * bb - ab * ab;
  if (det > 1e-12 * aa * bb) {
    s = std::clamp((ab * br - ar * bb) / det, 0.0, 1.0);
  } else {
    double from = -ar / aa, to = from + ab / aa;
    if (from > to) std::swap(from, to);
    s = (std::clamp(from, 0.0, 1.0) + std::clamp(to, 0.0, 1.0)) / 2;
  }
  t = (ab * s + br) / bb;
  if (t >= 0 && t <= 1) return;
  t = std::clamp(t, 0.0, 1.0);
  s = std::clamp((ab * t - ar) / aa, 0.0, 1.0);
}

}  // namespace wb
