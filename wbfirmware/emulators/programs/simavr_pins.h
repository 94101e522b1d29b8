/* The pins of an AVR board under simavr: which port, ADC channel and timer output each has. */
#ifndef SIMAVR_PINS_H
#define SIMAVR_PINS_H

#include <sim_avr.h>
#include <stdbool.h>

#define PIN_NAME 8

struct pin {
  char name[PIN_NAME];
  char port; /* 'B'; 0: none, analog only */
  int bit;
  int channel; /* of the ADC; -1: none */
  int timer;   /* -1: none */
  int output;  /* of the timer: 0 for A, 1 for B, 2 for C */
};

/* Adds a pin: its name, and where it is, for example "B4 ADC11 OC2A". Returns false if that is not a place.
 */
bool add_pin(const char *name, const char *place);

/* Returns the pin of a name, or NULL. */
const struct pin *find_pin(const char *name);

/* Connects the pins to a processor. */
void pins_start(avr_t *avr);

/* Sets an input in volts; 0 and 1 are levels, too. */
void pin_drive(const struct pin *pin, double value);

/* Prints what a pin does. */
void pin_show(const struct pin *pin);

#endif
