/* The temperature or the supply voltage that a Dynamixel servo reports. */
#include "dynamixel_servo_health.h"

bool dynamixel_servo_health_value(uint8_t k, real *value) {
  return bus_servo_health(dynamixel_servo_health_table[k].motor, dynamixel_servo_health_table[k].voltage,
                          value);
}
