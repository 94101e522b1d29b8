// The rows of a contact under the law "precise".
#pragma once

#include <ode/ode.h>

#include "../../vec.h"
#include "problem.h"

namespace wb::precise {

// A contact as the collision search found it: at the poses that the bodies are expected to have at the end of
// the step.
struct Touch {
  const dContact *contact;
  std::array<dBodyID, 2> bodies;   // the second may be null; the normal points into the first
  std::array<uint32_t, 2> movers;  // their numbers in the problem
  Vec3 normal;
  double dt;
  Vec3 former;  // impulse on the first body in the step before
};

// Adds the rows of a contact to the problem.
void add_contact(const Touch &touch, Problem &problem);

}  // namespace wb::precise
