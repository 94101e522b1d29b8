/* The rotor of a stepper motor with four coils, for test benches: it follows the field in half steps. */
#ifndef COILS_H
#define COILS_H

#include <stdbool.h>
#include <stdint.h>

struct coils {
  uint8_t on; /* bit 0 is the first coil */
  uint8_t at; /* the rotor's place among the 8 half steps */
  int32_t half_steps;
};

/* Begins to follow coils of which some may be on (bit 0 is the first): the rotor is at their place, or at 0.
 */
void coils_begin(struct coils *coils, uint8_t on);

/* A coil (0 to 3) is switched on or off. The rotor moves if its new place is beside it. */
void coils_switch(struct coils *coils, uint8_t coil, bool on);

#endif
