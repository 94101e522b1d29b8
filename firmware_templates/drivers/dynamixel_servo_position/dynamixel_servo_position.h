/* The position that a Dynamixel servo reports. */
#ifndef DYNAMIXEL_SERVO_POSITION_H
#define DYNAMIXEL_SERVO_POSITION_H

#include "dynamixel_servo.h"

struct dynamixel_servo_position {
  uint8_t motor; /* index of the servo */
};

extern const FLASH struct dynamixel_servo_position
    dynamixel_servo_position_table[DYNAMIXEL_SERVO_POSITION_COUNT];

bool dynamixel_servo_position_position(uint8_t k, real *position);

#endif
