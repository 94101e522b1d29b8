/* The temperature or the supply voltage that a Feetech servo reports. */
#ifndef STS_SERVO_HEALTH_H
#define STS_SERVO_HEALTH_H

#include "sts_servo.h"

struct sts_servo_health {
  uint8_t motor; /* index of the servo */
  bool voltage;
};

extern const FLASH struct sts_servo_health sts_servo_health_table[STS_SERVO_HEALTH_COUNT];

bool sts_servo_health_value(uint8_t k, real *value);

#endif
