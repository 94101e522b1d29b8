/* The gyro of an MPU-6050. */
#ifndef MPU6050_GYRO_H
#define MPU6050_GYRO_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "config.h"
#include "curve.h"

struct mpu6050_gyro {
  uint8_t sda, scl; /* the board knows them */
  uint8_t address;
  struct axes axes;
  uint8_t range, bandwidth; /* the part's numbers for them */
  struct curve lookup;      /* rad/s to values */
};

extern const FLASH struct mpu6050_gyro mpu6050_gyro_table[MPU6050_GYRO_COUNT];

void mpu6050_gyro_start(uint8_t k);
bool mpu6050_gyro_angular_velocity(uint8_t k, real *values);

#endif
