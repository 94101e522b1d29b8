/* An ultrasonic distance sensor. */
#ifndef ULTRASONIC_H
#define ULTRASONIC_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "curve.h"

struct ultrasonic {
  uint8_t trigger, echo;
  real range;
  struct curve lookup; /* m to values */
};

extern const FLASH struct ultrasonic ultrasonic_table[ULTRASONIC_COUNT];

void ultrasonic_start(uint8_t k);
bool ultrasonic_value(uint8_t k, real *value);
void ultrasonic_update(uint8_t k, uint16_t elapsed);
void ultrasonic_changed(uint8_t k);

#endif
