/* A load cell with an HX711. */
#ifndef HX711_FORCE_H
#define HX711_FORCE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "curve.h"

struct hx711_force {
  uint8_t data, clock;
  uint8_t gain;        /* 0: 128, 1: 32, 2: 64 */
  real zero, scale;    /* counts, and counts per N */
  struct curve lookup; /* N to values */
};

extern const FLASH struct hx711_force hx711_force_table[HX711_FORCE_COUNT];

void hx711_force_start(uint8_t k);
bool hx711_force_value(uint8_t k, real *value);

#endif
