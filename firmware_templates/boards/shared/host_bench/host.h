/* Pins of the host board. */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "pins.h"

enum pin_use { PIN_FREE, PIN_INPUT, PIN_OUTPUT, PIN_PWM, PIN_SERVO, PIN_ANALOG };

struct pin {
  enum pin_use use;
  uint16_t value; /* level, duty, microseconds or ADC reading */
  uint32_t hertz; /* of PWM; 0: not known */
  bool watched, driven;
};

extern struct pin pins[BOARD_PINS];

#endif
