/* The temperature or the supply voltage that a Feetech servo reports. */
#include "sts_servo_health.h"

bool sts_servo_health_value(uint8_t k, real *value) {
  return bus_servo_health(sts_servo_health_table[k].motor, sts_servo_health_table[k].voltage, value);
}
