/* The position that a Feetech servo reports. */
#include "sts_servo_position.h"

bool sts_servo_position_position(uint8_t k, real *position) {
  return bus_servo_present(sts_servo_position_table[k].motor, position);
}
