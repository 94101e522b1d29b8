/* RotationalMotor and LinearMotor. */
#ifndef WB_MOTOR_H
#define WB_MOTOR_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct motor {
  uint8_t position, velocity, acceleration, available_force, force, control_pid; /* commands */
  uint8_t feedback;                                                              /* sensor value */
  uint8_t type;
  uint16_t sensor, brake; /* tags of devices on the same joint */
  double min_position, max_position, max_velocity, start_acceleration, max_force, multiplier;
};

extern const FLASH struct motor motor_table[MOTOR_DEVICES];

#endif
