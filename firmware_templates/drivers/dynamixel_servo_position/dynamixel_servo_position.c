/* The position that a Dynamixel servo reports. */
#include "dynamixel_servo_position.h"

bool dynamixel_servo_position_position(uint8_t k, real *position) {
  return bus_servo_present(dynamixel_servo_position_table[k].motor, position);
}
