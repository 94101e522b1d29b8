// Where the sparse solver's search for contact forces begins: contacts are made anew in every step.
#pragma once

#include <ode/ode.h>

#include <array>
#include <cstdint>

namespace wb {

// Of each row of a contact joint, in both phases: whether its force was at a bound. They change the time of a
// step, not its result.
using ContactPlaces = std::array<int8_t, 12>;

void give_places(dJointID contact, const ContactPlaces &places);
ContactPlaces places_of(dJointID contact);

// Under the law "precise": the force (N) on the joint's first body with which the search begins. Contacts of
// physics plugins begin with none.
void give_force(dJointID contact, const dReal *force);

}  // namespace wb
