/* The accelerometer of an MPU-6050. */
#include "mpu6050_accelerometer.h"

#include "board.h"
#include "mpu6050.h"

#define SMALLEST_RANGE REAL(19.6133) /* m/s^2: 2 g; each further range is twice as large */

static bool ready[MPU6050_ACCELEROMETER_COUNT];

void mpu6050_accelerometer_start(uint8_t k) {
  ready[k] = false;
  board_i2c_start();
}

bool mpu6050_accelerometer_acceleration(uint8_t k, real *values) {
  const FLASH struct mpu6050_accelerometer *sensor = &mpu6050_accelerometer_table[k];
  if (!ready[k]) /* at first, and when it comes back */
    ready[k] = mpu6050_set_up(sensor->address, sensor->bandwidth, MPU6050_ACCEL_CONFIG, sensor->range);
  ready[k] = ready[k] && mpu6050_read(sensor->address, MPU6050_ACCEL, values);
  if (!ready[k])
    return false;
  const real full = SMALLEST_RANGE * (1u << sensor->range);
  for (uint8_t axis = 0; axis < 3; axis++)
    values[axis] *= full;
  axes_turn(&sensor->axes, values, values);
  axes_look_up(&sensor->lookup, values);
  return true;
}
