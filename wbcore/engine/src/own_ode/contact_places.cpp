// Where the sparse solver's search for contact forces begins.
#include "../contact_places.h"

#include "config.h"
#include "joints/joint.h"
#include "objects.h"

namespace wb {

// The solver keeps them in a field that ODE's exact solver does not use (solve/read_rows.cpp).
void give_places(dJointID contact, const ContactPlaces &places) {
  for (size_t row = 0; row < places.size() / 2; ++row) {
    int8_t *memory = reinterpret_cast<int8_t *>(&contact->lambda[row]);
    memory[0] = places[2 * row], memory[1] = places[2 * row + 1];
  }
}

void give_force(dJointID contact, const dReal *force) { std::copy_n(force, 3, contact->lambda); }

ContactPlaces places_of(dJointID contact) {
  ContactPlaces places;
  for (size_t row = 0; row < places.size() / 2; ++row) {
    const int8_t *memory = reinterpret_cast<const int8_t *>(&contact->lambda[row]);
    places[2 * row] = memory[0], places[2 * row + 1] = memory[1];
  }
  return places;
}

}  // namespace wb
