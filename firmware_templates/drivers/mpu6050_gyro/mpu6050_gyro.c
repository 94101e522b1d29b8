/* The gyro of an MPU-6050. */
#include "mpu6050_gyro.h"

#include "board.h"

#define SMALLEST_RANGE REAL(4.363323129985824) /* rad/s: 250 degrees per second */

static bool ready[MPU6050_GYRO_COUNT];

void mpu6050_gyro_start(uint8_t k) {
  ready[k] = false;
  board_i2c_start();
}

bool mpu6050_gyro_angular_velocity(uint8_t k, real *values) {
  return mpu6050_values(&mpu6050_gyro_table[k], MPU6050_GYRO_CONFIG, MPU6050_GYRO, SMALLEST_RANGE, &ready[k],
                        values);
}
