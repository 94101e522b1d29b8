/* The position that a Feetech servo reports. */
#ifndef STS_SERVO_POSITION_H
#define STS_SERVO_POSITION_H

#include "sts_servo.h"

struct sts_servo_position {
  uint8_t motor; /* index of the servo */
};

extern const FLASH struct sts_servo_position sts_servo_position_table[STS_SERVO_POSITION_COUNT];

bool sts_servo_position_position(uint8_t k, real *position);

#endif
