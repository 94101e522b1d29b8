/* The gyro of an MPU-6050. */
#include "mpu6050_gyro.h"

#ifdef MPU6050_GYRO_BIAS
#include "bias.h"
#endif

#define SMALLEST_RANGE REAL(4.363323129985824) /* rad/s: 250 degrees per second */

static bool ready[MPU6050_GYRO_COUNT];
#ifdef MPU6050_GYRO_BIAS
static struct bias biases[MPU6050_GYRO_COUNT];
#endif

bool mpu6050_gyro_angular_velocity(uint8_t k, real *values) {
  const FLASH struct mpu6050_gyro *sensor = &mpu6050_gyro_table[k];
  if (!mpu6050_measure(sensor, MPU6050_GYRO_CONFIG, MPU6050_GYRO, SMALLEST_RANGE, &ready[k], values))
    return false;
#ifdef MPU6050_GYRO_BIAS
  if (sensor->bias_time > 0) bias_remove(&biases[k], sensor->bias_time, values);
#endif
  mpu6050_map(sensor, values);
  return true;
}
