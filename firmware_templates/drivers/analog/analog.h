/* A sensor with a voltage proportional to its value. */
#ifndef ANALOG_H
#define ANALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

struct analog {
  uint8_t pin;
  uint8_t samples; /* conversions for a reading */
  real low, high;
};

extern const FLASH struct analog analog_table[ANALOG_COUNT];

bool analog_value(uint8_t k, real *value);
bool analog_position(uint8_t k, real *position);

#endif
