// Exceptions of the engine and checks of arguments. std::invalid_argument becomes ValueError in Python.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "vec.h"

namespace wb {

// Not possible now: the world is stepping, broken or full.
struct EngineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A handle whose object was removed, or that belongs to another world.
struct HandleError : EngineError {
  using EngineError::EngineError;
};

// A physics plugin failed.
struct PluginFailure : EngineError {
  using EngineError::EngineError;
};

// The invalid state of one body after a step.
struct Problem {
  uint32_t body;
  const char *kind;  // "not finite", "too fast", "too far"
  Vec3 position, linear_velocity, angular_velocity;
};

// A step ended with bodies in an invalid state.
struct PhysicsError : EngineError {
  PhysicsError(const std::string &text, std::vector<Problem> problems)
      : EngineError(text), problems(std::move(problems)) {}
  std::vector<Problem> problems;
};

[[noreturn]] void reject(const char *name, const char *allowed, double given);

inline void require(bool ok, const char *name, const char *allowed, double given) {
  if (!ok) [[unlikely]]
    reject(name, allowed, given);
}

void require_finite(const char *name, std::span<const double> values);
inline void require_finite(const char *name, double value) {
  require(std::isfinite(value), name, "finite", value);
}
inline void require_positive(const char *name, double value) {
  require(value > 0 && std::isfinite(value), name, "positive and finite", value);
}
inline void require_not_negative(const char *name, double value) {
  require(value >= 0 && std::isfinite(value), name, "not negative and finite", value);
}

// Returns a finite nonzero vector scaled to length 1.
Vec3 require_direction(const char *name, const Vec3 &v);
// Returns a finite nonzero quaternion scaled to length 1.
Quat require_rotation(const char *name, const Quat &q);

}  // namespace wb
