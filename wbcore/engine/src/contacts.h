// Contacts between geoms: what the last collision pass found and what the last step solved.
#pragma once

#include <ode/ode.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "contact_places.h"
#include "slots.h"

namespace wb {

struct Contact {
  // Fields of `ode` that every contact sets are not cleared: contacts are created often.
  Contact() : feedback{} { std::fill(std::begin(ode.fdir1), std::end(ode.fdir1), 0); }
  dContact ode;
  uint32_t geom_a, geom_b;  // the normal points from b into a
  uint32_t body_a, body_b;  // dynamic or kinematic bodies, kNone for others
  dJointFeedback feedback;
  dJointID joint = nullptr;  // until contacts are searched again
  ContactPlaces places{};
};

}  // namespace wb
