// Measurements of contacts and of the forces that hold a sensor. Source: manual, chapter TouchSensor.
#include "touch_sources.h"

#include <algorithm>

namespace wb {

void Touching::watch() {
  if (!touched) touched = is_touched();
}

void Touching::measure(double, double *values) { *values = std::exchange(touched, false); }

// As Webots, a bumper also feels what sleeps on it.
bool Touching::is_touched() const {
  const auto is = [this](const Contact &c) { return is_own(c.geom_a) || is_own(c.geom_b); };
  World &world = *world_;
  return std::ranges::any_of(world.contacts, is) ||
         std::ranges::any_of(world.kept_contacts,
                             [&](const Contact &c) { return is(c) && world.active(c); }) ||
         std::ranges::any_of(world.resting_contacts(), is);
}

bool Touching::is_own(uint32_t geom) const { return std::ranges::find(geoms_, geom) != geoms_.end(); }

void HoldingForce::measure(double, double *values) {
  Random &random = joint_.world->random;
  const Vec3 force = mount_.to_local(joint_.get().feedback.sum(&dJointFeedback::f2));
  if (axis_)
    *values = response_(std::max(0.0, -dot(force, *axis_)), random);
  else
    for (size_t i = 0; i < 3; ++i) values[i] = response_(force[i], random);
}

}  // namespace wb
