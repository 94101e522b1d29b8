/* An analog distance sensor. */
#ifndef ANALOG_DISTANCE_H
#define ANALOG_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "curve.h"

struct analog_distance {
  uint8_t pin;
  uint8_t samples;     /* conversions for a reading */
  struct curve curve;  /* V to m */
  struct curve lookup; /* m to values */
};

extern const FLASH struct analog_distance analog_distance_table[ANALOG_DISTANCE_COUNT];

bool analog_distance_value(uint8_t k, real *value);

#endif
