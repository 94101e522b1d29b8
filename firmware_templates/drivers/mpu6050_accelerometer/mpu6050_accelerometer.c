/* The accelerometer of an MPU-6050. */
#include "mpu6050_accelerometer.h"

#define SMALLEST_RANGE REAL(19.6133) /* m/s^2: 2 g */

static bool ready[MPU6050_ACCELEROMETER_COUNT];

bool mpu6050_accelerometer_acceleration(uint8_t k, real *values) {
  const FLASH struct mpu6050_accelerometer *sensor = &mpu6050_accelerometer_table[k];
  if (!mpu6050_measure(sensor, MPU6050_ACCEL_CONFIG, MPU6050_ACCEL, SMALLEST_RANGE, &ready[k], values))
    return false;
  mpu6050_map(sensor, values);
  return true;
}
