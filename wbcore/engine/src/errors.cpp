// Checks of arguments with a message that says what was given and what is allowed.
#include "errors.h"

#include <cstdio>

namespace wb {

void reject(const char *name, const char *allowed, double given) {
  char text[256];
  std::snprintf(text, sizeof text, "%s must be %s, not %.9g", name, allowed, given);
  throw std::invalid_argument(text);
}

void require_finite(const char *name, std::span<const double> values) {
  for (double v : values) require(std::isfinite(v), name, "finite", v);
}

Vec3 require_direction(const char *name, const Vec3 &v) {
  require_finite(name, v);
  const double length = norm(v);
  require(length > 1e-12, name, "a vector that is not zero", length);
  return v * (1.0 / length);
}

Quat require_rotation(const char *name, const Quat &q) {
  require_finite(name, q);
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  require(length > 1e-12, name, "a quaternion that is not zero", length);
  return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

}  // namespace wb
