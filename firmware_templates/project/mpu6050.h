/* The parts MPU-6050, MPU-6500 and MPU-9250 on the I2C bus: accelerometer and gyro in one. */
#ifndef MPU6050_H
#define MPU6050_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "bytes.h"
#include "curve.h"

#define MPU6050_GYRO_CONFIG 0x1B
#define MPU6050_ACCEL_CONFIG 0x1C
#define MPU6050_ACCEL 0x3B
#define MPU6050_GYRO 0x43

/* One of the two sensors in a part: what the tables of both drivers say. */
struct mpu6050 {
  uint8_t sda, scl; /* the board knows them */
  uint8_t address;
  struct axes axes;
  uint8_t range, bandwidth; /* the part's numbers for them */
  struct curve lookup;      /* SI units to values */
};

/* Read three values; `smallest` is the smallest range, each further one is twice as large. Parts that are not
   `ready`, at first and when they come back, are set up before. False: the part does not answer. */
bool mpu6050_values(const FLASH struct mpu6050 *sensor, uint8_t range_register, uint8_t first_register,
                    real smallest, bool *ready, real *values);

#endif
