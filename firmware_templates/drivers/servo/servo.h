/* An RC servo. */
#ifndef SERVO_H
#define SERVO_H

#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

struct servo {
  uint8_t pin;
  real low, high;
  uint16_t low_pulse, high_pulse;
  real max_velocity;
};

extern const FLASH struct servo servo_table[SERVO_COUNT];

void servo_start(uint8_t k);
void servo_position(uint8_t k, real position);
void servo_velocity(uint8_t k, real velocity);
void servo_stop(uint8_t k);
void servo_update(uint8_t k, uint16_t elapsed);

#endif
