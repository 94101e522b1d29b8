/* The PWM duty of a motor. */
#ifndef DUTY_H
#define DUTY_H

#include <stdint.h>

#include "bytes.h"

/* Returns the duty, 0 to BOARD_DUTY_FULL, for a velocity of either sign (open loop).
 *   full_speed: the velocity at full duty.
 *   least_duty: the duty (0 to 0.9) below which the motor does not start turning. */
uint8_t duty_for(real velocity, real full_speed, real least_duty);

#endif
