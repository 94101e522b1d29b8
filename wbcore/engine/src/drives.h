// Propellers and track belts: drives that act on one body without a joint.
#pragma once

#include <cstdint>

#include "motor.h"
#include "slots.h"
#include "vec.h"

namespace wb {

struct Propeller {
  uint32_t body = kNone;
  Vec3 axis{1, 0, 0}, center = kZero;  // in the body's frame
  std::array<double, 2> thrust_constants{1, 0}, torque_constants{1, 0};
  Motor motor;
  double position = 0, thrust = 0, torque = 0;
};

struct Track {
  uint32_t body = kNone;
  Pose offset;  // of the track's frame in the body, or in the world
  Motor motor;
  bool motorized = true;
  double brake = 0;
  double position = 0, speed = 0;
};

}  // namespace wb
