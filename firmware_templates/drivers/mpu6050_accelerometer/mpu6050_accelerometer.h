/* The accelerometer of an MPU-6050. */
#ifndef MPU6050_ACCELEROMETER_H
#define MPU6050_ACCELEROMETER_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "config.h"
#include "curve.h"

struct mpu6050_accelerometer {
  uint8_t sda, scl; /* the board knows them */
  uint8_t address;
  struct axes axes;
  uint8_t range, bandwidth; /* the part's numbers for them */
  struct curve lookup;      /* m/s^2 to values */
};

extern const FLASH struct mpu6050_accelerometer mpu6050_accelerometer_table[MPU6050_ACCELEROMETER_COUNT];

void mpu6050_accelerometer_start(uint8_t k);
bool mpu6050_accelerometer_acceleration(uint8_t k, real *values);

#endif
