/* The temperature or the supply voltage that a Dynamixel servo reports. */
#ifndef DYNAMIXEL_SERVO_HEALTH_H
#define DYNAMIXEL_SERVO_HEALTH_H

#include "dynamixel_servo.h"

struct dynamixel_servo_health {
  uint8_t motor; /* index of the servo */
  bool voltage;
};

extern const FLASH struct dynamixel_servo_health dynamixel_servo_health_table[DYNAMIXEL_SERVO_HEALTH_COUNT];

bool dynamixel_servo_health_value(uint8_t k, real *value);

#endif
