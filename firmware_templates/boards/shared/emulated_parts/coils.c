/* The rotor of a stepper motor with four coils. */
#include "coils.h"

#define PLACES 8

/* Returns the place at which the field of some coils holds the rotor; PLACES without a field. */
static uint8_t place_of(uint8_t on) {
  static const uint8_t fields[PLACES] = {1, 3, 2, 6, 4, 12, 8, 9};
  uint8_t place = 0;
  while (place < PLACES && fields[place] != on) place++;
  return place;
}

void coils_begin(struct coils *coils, uint8_t on) {
  *coils = (struct coils){.on = on, .at = place_of(on) % PLACES};
}

void coils_switch(struct coils *coils, uint8_t coil, bool on) {
  const uint8_t bit = (uint8_t)(1u << coil);
  coils->on = on ? coils->on | bit : coils->on & (uint8_t)~bit;
  const uint8_t place = place_of(coils->on);
  if (place == PLACES) return;
  const uint8_t turn = (uint8_t)(place - coils->at) % PLACES;
  if (turn != 1 && turn != PLACES - 1) return; /* held, or too far for the rotor */
  coils->half_steps += turn == 1 ? 1 : -1;
  coils->at = place;
}
