/* A DC motor on a motor driver with two PWM inputs. */
#ifndef DRV8833_H
#define DRV8833_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"
#ifdef DRV8833_RAMP
#include "ramp.h"
#endif
#ifdef DRV8833_SPEED_CONTROL
#include "speed_control.h"
#endif

struct drv8833 {
  uint8_t forward, backward;
  real full_speed, least_duty;
#ifdef DRV8833_RAMP
  real acceleration; /* 0: any */
#endif
#ifdef DRV8833_SPEED_CONTROL
  uint8_t encoder; /* index of the quadrature encoder, or NO_DEVICE */
  struct speed_gains speed;
#endif
  real max_velocity;
};

extern const FLASH struct drv8833 drv8833_table[DRV8833_COUNT];

void drv8833_start(uint8_t k);
void drv8833_position(uint8_t k, real position);
void drv8833_velocity(uint8_t k, real velocity);
void drv8833_stop(uint8_t k);
#ifdef SINGLE_TRACK_ENCODER_COUNT
bool drv8833_goes_backward(uint8_t k);
#endif
#if defined(DRV8833_SPEED_CONTROL) || defined(DRV8833_RAMP)
void drv8833_update(uint8_t k, uint16_t elapsed);
#endif

#endif
