/* A DC motor on an H bridge. */
#ifndef HBRIDGE_H
#define HBRIDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"
#ifdef HBRIDGE_RAMP
#include "ramp.h"
#endif
#ifdef HBRIDGE_SPEED_CONTROL
#include "speed_control.h"
#endif

struct hbridge {
  uint8_t pwm, forward, backward;
  uint8_t encoder; /* index of the quadrature encoder, or NO_DEVICE */
  real full_speed, least_duty;
#ifdef HBRIDGE_RAMP
  real acceleration; /* 0: any */
#endif
#ifdef HBRIDGE_SPEED_CONTROL
  struct speed_gains speed;
#endif
  real max_velocity, gain;
};

extern const FLASH struct hbridge hbridge_table[HBRIDGE_COUNT];

void hbridge_start(uint8_t k);
void hbridge_position(uint8_t k, real position);
void hbridge_velocity(uint8_t k, real velocity);
void hbridge_stop(uint8_t k);
void hbridge_update(uint8_t k, uint16_t elapsed);
#ifdef SINGLE_TRACK_ENCODER_COUNT
/* True if the last direction was backward, also while the motor stands; for interrupts. */
bool hbridge_goes_backward(uint8_t k);
#endif

#endif
